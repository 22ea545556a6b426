/* Random calls on streams and patches, each told to the model first. */
#ifndef RANDOM_FLOW_CALLS_H
#define RANDOM_FLOW_CALLS_H

#include "../sim.h"
#include "model.h"

/* The world the calls are made in. */
extern sim flow_world;

/* One call, right or wrong, of any kind. */
void flow_call(void);
/* Now and then, from inside a callback, one more. */
void flow_act_inside(void);
/* A call that must be refused and change nothing. */
void flow_wrong_call(void);
/* Lets go of everything, in random order. */
void flow_release_all(void);

#endif
