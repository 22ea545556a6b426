/* The attitude filters that `attitude` compares: each takes a second of motion. */
#ifndef ATTITUDE_H
#define ATTITUDE_H

enum { MOTION_SAMPLES = 1000 };

/** Rates of turn, accelerations and magnetic fields of one second, three numbers a sample. */
typedef struct motion {
  double rates[3 * MOTION_SAMPLES], accelerations[3 * MOTION_SAMPLES], fields[3 * MOTION_SAMPLES];
  /** The last attitude a filter has found, w first. */
  double attitude[4];
} motion;

/** Ours; without and with a magnetometer. */
void attitude_6d(void *motion);
void attitude_9d(void *motion);
/** The authors' C++ code. */
void attitude_6d_peer(void *motion);
void attitude_9d_peer(void *motion);

#endif
