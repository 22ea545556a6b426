/* What the calls are made with, by chance. */
#ifndef RANDOM_FLOW_CHOICES_H
#define RANDOM_FLOW_CHOICES_H

#include "model.h"

void flow_seed(uint64_t seed);
uint32_t flow_pick(uint32_t below);

/* The index of a node whose handle the host holds, or NONE. */
int flow_pick_node(bool (*is_meant)(const node *));
bool flow_is_any(const node *node);
bool flow_is_sendable(const node *node);
bool flow_is_publink(const node *node);
bool flow_is_mergeable(const node *node);
/* The index of a box whose handle the host holds, or NONE. */
int flow_pick_box(void);

#endif
