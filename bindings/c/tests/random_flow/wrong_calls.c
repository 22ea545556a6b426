#include "../check.h"
#include "calls.h"
#include "choices.h"

static void on_samples(const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples;
  (void)count;
  (void)user_data;
  CHECK(false);
}

static void on_destroy(void *user_data) { ++*(int *)user_data; }

/* Something that is no living handle of a stream: of another type, stale, or no handle at all. */
static void *not_a_stream(void) {
  static gkit_stream *stale;
  if (stale == NULL) {
    CHECK_OK(gkit_signal_new(flow_world.context, &stale));
    gkit_release(stale);
  }
  switch (flow_pick(5)) {
  case 0:
    return NULL;
  case 1:
    return flow_world.context;
  case 2:
    return flow.graph;
  case 3:
    return stale;
  default:
    return (void *)(uintptr_t)(((uint64_t)flow_pick(1 << 30) << 34) | flow_pick(1 << 30));
  }
}

static void *not_a_patch(void) {
  void *handle = not_a_stream();
  return handle == flow.graph ? flow_world.context : handle;
}

/* A destroy function runs once also where its registration fails (rule 13). */
static void wrong_registration(void) {
  gkit_connection *connection = NULL;
  gkit_patch *patch = flow.boxes[0].handle;
  int destroyed = 0;
  CHECK_INVALID(gkit_stream_subscribe(not_a_stream(), NULL, 0, on_samples, &destroyed, on_destroy,
                                      &connection));
  CHECK(connection == NULL);
  CHECK_INT(destroyed, 1);
  CHECK_INVALID(gkit_patch_add_input(not_a_patch(), "in", NULL, NULL, &destroyed, on_destroy));
  CHECK_INT(destroyed, 2);
  if (flow.box_count == 0 || patch == NULL)
    return;
  CHECK_INVALID(gkit_patch_add_input(patch, "in", "number", NULL, &destroyed, on_destroy));
  CHECK_INVALID(gkit_patch_add_input(patch, "\n", NULL, NULL, &destroyed, on_destroy));
  CHECK_INT(destroyed, 4);
}

static void wrong_stream(void) {
  gkit_value one = gkit_value_int(1);
  gkit_sample sample;
  gkit_stream *out = (gkit_stream *)&one;
  CHECK_INVALID(gkit_stream_send(not_a_stream(), &one));
  CHECK_INVALID(gkit_stream_get(not_a_stream(), &sample));
  CHECK_INVALID(gkit_stream_subscriber_count(not_a_stream()));
  CHECK_INVALID(gkit_stream_apply(not_a_stream(), "distinct", NULL, &out));
  CHECK(out == NULL);
  gkit_stream *inputs[] = {not_a_stream(), not_a_stream()};
  CHECK_INVALID(gkit_stream_combine(inputs, 2, "merge", &out));
  gkit_connection_disconnect(not_a_stream());
}

/* Calls that the kind of a living stream does not know. */
static void misused_stream(void) {
  gkit_value one = gkit_value_int(1);
  gkit_stream *out = NULL;
  for (int i = 0; i < flow.node_count; i++) {
    node *node = &flow.nodes[i];
    if (!node->handle)
      continue;
    CHECK_STATUS(gkit_stream_apply(node->handle, "distnct", NULL, &out), GKIT_ERROR_NOT_FOUND);
    CHECK_INVALID(gkit_patch_set_value((gkit_patch *)node->handle, "in", &one));
    if (node->kind == TRANSFORM || node->kind == MERGE)
      CHECK_STATUS(gkit_stream_send(node->handle, &one), GKIT_ERROR_NOT_SUPPORTED);
    if (node->kind == SIGNAL)
      CHECK_STATUS(gkit_stream_unsubscribe(node->handle, "a"), GKIT_ERROR_NOT_SUPPORTED);
  }
}

static void misused_patch(void) {
  gkit_value one = gkit_value_int(1), text = gkit_value_string("one");
  gkit_stream *out = NULL;
  CHECK_INVALID(gkit_patch_publish(not_a_patch(), "out", &one));
  for (int i = 0; i < flow.box_count; i++) {
    gkit_patch *patch = flow.boxes[i].handle;
    if (!patch)
      continue;
    CHECK_STATUS(gkit_patch_set_value(patch, "in", &text), GKIT_ERROR_TYPE);
    CHECK_STATUS(gkit_patch_set_value(patch, "out", &one), GKIT_ERROR_NOT_FOUND);
    CHECK_STATUS(gkit_patch_publish(patch, "out", &text), GKIT_ERROR_TYPE);
    CHECK_STATUS(gkit_patch_publish(patch, "in", &one), GKIT_ERROR_NOT_FOUND);
    CHECK_STATUS(gkit_patch_port(patch, "nothing", true, &out), GKIT_ERROR_NOT_FOUND);
    CHECK_STATUS(gkit_patch_remove(patch, "child"), GKIT_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gkit_patch_add(patch, "child", patch), GKIT_ERROR_NOT_SUPPORTED);
    CHECK_INVALID(gkit_patch_set_value(patch, NULL, &one));
    CHECK_INVALID(gkit_patch_set_input(patch, "in", (gkit_stream *)flow_world.context));
    CHECK_INVALID(gkit_stream_send((gkit_stream *)patch, &one));
  }
}

void flow_wrong_call(void) {
  static void (*const calls[])(void) = {wrong_registration, wrong_stream, misused_stream,
                                        misused_patch};
  calls[flow_pick(4)]();
}
