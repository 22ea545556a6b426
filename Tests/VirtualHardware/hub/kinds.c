#include "kinds.h"
#include <string.h>

#define ACCELERATION_FIELDS                                                                        \
  { 0x453, 0x454, 0x455 }
#define TURNS_OF(usage, name, iio)                                                                 \
  { name, iio, ORIENTATION, usage, {0x483}, 4, 0, -6, 1e-6, "quaternion x y z w", 1 }

const struct kind kinds[] = {
    {"accel", "accel_3d", ACCELERATION, 0x73, ACCELERATION_FIELDS, 3, 0x11e0, -6, 1e-6, "m/s^2", 1},
    {"gravity", "gravity", GRAVITY, 0x7b, ACCELERATION_FIELDS, 3, 0x11e0, -6, 1e-6, "m/s^2", 1},
    {"gyro",
     "gyro_3d",
     ROTATION_RATE,
     0x76,
     {0x457, 0x458, 0x459},
     3,
     0x12f0,
     -6,
     1e-6,
     "rad/s",
     1},
    {"magn",
     "magn_3d",
     MAGNETIC_FIELD,
     0x83,
     {0x485, 0x486, 0x487},
     3,
     0x01e1f000,
     -6,
     1e-6,
     "gauss",
     1},
    {"incl", "incli_3d", INCLINATION, 0x86, {0x47f, 0x480, 0x481}, 3, 0x12, -6, 1e-6, "rad", 1},
    TURNS_OF(0x8a, "rotation", "dev_rotation"),
    TURNS_OF(0x8e, "relrotation", "relative_orientation"),
    TURNS_OF(0xc1, "georotation", "geomagnetic_orientation"),
    {"als", "als", LIGHT, 0x41, {0x4d1}, 1, 0x01, -2, 1e-2, "lux", 1},
    {"press", "press", PRESSURE, 0x31, {0x431}, 1, 0xf1e1, -2, 1e-2, "Pa", 1},
    {"prox", "prox", PRESENCE, 0x11, {0x4b1}, 1, 0, 0, 1, "presence 0/1", 0},
    {"temp", "temperature", TEMPERATURE, 0x33, {0x434}, 1, 0, -2, 1e-2, "deg C", 0},
    {"humidity", "humidity", HUMIDITY, 0x32, {0x433}, 1, 0, -2, 1e-2, "%RH", 0},
};
const size_t kind_count = sizeof kinds / sizeof kinds[0];

const struct kind *kind_named(const char *name) {
  for (size_t i = 0; i < kind_count; i++)
    if (!strcmp(name, kinds[i].name))
      return &kinds[i];
  return NULL;
}
