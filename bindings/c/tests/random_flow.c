/* Thousands of calls on streams and patches in a random order, from callbacks too, beside a model
 * of what should arrive where and who should live.
 *
 *   random_flow [SEED [STEPS]] */
#include "random_flow/calls.h"
#include "random_flow/choices.h"
#include "check.h"
#include <stdio.h>
#include <stdlib.h>

static long steps = 20000;

/* One round: a small world that grows by some calls, and is let go of in any order. */
static bool round_of(long calls) {
  int64_t streams = gkit_live_count("stream");
  bool is_same = true;
  flow = (model){.node_count = 0};
  CHECK_OK(gkit_patch_new(flow_world.context, "graph", NULL, &flow.graph));
  for (long i = 0; i < calls && is_same; i++) {
    flow_call();
    CHECK_OK(gkit_context_flush(flow_world.context, -1));
    model_bury();
    is_same = model_agrees();
  }
  flow_release_all();
  CHECK_OK(gkit_context_flush(flow_world.context, -1));
  for (int i = 0; i < flow.listener_count; i++)
    is_same &= CHECK_INT(flow.listeners[i].destroyed, 1);
  for (int i = 0; i < flow.box_count; i++)
    is_same &= CHECK_INT(flow.boxes[i].destroyed, 1);
  is_same &= CHECK_INT(gkit_live_count("stream"), streams);
  is_same &= CHECK_INT(gkit_live_count("connection"), 0);
  return is_same & CHECK_INT(gkit_live_count("patch"), 0);
}

static void random_flow(void) {
  if (!sim_open(&flow_world, MEMORY))
    return;
  bool is_same = true;
  for (long done = 0; done < steps && is_same;) {
    long calls = 20 + flow_pick(120);
    is_same = round_of(calls);
    done += calls;
  }
  sim_close(&flow_world);
}

int main(int argc, char **argv) {
  flow_seed(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
  if (argc > 2)
    steps = strtol(argv[2], NULL, 10);
  RUN(random_flow);
  printf("seed %s: ", argc > 1 ? argv[1] : "1");
  return check_report();
}
