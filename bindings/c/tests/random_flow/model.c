#include "model.h"
#include "../check.h"

model flow;

bool model_transform(int64_t number, int64_t *out) {
  *out = number + 1;
  return number % 5 != 0;
}

void model_count(tally *tally, int64_t number) {
  tally->calls++;
  tally->order = tally->order * 31 + (uint64_t)number;
}

/* Deliveries: what a box publishes goes to the end of one queue (patches L31). */

static struct {
  int node;
  int64_t number;
} queue[NODES * LISTENERS];
static int queued;

static void enqueue(int index, int64_t number) {
  node *node = &flow.nodes[index];
  node->has_last = node->kind == VARIABLE || node->kind == PUBLINK || node->kind == PORT;
  node->last = number;
  node->is_guess = false;
  if (!CHECK(queued < (int)(sizeof queue / sizeof *queue)))
    return;
  queue[queued].node = index;
  queue[queued++].number = number;
}

static void receive(box *box, int64_t number) {
  /* Whom a call lets go of lives until it returns. */
  if (box->is_dead)
    return;
  model_count(&box->expected, number);
  if (number < CAP)
    enqueue(box->port, number + 1);
}

static void deliver(int index, int64_t number) {
  int64_t other;
  for (int i = 0; i < flow.listener_count; i++)
    if (flow.listeners[i].is_open && flow.listeners[i].node == index)
      model_count(&flow.listeners[i].expected, number);
  for (int i = 0; i < flow.node_count; i++) {
    node *derived = &flow.nodes[i];
    if (derived->kind == TRANSFORM && derived->parents[0] == index &&
        model_transform(number, &other))
      deliver(i, other);
    if (derived->kind == MERGE && (derived->parents[0] == index || derived->parents[1] == index))
      deliver(i, number);
  }
  for (int i = 0; i < flow.box_count; i++)
    if (flow.boxes[i].wire == index)
      receive(&flow.boxes[i], number);
}

static void drain(void) {
  for (int next = 0; next < queued; next++)
    deliver(queue[next].node, queue[next].number);
  queued = 0;
}

/* From inside callbacks things go another way, which the model does not foresee. */
void model_send(int index, int64_t number) {
  enqueue(index, number);
  drain();
}

void model_set(int index, int64_t number) {
  receive(&flow.boxes[index], number);
  drain();
}

/* The one value a node other than a merge greets with. */
static bool greeting(int index, int64_t *out) {
  node *node = &flow.nodes[index];
  int64_t inner;
  if (node->kind == TRANSFORM)
    return greeting(node->parents[0], &inner) && model_transform(inner, out);
  flow.is_unforeseen |= node->is_guess;
  *out = node->last;
  return node->has_last;
}

void model_greet_listener(int index) {
  listener *listener = &flow.listeners[index];
  node *node = &flow.nodes[listener->node];
  int64_t number;
  if (node->kind != MERGE) {
    if (greeting(listener->node, &number))
      model_count(&listener->expected, number);
    return;
  }
  /* A merge is attached, and so greeted, for its first subscriber only. */
  for (int i = 0; i < flow.listener_count; i++)
    if (i != index && flow.listeners[i].is_open && flow.listeners[i].node == listener->node)
      return;
  for (int i = 0; i < 2; i++)
    if (greeting(node->parents[i], &number))
      model_count(&listener->expected, number);
}

void model_greet_box(int index) {
  int64_t number;
  if (greeting(flow.boxes[index].wire, &number))
    model_set(index, number);
}

/* Who keeps whom. */

/* Whether a box keeps another by its wires, or is it: what makes a wire a feedback wire (L37). */
static bool keeps(int index, int other) {
  for (int steps = 0; index != NONE && steps <= flow.box_count; steps++) {
    box *box = &flow.boxes[index];
    if (index == other)
      return true;
    if (box->wire == NONE || box->is_feedback)
      return false;
    index = flow.nodes[box->wire].box;
  }
  return false;
}

void model_wire(int index, int to) {
  box *box = &flow.boxes[index];
  int upstream = flow.nodes[to].box;
  bool is_feedback = upstream != NONE && keeps(upstream, index);
  box->wire = to;
  box->is_feedback = is_feedback;
}

void model_leave_graph(int index) {
  for (int i = 0; i < flow.box_count; i++) {
    box *box = &flow.boxes[i];
    if (!box->is_in_graph || box->wire == NONE)
      continue;
    int upstream = flow.nodes[box->wire].box;
    if (upstream == NONE || !flow.boxes[upstream].is_in_graph)
      continue;
    if (i == index || upstream == index)
      box->wire = NONE;
  }
  flow.boxes[index].is_in_graph = false;
}

/* Whether the host holds a stream, a connection to it, or anything made of it (L39). */
static bool is_held(int index) {
  if (flow.nodes[index].handle)
    return true;
  for (int i = 0; i < flow.listener_count; i++)
    if (flow.listeners[i].is_open && flow.listeners[i].connection &&
        flow.listeners[i].node == index)
      return true;
  for (int i = 0; i < flow.node_count; i++)
    if ((flow.nodes[i].parents[0] == index || flow.nodes[i].parents[1] == index) && is_held(i))
      return true;
  return false;
}

static bool is_kept(int index, int depth) {
  box *box = &flow.boxes[index];
  if (box->is_dead)
    return false;
  if (box->handle || (box->is_in_graph && flow.graph) || is_held(box->port))
    return true;
  for (int i = 0; i < flow.box_count && depth < BOXES; i++)
    if (flow.boxes[i].wire == box->port && !flow.boxes[i].is_feedback && is_kept(i, depth + 1))
      return true;
  return false;
}

void model_bury(void) {
  bool alive[BOXES];
  for (int i = 0; i < flow.box_count; i++)
    alive[i] = is_kept(i, 0);
  for (int i = 0; i < flow.box_count; i++) {
    if (alive[i])
      continue;
    flow.boxes[i].is_dead = true;
    flow.boxes[i].wire = NONE;
  }
  /* Over a feedback wire the upstream may go first (L38). */
  for (int i = 0; i < flow.box_count; i++) {
    int wire = flow.boxes[i].wire;
    if (wire != NONE && flow.nodes[wire].box != NONE && flow.boxes[flow.nodes[wire].box].is_dead)
      flow.boxes[i].wire = NONE;
  }
}

/* Agreement. */

static bool same(tally *heard, tally *expected, bool has_order) {
  if (flow.is_unforeseen || !has_order)
    expected->order = heard->order;
  if (flow.is_unforeseen)
    *expected = *heard;
  return CHECK_INT(heard->calls, expected->calls) && CHECK_INT(heard->order, expected->order);
}

/* All subscriptions count: listeners, wires, and those of derived streams (streams 3). */
static int64_t subscribers(int index) {
  int64_t number = 0;
  for (int i = 0; i < flow.listener_count; i++)
    number += flow.listeners[i].is_open && flow.listeners[i].node == index;
  for (int i = 0; i < flow.box_count; i++)
    number += flow.boxes[i].wire == index;
  for (int i = 0; i < flow.node_count; i++) {
    node *derived = &flow.nodes[i];
    if (derived->kind == TRANSFORM && derived->parents[0] == index)
      number += subscribers(i);
    if (derived->kind == MERGE && (derived->parents[0] == index || derived->parents[1] == index))
      number += subscribers(i) > 0;
  }
  return number;
}

static bool node_agrees(int index) {
  node *node = &flow.nodes[index];
  gkit_sample sample;
  if (!node->handle) {
    node->is_guess |= flow.is_unforeseen &&
                      (node->kind == PUBLINK || node->kind == PORT || node->kind == VARIABLE);
    return true;
  }
  bool is_same = CHECK_INT(gkit_stream_subscriber_count(node->handle), subscribers(index));
  if (node->kind != PUBLINK && node->kind != PORT && node->kind != VARIABLE)
    return is_same & CHECK_STATUS(gkit_stream_get(node->handle, &sample), GKIT_ERROR_NOT_SUPPORTED);
  gkit_status status = gkit_stream_get(node->handle, &sample);
  if (flow.is_unforeseen || node->is_guess) {
    node->is_guess = false;
    node->has_last = status == GKIT_OK;
    node->last = node->has_last ? sample.value.as.integer : 0;
  }
  is_same &= CHECK_STATUS(status, node->has_last ? GKIT_OK : GKIT_ERROR_NO_DATA);
  return is_same & (!node->has_last || CHECK_INT(sample.value.as.integer, node->last));
}

bool model_agrees(void) {
  int64_t alive = flow.graph != NULL, connections = 0;
  bool is_same = true;
  for (int i = 0; i < flow.listener_count; i++) {
    listener *listener = &flow.listeners[i];
    /* In which order a merge hears of one input by two ways is not the model's business. */
    bool has_order = flow.nodes[listener->node].kind != MERGE;
    connections += listener->is_open && listener->connection;
    is_same &= same(&listener->heard, &listener->expected, has_order);
    /* A named one goes with its publink, too. */
    if (!listener->name || !listener->is_open)
      is_same &= CHECK_INT(listener->destroyed, !listener->is_open);
  }
  for (int i = 0; i < flow.box_count; i++) {
    alive += !flow.boxes[i].is_dead;
    is_same &= same(&flow.boxes[i].heard, &flow.boxes[i].expected, true);
    is_same &= CHECK_INT(flow.boxes[i].destroyed, flow.boxes[i].is_dead);
  }
  for (int i = 0; i < flow.node_count; i++)
    is_same &= node_agrees(i);
  flow.is_unforeseen = false;
  is_same &= CHECK_INT(gkit_live_count("connection"), connections);
  return is_same & CHECK_INT(gkit_live_count("patch"), alive);
}
