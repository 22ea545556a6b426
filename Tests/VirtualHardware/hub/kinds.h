// The kinds of sensors the hub can have, as the HID usage tables (page 0x20) number them.
#ifndef KINDS_H
#define KINDS_H
#include <stddef.h>
#include <stdint.h>

enum quantity {
  ACCELERATION,
  GRAVITY,
  ROTATION_RATE,
  MAGNETIC_FIELD,
  INCLINATION,
  ORIENTATION,
  LIGHT,
  PRESSURE,
  PRESENCE,
  TEMPERATURE,
  HUMIDITY
};

struct kind {
  const char *name; // as the command line says it
  const char *iio;  // the name of the kernel's IIO device
  enum quantity quantity;
  uint32_t usage;        // of the sensor
  uint32_t data[4];      // of its data fields; a quaternion is one field of four numbers
  int count;             // numbers in a sample
  uint32_t unit;         // HID unit item
  int exponent;          // HID unit exponent
  double step;           // one raw count, in unit_name
  const char *unit_name; // what truth() and `set` speak
  int stamped;           // whether the kernel's driver reads time stamps from the report
};

extern const struct kind kinds[];
extern const size_t kind_count;

// NULL if there is none.
const struct kind *kind_named(const char *name);
#endif
