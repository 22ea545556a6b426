#include "calls.h"
#include "../check.h"
#include "choices.h"
#include "links.h"

sim flow_world;
static bool is_inside;

/* Callbacks, which now and then make calls of their own. */

void flow_act_inside(void) {
  if (is_inside || flow_pick(12) != 0)
    return;
  is_inside = true;
  flow.is_unforeseen = true;
  flow_call();
  is_inside = false;
}

static gkit_status on_input(gkit_patch *patch, const gkit_sample *in, void *user_data) {
  box *self = user_data;
  gkit_value next = gkit_value_int(in->value.as.integer + 1);
  CHECK(!self->handle || self->handle == patch);
  CHECK_INT(self->destroyed, 0);
  model_count(&self->heard, in->value.as.integer);
  flow_act_inside();
  return in->value.as.integer < CAP ? gkit_patch_publish(patch, "out", &next) : GKIT_OK;
}

static void on_box_destroyed(void *user_data) { ((box *)user_data)->destroyed++; }

static bool transform(const gkit_sample *in, gkit_value *out, void *user_data) {
  int64_t number;
  (void)user_data;
  bool passes = model_transform(in->value.as.integer, &number);
  *out = gkit_value_int(number);
  return passes;
}

/* Making. */

static node *new_node(node_kind kind) {
  node *node = &flow.nodes[flow.node_count];
  *node = (struct node){.kind = kind, .parents = {NONE, NONE}, .box = NONE};
  flow.node_count++;
  return node;
}

static void make_stream(void) {
  gkit_value initial = gkit_value_int(flow_pick(30));
  if (flow.node_count == NODES)
    return;
  node *node = new_node((node_kind)flow_pick(3));
  if (node->kind == SIGNAL) {
    CHECK_OK(gkit_signal_new(flow_world.context, &node->handle));
  } else if (node->kind == PUBLINK) {
    CHECK_OK(gkit_publink_new(flow_world.context, &node->handle));
  } else {
    node->has_last = true;
    node->last = initial.as.integer;
    CHECK_OK(gkit_variable_new(flow_world.context, &initial, &node->handle));
  }
}

static void derive(void) {
  int first = flow_pick_node(flow_is_mergeable), second = flow_pick_node(flow_is_mergeable);
  if (first == NONE || flow.node_count == NODES)
    return;
  node *node = new_node(second == NONE || second == first || flow_pick(2) ? TRANSFORM : MERGE);
  node->parents[0] = first;
  if (node->kind == TRANSFORM) {
    CHECK_OK(gkit_stream_transform(flow.nodes[first].handle, transform, NULL, NULL, &node->handle));
    return;
  }
  node->parents[1] = second;
  gkit_stream *inputs[] = {flow.nodes[first].handle, flow.nodes[second].handle};
  CHECK_OK(gkit_stream_combine(inputs, 2, "merge", &node->handle));
}

static void make_box(void) {
  if (flow.box_count == BOXES || flow.node_count == NODES)
    return;
  box *box = &flow.boxes[flow.box_count];
  *box = (struct box){.port = flow.node_count, .wire = NONE};
  new_node(PORT)->box = flow.box_count;
  CHECK_OK(gkit_patch_new(flow_world.context, NULL, NULL, &box->handle));
  CHECK_OK(gkit_patch_add_input(box->handle, "in", "int", on_input, box, on_box_destroyed));
  CHECK_OK(gkit_patch_add_output(box->handle, "out", "int"));
  flow.box_count++;
}

static void open_port(void) {
  int index = flow_pick_box();
  if (index == NONE || flow.nodes[flow.boxes[index].port].handle)
    return;
  node *node = &flow.nodes[flow.boxes[index].port];
  CHECK_OK(gkit_patch_port(flow.boxes[index].handle, "out", true, &node->handle));
}

/* Sending. */

static void send(void) {
  int to = flow_pick_node(flow_is_sendable);
  gkit_value value = gkit_value_int(flow_pick(30));
  if (to == NONE)
    return;
  model_send(to, value.as.integer);
  CHECK_OK(gkit_stream_send(flow.nodes[to].handle, &value));
}

static void set_or_publish(void) {
  int index = flow_pick_box();
  gkit_value value = gkit_value_int(flow_pick(30));
  if (index == NONE)
    return;
  box *box = &flow.boxes[index];
  if (flow_pick(2)) {
    model_set(index, value.as.integer);
    CHECK_OK(gkit_patch_set_value(box->handle, "in", &value));
  } else {
    model_send(box->port, value.as.integer);
    CHECK_OK(gkit_patch_publish(box->handle, "out", &value));
  }
}

void flow_call(void) {
  static void (*const calls[])(void) = {
      make_stream,
      make_stream,
      derive,
      make_box,
      make_box,
      open_port,
      send,
      send,
      send,
      set_or_publish,
      flow_listen,
      flow_listen,
      flow_listen,
      flow_wire,
      flow_wire,
      flow_unwire,
      flow_unsubscribe,
      flow_end_listening,
      flow_release_box,
      set_or_publish,
      flow_release_stream,
      flow_enter_or_leave_graph,
      flow_wrong_call,
      flow_wrong_call,
  };
  calls[flow_pick(sizeof calls / sizeof *calls)]();
}
