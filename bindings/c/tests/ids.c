/* N1 to N4, R7, R8: the ids of sources and properties. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

/* A text of what an id was taken apart into; "-" where there is no such member. */
static const char *part(const gkit_dict *parts, const char *name) {
  gkit_value value;
  if (gkit_dict_get(parts, name, &value) < 0)
    return "-";
  return value.type == GKIT_TYPE_STRING ? value.as.string : "(not a text)";
}

static const char *item(const gkit_dict *parts, const char *name, size_t index) {
  gkit_value list, value;
  if (gkit_dict_get(parts, name, &list) < 0 || list.type != GKIT_TYPE_LIST ||
      gkit_dict_at(list.as.dict, index, NULL, &value) < 0 || value.type != GKIT_TYPE_STRING)
    return "-";
  return value.as.string;
}

static void a_bare_kind(void) {
  gkit_dict *parts = NULL;
  if (!CHECK_OK(gkit_id_parse("battery", &parts)))
    return;
  CHECK_TEXT(part(parts, "kind"), "battery");
  CHECK_TEXT(part(parts, "instance"), "-");
  CHECK_TEXT(part(parts, "device"), "-");
  CHECK_TEXT(part(parts, "path"), "-");
  CHECK_TEXT(part(parts, "parent"), "-");
  CHECK_TEXT(part(parts, "canonical"), "battery");
  gkit_release(parts);
}

/* N3 */
static void a_property_of_a_remote_source(void) {
  gkit_dict *parts = NULL;
  if (!CHECK_OK(gkit_id_parse("accelerometer|bmi160@pi.local/acceleration/x", &parts)))
    return;
  CHECK_TEXT(part(parts, "kind"), "accelerometer");
  CHECK_TEXT(part(parts, "instance"), "bmi160");
  CHECK_TEXT(part(parts, "device"), "pi.local");
  CHECK_TEXT(part(parts, "path"), "acceleration/x");
  CHECK_TEXT(item(parts, "components", 0), "acceleration");
  CHECK_TEXT(item(parts, "components", 1), "x");
  CHECK_TEXT(item(parts, "components", 2), "-");
  CHECK_TEXT(part(parts, "source"), "accelerometer|bmi160@pi.local");
  CHECK_TEXT(part(parts, "parent"), "accelerometer|bmi160@pi.local/acceleration");
  CHECK_TEXT(item(parts, "ancestors", 0), "accelerometer|bmi160@pi.local");
  CHECK_TEXT(item(parts, "ancestors", 1), "accelerometer|bmi160@pi.local/acceleration");
  CHECK_TEXT(item(parts, "ancestors", 2), "-");
  gkit_release(parts);
}

/* N1: escapes are decoded in parts and normalised in the canonical text. */
static void escapes(void) {
  gkit_dict *parts = NULL;
  if (!CHECK_OK(gkit_id_parse("wifi|caf%c3%a9%41%7c", &parts)))
    return;
  CHECK_TEXT(part(parts, "instance"), "caf\xC3\xA9"
                                      "A|");
  CHECK_TEXT(part(parts, "canonical"), "wifi|caf%C3%A9A%7C");
  gkit_release(parts);
}

/* N1: printing what was parsed gives the canonical text again. */
static void round_trips(void) {
  static const char *const ids[] = {"battery|BAT0", "battery|BAT0/level", "a|b%25%2Fc@d/e",
                                    "x.y_2.z3|~-._:+,=", "memory|m/a/b/c/d"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    gkit_dict *parts = NULL;
    char *text = NULL;
    if (CHECK_OK(gkit_id_parse(ids[i], &parts)) && CHECK_OK(gkit_id_build(parts, &text)))
      CHECK_TEXT(text, ids[i]);
    gkit_free(text);
    gkit_release(parts);
  }
}

/* N2, R8 */
static void malformed(void) {
  static const char *const ids[] = {
      "",       "|",       "battery|", "battery|a|b", "battery|a@b@c", "battery@pi",
      "b|a@",   "b|%",     "b|%4",     "b|%4g",       "b|%00",         "b|%FF",
      "b|a b",  "Battery", "2battery", "bat-tery",    "battery|a/",    "battery|a//b",
      "b.|a",   ".b|a",    "b..c|a",   "b|\xC3\xA9",  "b|\xFF",        "battery|a/b%zz",
      "/level", "b|a@/x",  "b|a\n",    "b|a#",        "b|%C3",         "b|a/\xFF",
  };
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    gkit_dict *parts = (gkit_dict *)(uintptr_t)0x1;
    if (!CHECK_STATUS(gkit_id_parse(ids[i], &parts), GKIT_ERROR_PARSE))
      continue;
    CHECK_BEGINS(gkit_last_error()->message, "byte ");
    CHECK(parts == NULL);
  }
  CHECK_INVALID(gkit_id_parse(NULL, NULL));
}

/* The byte is the first that cannot be. */
static void the_offset_is_told(void) {
  gkit_dict *parts = NULL;
  CHECK_STATUS(gkit_id_parse("battery|a b", &parts), GKIT_ERROR_PARSE);
  CHECK_BEGINS(gkit_last_error()->message, "byte 9: ");
  CHECK_STATUS(gkit_id_parse("battery|a|b", &parts), GKIT_ERROR_PARSE);
  CHECK_BEGINS(gkit_last_error()->message, "byte 9: ");
}

static void building(void) {
  gkit_dict *parts = gkit_dict_new(), *list = gkit_list_new();
  gkit_value value = gkit_value_string("battery");
  char *text = NULL;
  CHECK_INVALID(gkit_id_build(parts, &text));
  CHECK_OK(gkit_dict_set(parts, "kind", &value));
  if (CHECK_OK(gkit_id_build(parts, &text)))
    CHECK_TEXT(text, "battery");
  gkit_free(text);
  value = gkit_value_string("A b|c/d");
  CHECK_OK(gkit_dict_set(parts, "instance", &value));
  value = gkit_value_string("level");
  CHECK_OK(gkit_dict_set(list, NULL, &value));
  value = gkit_value_list(list);
  CHECK_OK(gkit_dict_set(parts, "components", &value));
  text = NULL;
  if (CHECK_OK(gkit_id_build(parts, &text)))
    CHECK_TEXT(text, "battery|A%20b%7Cc%2Fd/level");
  gkit_free(text);
  value = gkit_value_string("");
  CHECK_OK(gkit_dict_set(parts, "instance", &value));
  CHECK(gkit_id_build(parts, &text) < 0);
  gkit_release(parts);
  gkit_release(list);
}

int main(void) {
  RUN(a_bare_kind);
  RUN(a_property_of_a_remote_source);
  RUN(escapes);
  RUN(round_trips);
  RUN(malformed);
  RUN(the_offset_is_told);
  RUN(building);
  return check_report();
}
