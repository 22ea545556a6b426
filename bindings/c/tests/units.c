/* V2, R12: converting between UCUM codes. */
#include "check.h"
#include <math.h>

static double convert(double value, const char *from, const char *to) {
  double out = -12345;
  CHECK_OK(gkit_unit_convert(value, from, to, &out));
  return out;
}

static void conversions(void) {
  CHECK_NEAR(convert(50, "uT", "T"), 50e-6);
  CHECK_NEAR(convert(0.5, "G", "uT"), 50);
  CHECK_NEAR(convert(21.5, "Cel", "K"), 294.65);
  CHECK_NEAR(convert(0, "K", "Cel"), -273.15);
  CHECK_NEAR(convert(212, "[degF]", "Cel"), 100);
  CHECK_NEAR(convert(1, "[g]", "m/s2"), 9.80665);
  CHECK_NEAR(convert(101325, "Pa", "hPa"), 1013.25);
  CHECK_NEAR(convert(1, "bar", "kPa"), 100);
  CHECK_NEAR(convert(1048576, "By", "MiBy"), 1);
  CHECK_NEAR(convert(1, "kBy", "bit"), 8000);
  CHECK_NEAR(convert(50, "%", "1"), 0.5);
  CHECK_NEAR(convert(180, "deg", "rad"), 3.14159265358979323846);
  CHECK_NEAR(convert(1, "W.h", "J"), 3600);
  CHECK_NEAR(convert(36, "km/h", "m/s"), 10);
  CHECK_NEAR(convert(1, "d", "min"), 1440);
  CHECK_NEAR(convert(1, "m/s2", "m.s-2"), 1);
  CHECK_NEAR(convert(2500, "mV", "V"), 2.5);
  CHECK_NEAR(convert(7, "lx", "lx"), 7);
}

/* The only step across dimensions. */
static void angular_rate_to_frequency(void) {
  CHECK_NEAR(convert(2 * 3.14159265358979323846, "rad/s", "Hz"), 1);
  CHECK_NEAR(convert(360, "deg/s", "Hz"), 1);
}

static void refused(void) {
  static const char *const wrong[][2] = {
      {"m", "s"},  {"", "m"},   {"m", ""},    {"parsec", "m"}, {"m/", "m"},
      {"[g", "m"}, {"J", "W"},  {"%", "Cel"}, {"kCel2", "K"},  {"\xFF", "m"},
      {"m", NULL}, {NULL, "m"}, {"1", "m"},   {"m2", "m"},     {"{px}", "{pt}"},
  };
  double out = 42;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    CHECK_INVALID(gkit_unit_convert(1, wrong[i][0], wrong[i][1], &out));
  CHECK_INVALID(gkit_unit_convert(NAN, "m", "km", &out));
  CHECK_INVALID(gkit_unit_convert(INFINITY, "m", "km", &out));
  CHECK_INVALID(gkit_unit_convert(1, "m", "km", NULL));
  CHECK_NEAR(out, 42);
}

int main(void) {
  RUN(conversions);
  RUN(angular_rate_to_frequency);
  RUN(refused);
  return check_report();
}
