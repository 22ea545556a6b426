#include "motion.h"
#include <math.h>
#include <string.h>

static const double standard_gravity = 9.80665;  // m/s^2
static const double field[3] = {0.22, 0, -0.42}; // gauss: north is +x, the dip is 62 degrees
static const char *const names[] = {"still", "sine", "swing", "spin", "count", "set"};

const char *motion_name(enum motion motion) { return names[motion]; }

int motion_named(const char *name, enum motion *found) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]))
      continue;
    *found = (enum motion)i;
    return 1;
  }
  return 0;
}

static void rest(enum quantity quantity, double v[4]) {
  memset(v, 0, 4 * sizeof *v);
  switch (quantity) {
  case ACCELERATION:
  case GRAVITY:
    v[2] = standard_gravity;
    break;
  case MAGNETIC_FIELD:
    memcpy(v, field, sizeof field);
    break;
  case ORIENTATION:
    v[3] = 1;
    break;
  case LIGHT:
    v[0] = 300;
    break;
  case PRESSURE:
    v[0] = 101325;
    break;
  case TEMPERATURE:
    v[0] = 21.5;
    break;
  case HUMIDITY:
    v[0] = 45;
    break;
  default:
    break;
  }
}

static void add(double v[4], double x, double y, double z) {
  v[0] += x;
  v[1] += y;
  v[2] += z;
}

static void sine(enum quantity quantity, double a, double phase, double v[4]) {
  const double s = a * sin(phase), c = a * cos(phase);
  rest(quantity, v);
  switch (quantity) {
  case ACCELERATION:
    add(v, s, 0.5 * c, 2 * s);
    break;
  case ROTATION_RATE:
    add(v, 0.5 * s, 0.25 * c, -0.125 * s);
    break;
  case MAGNETIC_FIELD:
    add(v, 0.05 * s, 0.05 * c, 0.02 * s);
    break;
  case INCLINATION:
    add(v, 0.3 * s, 0.2 * c, 0.1 * s);
    break;
  case ORIENTATION:
    v[2] = sin(0.25 * s);
    v[3] = cos(0.25 * s);
    break;
  case LIGHT:
    v[0] += 200 * s;
    break;
  case PRESSURE:
    v[0] += 50 * s;
    break;
  case TEMPERATURE:
    v[0] += 1.5 * s;
    break;
  case HUMIDITY:
    v[0] += 10 * s;
    break;
  case PRESENCE:
    v[0] = a > 0 && s >= 0;
    break;
  default:
    break;
  }
}

// A turn about x by `angle`, at `rate` radians a second.
static void about_x(enum quantity quantity, double angle, double rate, double v[4]) {
  const double s = sin(angle), c = cos(angle);
  rest(quantity, v);
  switch (quantity) {
  case ACCELERATION:
  case GRAVITY:
    v[1] = standard_gravity * s;
    v[2] = standard_gravity * c;
    break;
  case ROTATION_RATE:
    v[0] = rate;
    break;
  case MAGNETIC_FIELD:
    v[1] = field[1] * c + field[2] * s;
    v[2] = -field[1] * s + field[2] * c;
    break;
  case INCLINATION:
    v[0] = angle;
    break;
  case ORIENTATION:
    v[0] = sin(angle / 2);
    v[3] = cos(angle / 2);
    break;
  default:
    break;
  }
}

// A turn about z by `angle`, at `rate` radians a second.
static void about_z(enum quantity quantity, double angle, double rate, double v[4]) {
  const double s = sin(angle), c = cos(angle);
  rest(quantity, v);
  switch (quantity) {
  case ROTATION_RATE:
    v[2] = rate;
    break;
  case MAGNETIC_FIELD:
    v[0] = field[0] * c + field[1] * s;
    v[1] = -field[0] * s + field[1] * c;
    break;
  case INCLINATION:
    v[2] = remainder(angle, 2 * M_PI);
    break;
  case ORIENTATION:
    v[2] = sin(angle / 2);
    v[3] = cos(angle / 2);
    break;
  default:
    break;
  }
}

void truth(const struct kind *kind, const struct movement *movement, double seconds,
           uint64_t number, double values[4]) {
  const double w = 2 * M_PI * movement->frequency, a = movement->amplitude, phase = w * seconds;
  switch (movement->motion) {
  case STILL:
    rest(kind->quantity, values);
    break;
  case SINE:
    sine(kind->quantity, a, phase, values);
    break;
  case SWING:
    about_x(kind->quantity, 0.5 * a * sin(phase), 0.5 * a * w * cos(phase), values);
    break;
  case SPIN:
    about_z(kind->quantity, phase, w, values);
    break;
  case COUNT:
    for (int i = 0; i < 4; i++)
      values[i] = (double)(number & 0x7fffffff) * kind->step;
    break;
  case SET:
    memcpy(values, movement->set, 4 * sizeof *values);
    break;
  }
}
