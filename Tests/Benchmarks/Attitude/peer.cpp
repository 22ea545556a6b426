#include "vqf.hpp"

extern "C" {
#include "attitude.h"
}

static VQF level(0.001), full(0.001);

extern "C" void attitude_6d_peer(void *data) {
  motion *samples = static_cast<motion *>(data);
  for (int i = 0; i < MOTION_SAMPLES; i++) {
    level.update(samples->rates + 3 * i, samples->accelerations + 3 * i);
    level.getQuat6D(samples->attitude);
  }
}

extern "C" void attitude_9d_peer(void *data) {
  motion *samples = static_cast<motion *>(data);
  for (int i = 0; i < MOTION_SAMPLES; i++) {
    full.update(samples->rates + 3 * i, samples->accelerations + 3 * i, samples->fields + 3 * i);
    full.getQuat9D(samples->attitude);
  }
}
