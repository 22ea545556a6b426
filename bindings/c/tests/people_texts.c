/* Values as texts for people, and exactly: C API R24, sources V15. */
#include "check.h"
#include <math.h>
#include <string.h>

static const char *text_of(const gkit_property_info *property, gkit_value value, uint32_t style) {
  static char text[512];
  size_t length = gkit_property_format(property, &value, style, text, sizeof text);
  CHECK_INT(length, strlen(text));
  return text;
}

static const char *in_unit(const char *unit, gkit_value value) {
  gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
  property.unit = unit;
  return text_of(&property, value, GKIT_STYLE_PEOPLE);
}

static void units(void) {
  CHECK_TEXT(in_unit("By", gkit_value_int(INT64_C(23730000000))), "22.1 GiB");
  CHECK_TEXT(in_unit("J", gkit_value_double(129600)), "36 Wh");
  CHECK_TEXT(in_unit("dB{mW}", gkit_value_int(-64)), "-64 dBm");
  CHECK_TEXT(in_unit("{px}", gkit_value_int(720)), "720 px");
  CHECK_TEXT(in_unit("Cel", gkit_value_double(31.5)), "31.5 \xC2\xB0"
                                                      "C");
  CHECK_TEXT(in_unit("s", gkit_value_int(273600)), "3 d 4 h");
  CHECK_TEXT(in_unit("%", gkit_value_double(72.0001)), "72 %");
  CHECK_TEXT(in_unit("1", gkit_value_double(0.5)), "0.5");
  CHECK_TEXT(in_unit("nonsense", gkit_value_double(1)), "1 nonsense");
  CHECK_TEXT(in_unit("", gkit_value_double(1)), "1");
  CHECK_TEXT(in_unit(NULL, gkit_value_double(1)), "1");
  CHECK_TEXT(text_of(NULL, gkit_value_double(0.123456), GKIT_STYLE_PEOPLE), "0.1235");
}

/* What a property says beside its unit. */
static void properties(void) {
  gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
  property.unit = "1";
  property.maximum = 1;
  CHECK_TEXT(text_of(&property, gkit_value_double(0.83021), GKIT_STYLE_PEOPLE), "83 %");
  CHECK_TEXT(text_of(&property, gkit_value_double(0.83021), GKIT_STYLE_MACHINE), "0.83021");
  CHECK_TEXT(text_of(&property, gkit_value_int(1), GKIT_STYLE_PEOPLE), "100 %");
  property.type = GKIT_TYPE_INT;
  CHECK_TEXT(text_of(&property, gkit_value_int(1), GKIT_STYLE_PEOPLE), "1");
  property.type = GKIT_TYPE_DOUBLE;
  property.maximum = INFINITY;
  CHECK_TEXT(text_of(&property, gkit_value_double(0.83), GKIT_STYLE_PEOPLE), "0.83");
  property.flags = GKIT_PROPERTY_DERIVED;
  CHECK_TEXT(text_of(&property, gkit_value_double(1.05), GKIT_STYLE_PEOPLE), "105 %");
  property.unit = "J";
  property.flags = GKIT_PROPERTY_COUNTER;
  CHECK_TEXT(text_of(&property, gkit_value_double(129600), GKIT_STYLE_PEOPLE), "130 kJ");
  property.unit = "lx";
  property.resolution = 0.5;
  CHECK_TEXT(text_of(&property, gkit_value_double(1.2345), GKIT_STYLE_PEOPLE), "1.2 lx");
  property.resolution = NAN;
  property.minimum = NAN;
  CHECK_TEXT(text_of(&property, gkit_value_double(1.2345), GKIT_STYLE_PEOPLE), "1.235 lx");
  property.unit = "deg";
  property.key = "longitude";
  CHECK_TEXT(text_of(&property, gkit_value_double(11.5754321), GKIT_STYLE_PEOPLE),
             "11.575432\xC2\xB0");
}

/* The properties of a machine, as the library describes them. */
static void of_sources(void) {
  gkit_context *context = NULL;
  gkit_source *battery = NULL;
  int32_t level = -1;
  gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
  CHECK_OK(gkit_context_open("sim:laptop", NULL, &context));
  CHECK_OK(gkit_source_open(context, "battery", &battery));
  level = gkit_source_find_property(battery, "level");
  if (CHECK(level >= 0) &&
      CHECK_OK(gkit_source_get_property_info(battery, (uint32_t)level, &property)))
    CHECK_TEXT(text_of(&property, gkit_value_double(0.72000065), GKIT_STYLE_PEOPLE), "72 %");
  gkit_release(battery);
  gkit_release(context);
}

/* What has no number, and numbers that are none. */
static void other_values(void) {
  const double vector[3] = {0.1, -9.80665, NAN};
  CHECK_TEXT(in_unit("By", gkit_value_none()), "\xE2\x80\x93");
  CHECK_TEXT(in_unit("By", gkit_value_bool(true)), "yes");
  CHECK_TEXT(in_unit("By", gkit_value_string("a\nb")), "a\xEF\xBF\xBD"
                                                       "b");
  CHECK_TEXT(in_unit("s", gkit_value_time(INT64_C(1700000000500000000))),
             "2023-11-14 22:13:20 UTC");
  CHECK_TEXT(in_unit("By", gkit_value_double(NAN)), "nan B");
  CHECK_TEXT(in_unit("s", gkit_value_double(-INFINITY)), "-inf s");
  CHECK_TEXT(in_unit("rad", gkit_value_vector(vector, 3)), "(0.1, -9.807, nan) rad");
  CHECK_TEXT(in_unit("By", gkit_value_int(INT64_MIN)), "-8 EiB");
  CHECK_TEXT(text_of(NULL, gkit_value_int(INT64_MIN), GKIT_STYLE_PEOPLE), "-9223372036854775808");
}

/* As snprintf: what fits at whole characters, a NUL, and the whole length. */
static void short_buffers(void) {
  gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
  gkit_value value = gkit_value_double(31.5);
  char text[12];
  property.unit = "Cel";
  for (size_t capacity = 0; capacity <= 10; capacity++) {
    const size_t fits = capacity == 0 ? 0 : capacity - 1;
    memset(text, 'z', sizeof text);
    CHECK_INT(gkit_property_format(&property, &value, 0, capacity == 0 ? NULL : text, capacity), 8);
    CHECK_INT(text[capacity], 'z');
    if (capacity > 0)
      CHECK_INT(strlen(text), fits > 8 ? 8 : fits == 6 ? 5 : fits);
  }
}

static size_t refused(const gkit_property_info *property, const gkit_value *value, uint32_t style) {
  char text[8] = "zzzzzzz";
  size_t length = gkit_property_format(property, value, style, text, sizeof text);
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_INVALID_ARGUMENT);
  CHECK_TEXT(text, "");
  return length;
}

static void bad_arguments(void) {
  gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
  gkit_value value = gkit_value_int(1), wrong = gkit_value_int(1);
  wrong.type = 77;
  CHECK_INT(refused(NULL, NULL, GKIT_STYLE_PEOPLE), 0);
  CHECK_INT(refused(NULL, &value, 2), 0);
  CHECK_INT(refused(NULL, &value, UINT32_MAX), 0);
  CHECK_INT(gkit_property_format(NULL, &wrong, 0, NULL, 0), 0);
  CHECK_INT(gkit_property_format(NULL, &value, 0, NULL, 3), 0);
  property.unit = "\xFF";
  CHECK_INT(refused(&property, &value, GKIT_STYLE_PEOPLE), 0);
  property.unit = NULL;
  property.key = "\xFF";
  CHECK_INT(refused(&property, &value, GKIT_STYLE_PEOPLE), 0);
  property.key = NULL;
  property.struct_size -= 1;
  CHECK_INT(refused(&property, &value, GKIT_STYLE_PEOPLE), 0);
  property.struct_size = 0;
  CHECK_INT(refused(&property, &value, GKIT_STYLE_MACHINE), 0);
  property.struct_size = sizeof property + 8;
  CHECK_TEXT(text_of(&property, value, GKIT_STYLE_PEOPLE), "1");
}

int main(void) {
  RUN(units);
  RUN(properties);
  RUN(of_sources);
  RUN(other_values);
  RUN(short_buffers);
  RUN(bad_arguments);
  return check_report();
}
