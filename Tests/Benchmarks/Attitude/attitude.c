/* An attitude out of one sample of each sensor, beside the C++ code of the filter's authors. With
   an argument it prints our two figures only, for `sensors.py`. */
#include "attitude.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>

/** A body that is turned about all axes, without ever coming to rest. */
static void move(motion *motion) {
  for (int i = 0; i < MOTION_SAMPLES; i++) {
    double phase = 2 * 3.14159265358979 * i / MOTION_SAMPLES;
    double tilt = 0.3 * sin(phase), roll = 0.2 * cos(3 * phase);
    double rates[] = {1.9 * cos(phase), -3.8 * sin(3 * phase), 0.5 * sin(2 * phase)};
    double accelerations[] = {-9.81 * sin(roll), 9.81 * sin(tilt) + 0.3 * sin(20 * phase),
                              9.81 * cos(tilt) * cos(roll) + 0.8 * cos(17 * phase)};
    double fields[] = {48 * sin(roll) + 0.1 * sin(30 * phase), 20 * cos(tilt) - 48 * sin(tilt),
                       -44 * cos(tilt) * cos(roll)};
    for (int axis = 0; axis < 3; axis++) {
      motion->rates[3 * i + axis] = rates[axis];
      motion->accelerations[3 * i + axis] = accelerations[axis];
      motion->fields[3 * i + axis] = fields[axis];
    }
  }
}

int main(int count, char **arguments) {
  (void)arguments;
  static motion motion;
  move(&motion);
  work works[] = {{attitude_6d, &motion},
                  {attitude_9d, &motion},
                  {attitude_6d_peer, &motion},
                  {attitude_9d_peer, &motion}};
  double spent[4];
  measure(works, 4, spent);
  for (int i = 0; i < 4; i++)
    spent[i] /= MOTION_SAMPLES;
  if (count > 1) {
    printf("%g %g\n", spent[0], spent[1]);
    return 0;
  }
  row("attitude of one sample, 6D", spent[0], "ns", "VQF in C++", spent[2], "");
  row("attitude of one sample, 9D", spent[1], "ns", "VQF in C++", spent[3], "<= 200 ns");
  return 0;
}
