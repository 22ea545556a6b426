// How a virtual device moves: the one definition of what every sensor measures at every moment.
#ifndef MOTION_H
#define MOTION_H
#include "kinds.h"

enum motion { STILL, SINE, SWING, SPIN, COUNT, SET };

struct movement {
  enum motion motion;
  double frequency; // Hz
  double amplitude; // scales what SINE and SWING add
  double set[4];    // what SET holds
};

const char *motion_name(enum motion motion);

// Whether there is a motion of this name, which is then stored.
int motion_named(const char *name, enum motion *found);

// The true values at `seconds` after the hub's zero; `number` counts the samples of a stretch.
void truth(const struct kind *kind, const struct movement *movement, double seconds,
           uint64_t number, double values[4]);
#endif
