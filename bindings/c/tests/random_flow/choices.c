#include "choices.h"

static uint64_t state;

void flow_seed(uint64_t seed) { state = seed; }

uint32_t flow_pick(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % below;
}

/* Choices: an index, or NONE. */

int flow_pick_node(bool (*is_meant)(const node *)) {
  for (int tries = 0; flow.node_count && tries < 8; tries++) {
    int index = (int)flow_pick((uint32_t)flow.node_count);
    if (flow.nodes[index].handle && is_meant(&flow.nodes[index]))
      return index;
  }
  return NONE;
}

bool flow_is_any(const node *node) { return node != NULL; }
bool flow_is_sendable(const node *node) { return node->kind <= PORT; }
bool flow_is_publink(const node *node) { return node->kind == PUBLINK; }
bool flow_is_mergeable(const node *node) { return node->kind != MERGE; }

int flow_pick_box(void) {
  for (int tries = 0; flow.box_count && tries < 8; tries++) {
    int index = (int)flow_pick((uint32_t)flow.box_count);
    if (flow.boxes[index].handle)
      return index;
  }
  return NONE;
}
