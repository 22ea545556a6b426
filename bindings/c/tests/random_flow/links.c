#include "links.h"
#include "../check.h"
#include "calls.h"
#include "choices.h"

static void on_samples(const gkit_sample *samples, size_t number, void *user_data) {
  listener *self = user_data;
  CHECK(self->is_open);
  CHECK_INT(self->destroyed, 0);
  for (size_t i = 0; i < number; i++)
    model_count(&self->heard, samples[i].value.as.integer);
  flow_act_inside();
}

static void on_listener_destroyed(void *user_data) { ((listener *)user_data)->destroyed++; }

/* Listening. */

static void end(listener *listener) {
  if (!listener->is_open)
    return;
  listener->is_open = false;
  gkit_connection *connection = listener->connection;
  if (connection && flow_pick(2)) {
    gkit_connection_disconnect(connection);
    gkit_connection_disconnect(connection);
  }
  if (connection)
    gkit_release(connection);
}

void flow_end_listening(void) {
  if (flow.listener_count == 0)
    return;
  listener *listener = &flow.listeners[flow_pick((uint32_t)flow.listener_count)];
  if (listener->connection)
    end(listener);
}

void flow_listen(void) {
  static const char *const names[] = {"a", "b"};
  bool is_named = flow_pick(4) == 0;
  int to = flow_pick_node(is_named ? flow_is_publink : flow_is_any);
  if (to == NONE || flow.listener_count == LISTENERS)
    return;
  int index = flow.listener_count++;
  listener *listener = &flow.listeners[index];
  *listener = (struct listener){.node = to, .is_open = true};
  model_greet_listener(index);
  if (!is_named) {
    gkit_connection *connection = NULL;
    CHECK_OK(gkit_stream_subscribe(flow.nodes[to].handle, NULL, 0, on_samples, listener,
                                   on_listener_destroyed, &connection));
    listener->connection = connection;
    return;
  }
  listener->name = names[flow_pick(2)];
  for (int i = 0; i < index; i++)
    if (flow.listeners[i].node == to && flow.listeners[i].name == listener->name)
      flow.listeners[i].is_open = false;
  CHECK_OK(gkit_stream_subscribe(flow.nodes[to].handle, listener->name, 0, on_samples, listener,
                                 on_listener_destroyed, NULL));
}

void flow_unsubscribe(void) {
  int from = flow_pick_node(flow_is_publink);
  if (from == NONE)
    return;
  for (int i = 0; i < flow.listener_count; i++)
    if (flow.listeners[i].node == from && flow.listeners[i].name)
      flow.listeners[i].is_open = false;
  CHECK_OK(gkit_stream_unsubscribe(flow.nodes[from].handle, "a"));
  CHECK_OK(gkit_stream_unsubscribe(flow.nodes[from].handle, "b"));
  CHECK_OK(gkit_stream_unsubscribe(flow.nodes[from].handle, "nobody"));
}

/* Wiring. */

void flow_wire(void) {
  int to = flow_pick_box(), from = flow_pick_box(), node = flow_pick_node(flow_is_sendable);
  if (to == NONE)
    return;
  bool is_connect = from != NONE && (node == NONE || flow_pick(2));
  if (is_connect)
    node = flow.boxes[from].port;
  if (node == NONE)
    return;
  model_wire(to, node);
  model_greet_box(to);
  gkit_patch *patch = flow.boxes[to].handle;
  if (is_connect)
    CHECK_OK(gkit_patch_connect(flow.boxes[from].handle, "out", patch, "in"));
  else
    CHECK_OK(gkit_patch_set_input(patch, "in", flow.nodes[node].handle));
}

void flow_unwire(void) {
  int index = flow_pick_box();
  if (index == NONE)
    return;
  flow.boxes[index].wire = NONE;
  CHECK_OK(gkit_patch_set_input(flow.boxes[index].handle, "in", NULL));
}

void flow_enter_or_leave_graph(void) {
  int index = flow_pick_box();
  if (index == NONE || !flow.graph)
    return;
  char name[] = {'p', (char)('0' + index), '\0'};
  if (flow.boxes[index].is_in_graph) {
    model_leave_graph(index);
    CHECK_OK(gkit_patch_remove(flow.graph, name));
  } else {
    flow.boxes[index].is_in_graph = true;
    CHECK_OK(gkit_patch_add(flow.graph, name, flow.boxes[index].handle));
  }
}

/* Letting go. */

void flow_release_stream(void) {
  int index = flow_pick_node(flow_is_any);
  if (index == NONE)
    return;
  gkit_stream *handle = flow.nodes[index].handle;
  flow.nodes[index].handle = NULL;
  gkit_release(handle);
  CHECK_INVALID(gkit_stream_begin(handle));
}

void flow_release_box(void) {
  int index = flow_pick_box();
  if (index == NONE)
    return;
  gkit_patch *handle = flow.boxes[index].handle;
  CHECK(gkit_retain(handle) == handle);
  gkit_release(handle);
  flow.boxes[index].handle = NULL;
  gkit_release(handle);
}

void flow_release_all(void) {
  while (true) {
    bool is_done = flow.graph == NULL;
    uint32_t what = flow_pick(4);
    for (int i = 0; i < flow.listener_count; i++)
      is_done &= !flow.listeners[i].is_open || !flow.listeners[i].connection;
    for (int i = 0; i < flow.node_count; i++)
      is_done &= !flow.nodes[i].handle;
    for (int i = 0; i < flow.box_count; i++)
      is_done &= !flow.boxes[i].handle;
    if (is_done)
      return;
    if (what == 0)
      flow_end_listening();
    else if (what == 1)
      flow_release_stream();
    else if (what == 2)
      flow_release_box();
    else if (flow_pick(8) == 0) {
      gkit_release(flow.graph);
      flow.graph = NULL;
    }
  }
}
