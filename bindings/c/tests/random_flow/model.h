/* What streams and patches should do, as counts: who hears how often what, and who still lives.
 *
 * Numbers flow along nodes (streams) and boxes (patches of one input and one output). Whatever is
 * made stays in these tables until the end of a round; only handles and connections go. */
#ifndef RANDOM_FLOW_MODEL_H
#define RANDOM_FLOW_MODEL_H

#include <gatheredkit.h>

enum { NODES = 40, BOXES = 10, LISTENERS = 60, NONE = -1 };

/* A box passes on what is less than this, raised by one: so every circle ends. */
enum { CAP = 40 };

typedef enum node_kind { SIGNAL, VARIABLE, PUBLINK, PORT, TRANSFORM, MERGE } node_kind;

typedef struct node {
  node_kind kind;
  /* NULL when the host has let go, or never asked for the stream of the port. */
  gkit_stream *handle;
  /* What a derived stream is made of; of a port the box, in `box`. */
  int parents[2], box;
  bool has_last;
  int64_t last;
  /* What it holds is not known: calls from inside callbacks changed it, and it has no handle. */
  bool is_guess;
} node;

/* What reached a function, and what should have. */
typedef struct tally {
  int64_t calls;
  /* Of all numbers, so that two orders of them differ. */
  uint64_t order;
} tally;

typedef struct listener {
  int node;
  /* NULL for a named one. */
  gkit_connection *connection;
  const char *name;
  bool is_open;
  int destroyed;
  tally heard, expected;
} listener;

typedef struct box {
  gkit_patch *handle;
  int port, wire;
  bool is_feedback, is_in_graph, is_dead;
  int destroyed;
  tally heard, expected;
} box;

typedef struct model {
  node nodes[NODES];
  box boxes[BOXES];
  listener listeners[LISTENERS];
  int node_count, box_count, listener_count;
  gkit_patch *graph;
  /* Calls from inside callbacks, or a guess, made the counts of this step unforeseeable. */
  bool is_unforeseen;
} model;

extern model flow;

/* What a transform does with a number: whether it passes, and as what. */
bool model_transform(int64_t number, int64_t *out);
/* One more number reached a function, or should have. */
void model_count(tally *tally, int64_t number);
/* A value is sent on a node; set on a box's input; or greets a newcomer. */
void model_send(int node, int64_t number);
void model_set(int box, int64_t number);
void model_greet_listener(int listener);
void model_greet_box(int box);
/* A box is wired to a node; a box is taken out of the graph. */
void model_wire(int box, int node);
void model_leave_graph(int box);
/* Notes which boxes are gone, after every change of who holds what. */
void model_bury(void);
/* Whether everything is as expected; what was unforeseen is taken for right. */
bool model_agrees(void);

#endif
