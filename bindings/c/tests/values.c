/* Values: making, copying, writing for people. */
#include "check.h"
#include <math.h>
#include <string.h>

static const char *format(gkit_value value, const char *unit) {
  static char text[256];
  size_t length = gkit_value_format(&value, unit, text, sizeof text);
  CHECK_INT(length, strlen(text));
  return text;
}

/* R10 */
static void formats(void) {
  const double vector[3] = {1.5, -2.5, 1e-3};
  const unsigned char bytes[] = {0, 15, 255};
  CHECK_TEXT(format(gkit_value_none(), NULL), "\xE2\x80\x93");
  CHECK_TEXT(format(gkit_value_bool(true), NULL), "true");
  CHECK_TEXT(format(gkit_value_bool(false), NULL), "false");
  CHECK_TEXT(format(gkit_value_int(-9007199254740993), NULL), "-9007199254740993");
  CHECK_TEXT(format(gkit_value_int(INT64_MIN), NULL), "-9223372036854775808");
  CHECK_TEXT(format(gkit_value_double(0.1), NULL), "0.1");
  CHECK_TEXT(format(gkit_value_double(NAN), NULL), "nan");
  CHECK_TEXT(format(gkit_value_double(21.5), "Cel"), "21.5 Cel");
  CHECK_TEXT(format(gkit_value_double(0.5), "1"), "0.5");
  CHECK_TEXT(format(gkit_value_int(4096), "By"), "4096 By");
  CHECK_TEXT(format(gkit_value_vector(vector, 3), "m/s2"), "(1.5, -2.5, 0.001) m/s2");
  CHECK_TEXT(format(gkit_value_string("gr\xC3\xBCn"), "By"), "gr\xC3\xBCn");
  CHECK_TEXT(format(gkit_value_string("a\nb"), NULL), "a\xEF\xBF\xBD"
                                                      "b");
  CHECK_TEXT(format(gkit_value_bytes(bytes, 3), NULL), "000fff");
  CHECK_TEXT(format(gkit_value_time(0), NULL), "1970-01-01T00:00:00Z");
  CHECK_TEXT(format(gkit_value_time(INT64_C(1700000000500000000)), NULL), "2023-11-14T22:13:20.5Z");
}

/* As snprintf: what fits, a NUL, and the whole length. */
static void short_buffers(void) {
  gkit_value value = gkit_value_string("abcdef");
  char text[8] = "zzzzzzz";
  CHECK_INT(gkit_value_format(&value, NULL, NULL, 0), 6);
  CHECK_INT(gkit_value_format(&value, NULL, text, 1), 6);
  CHECK_TEXT(text, "");
  CHECK_INT(gkit_value_format(&value, NULL, text, 4), 6);
  CHECK_TEXT(text, "abc");
  CHECK_INT(text[4], 'z');
  CHECK_INT(gkit_value_format(&value, NULL, text, 7), 6);
  CHECK_TEXT(text, "abcdef");
}

/* What claims to be a value and is not. */
static void impossible_values(void) {
  gkit_value value = gkit_value_none(), out = gkit_value_none();
  value.type = 10;
  CHECK(gkit_value_copy(&value, &out) < 0);
  value.type = UINT32_MAX;
  CHECK(gkit_value_copy(&value, &out) < 0);
  CHECK(gkit_value_to_json(&value) == NULL);
  value = gkit_value_none();
  value.type = GKIT_TYPE_VECTOR;
  for (value.count = 0; value.count < 2; value.count++)
    CHECK(gkit_value_copy(&value, &out) < 0);
  value.count = 5;
  CHECK(gkit_value_copy(&value, &out) < 0);
  CHECK_INVALID(gkit_value_copy(NULL, &out));
  CHECK_INVALID(gkit_value_copy(&value, NULL));
  value = gkit_value_string("\xFF");
  CHECK_INVALID(gkit_value_copy(&value, &out));
  value = gkit_value_dict(NULL);
  CHECK_INVALID(gkit_value_copy(&value, &out));
  value = gkit_value_bytes(NULL, 3);
  CHECK_INVALID(gkit_value_copy(&value, &out));
  value = gkit_value_list((gkit_dict *)(uintptr_t)0x1234);
  CHECK_INVALID(gkit_value_copy(&value, &out));
}

/* A copy outlives what it was made from; clearing twice is fine. */
static void copies(void) {
  char text[] = "level";
  gkit_value value = gkit_value_string(text), copy = gkit_value_none();
  if (CHECK_OK(gkit_value_copy(&value, &copy))) {
    text[0] = 'L';
    CHECK_INT(copy.type, GKIT_TYPE_STRING);
    CHECK_INT(copy.count, 5);
    CHECK_TEXT(copy.as.string, "level");
  }
  gkit_value_clear(&copy);
  CHECK_INT(copy.type, GKIT_TYPE_NONE);
  gkit_value_clear(&copy);
  gkit_value_clear(NULL);

  const unsigned char bytes[4] = {0, 1, 0, 2};
  value = gkit_value_bytes(bytes, 4);
  if (CHECK_OK(gkit_value_copy(&value, &copy)))
    CHECK(copy.count == 4 && copy.as.bytes != bytes && memcmp(copy.as.bytes, bytes, 4) == 0);
  gkit_value_clear(&copy);
}

/* Containers are copied deeply. */
static void deep_copies(void) {
  gkit_dict *dict = gkit_dict_new();
  gkit_value one = gkit_value_int(1), two = gkit_value_int(2), copy = gkit_value_none(), found;
  gkit_value value = gkit_value_dict(dict);
  CHECK_OK(gkit_dict_set(dict, "a", &one));
  CHECK_OK(gkit_value_copy(&value, &copy));
  CHECK_OK(gkit_dict_set(dict, "a", &two));
  gkit_release(dict);
  if (CHECK_INT(copy.type, GKIT_TYPE_DICT) && CHECK_OK(gkit_dict_get(copy.as.dict, "a", &found)))
    CHECK_INT(found.as.integer, 1);
  gkit_value_clear(&copy);
}

int main(void) {
  RUN(formats);
  RUN(short_buffers);
  RUN(impossible_values);
  RUN(copies);
  RUN(deep_copies);
  return check_report();
}
