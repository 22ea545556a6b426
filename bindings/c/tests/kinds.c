/* The catalogue as gkit_kind_list has it: C API R7 and R26. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* A member of a row; NONE if it has none of that name. */
static gkit_value member(const gkit_dict *row, const char *key) {
  gkit_value value = gkit_value_none();
  gkit_status status = gkit_dict_get(row, key, &value);
  CHECK(status == GKIT_OK || status == GKIT_ERROR_NOT_FOUND);
  return value;
}

static gkit_value needed(const gkit_dict *row, const char *key, uint32_t type) {
  gkit_value value = member(row, key);
  CHECK_INT(value.type, type);
  return value;
}

static const char *word(const gkit_dict *row, const char *key) {
  gkit_value value = needed(row, key, GKIT_TYPE_STRING);
  return value.type == GKIT_TYPE_STRING ? value.as.string : "";
}

static gkit_dict *list(const gkit_dict *row, const char *key) {
  gkit_value value = needed(row, key, GKIT_TYPE_LIST);
  return value.type == GKIT_TYPE_LIST ? value.as.dict : NULL;
}

static gkit_dict *item(const gkit_dict *items, size_t index) {
  gkit_value value = gkit_value_none();
  CHECK_OK(gkit_dict_at(items, index, NULL, &value));
  CHECK_INT(value.type, GKIT_TYPE_DICT);
  return value.as.dict;
}

/* Whether a list of words has one. */
static bool has(const gkit_dict *words, const char *wanted) {
  for (size_t i = 0; i < gkit_dict_count(words); i++) {
    gkit_value value = gkit_value_none();
    if (gkit_dict_at(words, i, NULL, &value) == GKIT_OK && value.type == GKIT_TYPE_STRING &&
        strcmp(value.as.string, wanted) == 0)
      return true;
  }
  return false;
}

static void bound(const gkit_dict *row, const char *key, double told, double none) {
  gkit_value value = member(row, key);
  if (value.type == GKIT_TYPE_NONE)
    CHECK(told == none || fabs(told) == DBL_MAX);
  else
    CHECK_NEAR(needed(row, key, GKIT_TYPE_DOUBLE).as.number, told);
}

static void same_flags(const gkit_dict *row, uint32_t told) {
  static const char *names[] = {"writable", "config", "personal", "counter", "derived"};
  gkit_dict *flags = list(row, "flags");
  for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
    CHECK_INT(has(flags, names[i]), told >> i & 1);
  CHECK_INT(member(row, "category").type == GKIT_TYPE_STRING, has(flags, "personal"));
}

/* A property is what a source of the kind says of it, with a meaning. */
static void same_property(const gkit_dict *row, const gkit_property_info *info) {
  static const char *modes[] = {"continuous", "onChange", "oneShot", "static"};
  CHECK_TEXT(word(row, "key"), info->key);
  CHECK_TEXT(word(row, "name"), info->name);
  CHECK(strlen(word(row, "meaning")) > 3 && strlen(word(row, "origin")) > 2);
  CHECK(strlen(word(row, "type")) > 2);
  if (info->unit != NULL)
    CHECK_TEXT(word(row, "unit"), info->unit);
  else
    CHECK_INT(member(row, "unit").type, GKIT_TYPE_NONE);
  if (CHECK(info->reporting_mode >= 0 && info->reporting_mode < 4))
    CHECK_TEXT(word(row, "mode"), modes[info->reporting_mode]);
  same_flags(row, info->flags);
  bool is_vector = info->type == GKIT_TYPE_VECTOR;
  CHECK_INT(member(row, "components").type, is_vector ? GKIT_TYPE_LIST : GKIT_TYPE_NONE);
  CHECK_INT(strcmp(word(row, "type"), "enum") == 0, info->components != NULL && !is_vector);
  bound(row, "minimum", info->minimum, -INFINITY);
  bound(row, "maximum", info->maximum, INFINITY);
  bound(row, "resolution", info->resolution, 0);
}

/* A source of a machine that has nothing has the table of its kind. */
static void same_source(const gkit_dict *row, gkit_source *source) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  gkit_dict *properties = list(row, "properties");
  CHECK_OK(gkit_source_get_info(source, &info));
  CHECK_TEXT(word(row, "name"), info.name);
  CHECK_INT(needed(row, "default_interval_ns", GKIT_TYPE_INT).as.integer, info.default_interval_ns);
  CHECK(strlen(word(row, "meaning")) > 10 && strlen(word(row, "origin")) > 10);
  CHECK(strlen(word(row, "instances")) > 4);
  CHECK_INT(gkit_dict_count(properties), info.property_count);
  for (uint32_t i = 0; i < info.property_count; i++) {
    gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
    CHECK_OK(gkit_source_get_property_info(source, i, &property));
    same_property(item(properties, i), &property);
  }
}

/* R26: every kind of the doctor's is listed, in its order, as its sources are. */
static void catalogue(void) {
  gkit_context *context = NULL;
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  gkit_dict *report = NULL, *kinds = NULL;
  options.mode = GKIT_MODE_HOST;
  CHECK_OK(gkit_context_open("sim:empty", &options, &context));
  CHECK_OK(gkit_context_report(context, &report));
  CHECK_OK(gkit_kind_list(NULL, &kinds));
  gkit_dict *reported = list(report, "kinds");
  CHECK_INT(gkit_dict_count(kinds), gkit_dict_count(reported));
  for (size_t i = 0; i < gkit_dict_count(kinds); i++) {
    gkit_source *source = NULL;
    const char *kind = word(item(kinds, i), "kind");
    CHECK_TEXT(kind, word(item(reported, i), "kind"));
    if (CHECK_OK(gkit_source_open(context, kind, &source)))
      same_source(item(kinds, i), source);
    gkit_release(source);
  }
  gkit_release(kinds);
  gkit_release(report);
  gkit_context_close(context);
  gkit_release(context);
}

/* R26: the contexts it names have such a source. */
static void tried(void) {
  gkit_dict *kinds = NULL;
  CHECK_OK(gkit_kind_list(NULL, &kinds));
  static const char *devices[] = {"sim:laptop", "sim:phone"};
  for (size_t i = 0; i < 2; i++) {
    gkit_context *context = NULL;
    CHECK_OK(gkit_context_open(devices[i], NULL, &context));
    for (size_t k = 0; k < gkit_dict_count(kinds); k++) {
      gkit_dict *instances = NULL, *row = item(kinds, k);
      CHECK_OK(gkit_source_list(context, word(row, "kind"), &instances));
      CHECK_INT(has(list(row, "simulated"), devices[i]), gkit_dict_count(instances) > 0);
      gkit_release(instances);
    }
    gkit_context_close(context);
    gkit_release(context);
  }
  gkit_release(kinds);
}

/* R7: one kind, and members that are there only where they have something to say. */
static void one_kind(void) {
  gkit_dict *kinds = NULL;
  CHECK_OK(gkit_kind_list("gps", &kinds));
  CHECK_INT(gkit_dict_count(kinds), 1);
  gkit_dict *gps = item(kinds, 0);
  CHECK_TEXT(word(gps, "category"), "location");
  CHECK(needed(gps, "has_aggregate", GKIT_TYPE_BOOL).as.boolean);
  CHECK(needed(gps, "event_driven", GKIT_TYPE_BOOL).as.boolean);
  CHECK_INT(needed(gps, "min_interval_ns", GKIT_TYPE_INT).as.integer, 100000000);
  gkit_release(kinds);
  CHECK_OK(gkit_kind_list("bluetooth", &kinds));
  CHECK(has(list(item(kinds, 0), "permits"), "bluetooth_discovery"));
  CHECK_INT(member(item(kinds, 0), "category").type, GKIT_TYPE_NONE);
  gkit_release(kinds);
  CHECK_OK(gkit_kind_list("battery", &kinds));
  gkit_dict *properties = list(item(kinds, 0), "properties");
  CHECK_TEXT(word(item(properties, 0), "key"), "level");
  CHECK(has(list(item(properties, 1), "words"), "critical"));
  gkit_release(kinds);
}

/* R26: what a start by default takes in this process is not what the kind says. */
static void built_in(void) {
  gkit_dict *kinds = NULL;
  CHECK_OK(gkit_kind_set_default_interval("memory", 5));
  CHECK_OK(gkit_kind_list("memory", &kinds));
  CHECK_INT(needed(item(kinds, 0), "default_interval_ns", GKIT_TYPE_INT).as.integer, 1000000000);
  CHECK_OK(gkit_kind_set_default_interval("memory", 0));
  gkit_release(kinds);
}

static void refused(void) {
  gkit_dict *kinds = NULL;
  CHECK_INVALID(gkit_kind_list(NULL, NULL));
  CHECK_STATUS(gkit_kind_list("batery", &kinds), GKIT_ERROR_NOT_FOUND);
  CHECK(kinds == NULL && strstr(gkit_last_error()->message, "did you mean battery") != NULL);
  CHECK_INVALID(gkit_kind_list("\xff", &kinds));
}

/* Each caller has a list of its own. */
static void owned(void) {
  gkit_dict *first = NULL, *second = NULL;
  gkit_value one = gkit_value_int(1);
  CHECK_OK(gkit_kind_list("memory", &first));
  CHECK_OK(gkit_dict_set(first, NULL, &one));
  CHECK_OK(gkit_kind_list("memory", &second));
  CHECK(first != second);
  CHECK_INT(gkit_dict_count(second), 1);
  gkit_release(first);
  gkit_release(second);
}

int main(void) {
  RUN(catalogue);
  RUN(tried);
  RUN(one_kind);
  RUN(built_in);
  RUN(refused);
  RUN(owned);
  return check_report();
}
