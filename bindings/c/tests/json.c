/* R11: values as JSON and back. */
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static gkit_status parse(const char *text, gkit_value *out) {
  *out = gkit_value_none();
  return gkit_value_from_json(text, strlen(text), out);
}

/* Text -> value -> text gives the same text. */
static void round_trip(const char *text) {
  gkit_value value;
  if (CHECK_OK(parse(text, &value))) {
    char *written = gkit_value_to_json(&value);
    CHECK_TEXT(written, text);
    gkit_free(written);
  }
  gkit_value_clear(&value);
}

static void round_trips(void) {
  round_trip("null");
  round_trip("true");
  round_trip("-9223372036854775808");
  round_trip("9223372036854775807");
  round_trip("0.1");
  round_trip("[]");
  round_trip("{}");
  round_trip("[1,[2,{}],\"three\"]");
  round_trip("{\"b\":1,\"a\":[]}");
  round_trip("\"quote \\\" backslash \\\\ gr\xC3\xBCn\"");
  round_trip("{\"time_ns\":1700000000000000000}");
}

static uint32_t type_of(const char *text) {
  gkit_value value;
  uint32_t type = UINT32_MAX;
  if (CHECK_OK(parse(text, &value)))
    type = value.type;
  gkit_value_clear(&value);
  return type;
}

static void types(void) {
  CHECK_INT(type_of("1"), GKIT_TYPE_INT);
  CHECK_INT(type_of("1.0"), GKIT_TYPE_DOUBLE);
  CHECK_INT(type_of("1e2"), GKIT_TYPE_DOUBLE);
  CHECK_INT(type_of("9223372036854775808"), GKIT_TYPE_DOUBLE);
  CHECK_INT(type_of("[]"), GKIT_TYPE_LIST);
  CHECK_INT(type_of("{}"), GKIT_TYPE_DICT);
  CHECK_INT(type_of("{\"vector\":[1,2,3]}"), GKIT_TYPE_VECTOR);
  CHECK_INT(type_of("{\"bytes\":\"AQID\"}"), GKIT_TYPE_BYTES);
  CHECK_INT(type_of("{\"time_ns\":5}"), GKIT_TYPE_TIME);
  CHECK_INT(type_of(" \t\r\n null "), GKIT_TYPE_NONE);
}

static void payloads(void) {
  gkit_value value;
  if (CHECK_OK(parse("{\"vector\":[1,2.5,-3]}", &value))) {
    CHECK_INT(value.count, 3);
    CHECK_NEAR(value.as.vector[1], 2.5);
  }
  gkit_value_clear(&value);
  if (CHECK_OK(parse("\"\\u00fc\\ud83d\\ude00\"", &value))) {
    CHECK_INT(value.count, 6);
    CHECK_TEXT(value.as.string, "\xC3\xBC\xF0\x9F\x98\x80");
  }
  gkit_value_clear(&value);
  if (CHECK_OK(gkit_value_from_json("12345", 2, &value)))
    CHECK_INT(value.as.integer, 12);
  gkit_value_clear(&value);
}

/* R8: the message begins with the byte. */
static void malformed(void) {
  static const char *const texts[] = {
      "",      "  ",          "nul",       "[1,]",    "{\"a\"}",  "{\"a\":1,\"a\":2}",
      "1 2",   "'a'",         "\"a",       "\"\\x\"", "\"\n\"",   "01",
      "-",     "1.",          ".5",        "+1",      "NaN",      "Infinity",
      "[1",    "\"\\ud800\"", "{\"a\":1",  "{a:1}",   "\"\xFF\"", "\xC3",
      "[1 2]", "tru",         "\"\\u12\"", "//x",     "1e",       "{\"a\":}",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    gkit_value value;
    if (!CHECK_STATUS(parse(texts[i], &value), GKIT_ERROR_PARSE))
      continue;
    CHECK_BEGINS(gkit_last_error()->message, "byte ");
    CHECK_INT(value.type, GKIT_TYPE_NONE);
  }
}

/* Nesting over 128: LIMIT, however deep. */
static void nesting(void) {
  enum { DEEP = 100000 };
  char *text = malloc(2 * DEEP + 1);
  gkit_value value = gkit_value_none();
  if (!CHECK(text != NULL))
    return;
  memset(text, '[', 128);
  memset(text + 128, ']', 128);
  CHECK_OK(gkit_value_from_json(text, 256, &value));
  gkit_value_clear(&value);
  memset(text, '[', 129);
  memset(text + 129, ']', 129);
  CHECK_STATUS(gkit_value_from_json(text, 258, &value), GKIT_ERROR_LIMIT);
  memset(text, '[', DEEP);
  memset(text + DEEP, ']', DEEP);
  CHECK_STATUS(gkit_value_from_json(text, 2 * DEEP, &value), GKIT_ERROR_LIMIT);
  free(text);
}

/* NaN cannot be written, wherever it is. */
static void no_words_for_nan(void) {
  gkit_dict *list = gkit_list_new();
  gkit_value value = gkit_value_double(NAN);
  CHECK(gkit_value_to_json(&value) == NULL);
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_TYPE);
  CHECK_OK(gkit_dict_set(list, NULL, &value));
  value = gkit_value_list(list);
  CHECK(gkit_value_to_json(&value) == NULL);
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_TYPE);
  value = gkit_value_double(INFINITY);
  CHECK(gkit_value_to_json(&value) == NULL);
  CHECK(gkit_value_to_json(NULL) == NULL);
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_INVALID_ARGUMENT);
  gkit_release(list);
}

/* Any bytes at all: an answer, never a crash. */
static void noise(void) {
  static const char alphabet[] = "{}[]\":,0123456789.eE+-\\utrfn \xC3\xBC\x80";
  uint32_t state = 12345;
  char text[24];
  for (int round = 0; round < 20000; round++) {
    size_t length = 0;
    gkit_value value = gkit_value_none();
    for (; length < sizeof text; length++) {
      state = state * 1664525u + 1013904223u;
      text[length] = alphabet[(state >> 16) % (sizeof alphabet - 1)];
    }
    gkit_status status = gkit_value_from_json(text, (state >> 8) % sizeof text, &value);
    if (status != GKIT_OK && status != GKIT_ERROR_PARSE)
      CHECK_STATUS(status, GKIT_ERROR_PARSE);
    gkit_value_clear(&value);
  }
}

int main(void) {
  RUN(round_trips);
  RUN(types);
  RUN(payloads);
  RUN(malformed);
  RUN(nesting);
  RUN(no_words_for_nan);
  RUN(noise);
  return check_report();
}
