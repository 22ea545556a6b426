#include "calls.h"
#include <string.h>

static void random_gkit_version(void) { (void)gkit_version(); }
static void random_gkit_version_string(void) { (void)gkit_version_string(); }
static void random_gkit_has_feature(void) { (void)gkit_has_feature("sqlite"); }
static void random_gkit_last_error(void) { (void)strlen(gkit_last_error()->message); }
static void random_gkit_status_name(void) { (void)gkit_status_name(-(gkit_status)pick(30)); }

/* Numbers that have names, and some that have none. */
static void random_gkit_value_type_name(void) { (void)gkit_value_type_name((uint32_t)pick(20)); }
static void random_gkit_mode_name(void) { (void)gkit_mode_name((uint32_t)pick(20)); }
static void random_gkit_sample_status_name(void) {
  (void)gkit_sample_status_name((uint32_t)pick(20));
}
static void random_gkit_sample_flag_name(void) { (void)gkit_sample_flag_name((uint32_t)pick(20)); }
static void random_gkit_availability_name(void) { (void)gkit_availability_name((int32_t)pick(20)); }
static void random_gkit_reason_name(void) { (void)gkit_reason_name((uint32_t)pick(20)); }
static void random_gkit_source_state_name(void) {
  (void)gkit_source_state_name((uint32_t)pick(20));
}
static void random_gkit_event_type_name(void) { (void)gkit_event_type_name((int32_t)pick(20)); }
static void random_gkit_reporting_name(void) { (void)gkit_reporting_name((int32_t)pick(20)); }
static void random_gkit_property_flag_name(void) {
  (void)gkit_property_flag_name((uint32_t)pick(20));
}
static void random_gkit_style_name(void) { (void)gkit_style_name((uint32_t)pick(20)); }
static void random_gkit_overflow_name(void) { (void)gkit_overflow_name((uint32_t)pick(20)); }
static void random_gkit_log_level_name(void) { (void)gkit_log_level_name((int32_t)pick(20)); }
static void random_gkit_operation_name(void) { (void)gkit_operation_name((int32_t)pick(20)); }
static void random_gkit_future_flag_name(void) { (void)gkit_future_flag_name((uint32_t)pick(20)); }

static void random_gkit_set_log_handler(void) {
  if (pick(2) == 0)
    gkit_set_log_handler(GKIT_LOG_WARNING, NULL, NULL, NULL);
  else
    gkit_set_log_handler((int32_t)pick(6), host_log, grant_new(), grant_destroy);
}

static void random_gkit_retain(void) {
  kind kind = (enum kind)pick(KINDS);
  void *handle = gkit_retain(pool_get(kind));
  if (handle != NULL)
    pool_put(kind, handle);
}

static void random_gkit_release(void) {
  kind kind = (enum kind)pick(KINDS);
  if (kind != CONTEXT || pick(8) == 0)
    pool_drop(kind);
}

static void random_gkit_describe(void) { gkit_free(gkit_describe(pool_get((kind)pick(KINDS)))); }
static void random_gkit_free(void) { gkit_free(NULL); }
static void random_gkit_live_count(void) { (void)gkit_live_count("stream"); }

static void random_gkit_value_copy(void) {
  gkit_value copy, value = pick_value();
  if (gkit_value_copy(&value, &copy) >= 0)
    gkit_value_clear(&copy);
}

static void random_gkit_value_clear(void) { gkit_value_clear(NULL); }

/* Makes values of what is at hand and uses them, also where they are not what they say. */
static void use(gkit_status status, const gkit_value *value) {
  char text[40];
  if (status >= 0)
    (void)gkit_value_format(value, NULL, text, sizeof text);
}

#define MAKES(name, ...)                                                                           \
  static void random_gkit_value_set_##name(void) {                                                 \
    gkit_value value;                                                                              \
    use(gkit_value_set_##name(__VA_ARGS__), &value);                                               \
  }

static const double numbers[5] = {1, -2.5, 3, 0, 7};
MAKES(none, &value)
MAKES(bool, &value, pick(2) == 0)
MAKES(int, &value, (int64_t)pick(100) - 50)
MAKES(double, &value, (double)pick(100) / 8)
MAKES(vector, &value, numbers, (uint32_t)pick(6))
MAKES(string, &value, pick(4) == 0 ? NULL : "text")
MAKES(bytes, &value, pick(4) == 0 ? NULL : "bytes", (uint32_t)pick(6))
MAKES(time, &value, (int64_t)pick(1000000))
MAKES(dict, &value, pool_get(DICT))
MAKES(list, &value, pool_get(DICT))

static void random_gkit_value_format(void) {
  char text[40];
  gkit_value value = pick_value();
  (void)gkit_value_format(&value, "m/s2", text, sizeof text);
}

static void random_gkit_property_format(void) {
  static const char *const units[] = {"By", "s", "1", "dB{mW}", "nonsense", NULL};
  char text[40];
  gkit_value value = pick_value();
  gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
  property.unit = pick_text(units);
  property.maximum = (double)pick(3);
  property.resolution = (double)pick(5) / 8 - 0.25;
  property.flags = (uint32_t)pick(32);
  (void)gkit_property_format(pick(4) == 0 ? NULL : &property, &value, (uint32_t)pick(3), text,
                             (size_t)pick(sizeof text));
}

static void random_gkit_value_from_json(void) {
  static const char *const texts[] = {"{\"a\":[1,2.5,null]}", "[1", "{\"bytes\":\"AA==\"}", NULL};
  const char *text = pick_text(texts);
  gkit_value value;
  if (gkit_value_from_json(text, strlen(text), &value) >= 0)
    gkit_value_clear(&value);
}

static void random_gkit_value_to_json(void) {
  gkit_value value = pick_value();
  gkit_free(gkit_value_to_json(&value));
}

static void random_gkit_unit_convert(void) {
  double result;
  (void)gkit_unit_convert(1, "uT", pick(2) == 0 ? "T" : "m", &result);
}

static void random_gkit_dict_new(void) { pool_put(DICT, gkit_dict_new()); }
static void random_gkit_list_new(void) { pool_put(DICT, gkit_list_new()); }

static const char *pick_key(void) {
  static const char *const keys[] = {"a", "b", "id", "type", "value", NULL};
  return pick(8) == 0 ? NULL : pick_text(keys);
}

static void random_gkit_dict_set(void) {
  gkit_dict *dict = pool_get(DICT);
  gkit_value value = pick_value();
  /* A dictionary put into itself again and again doubles each time. */
  if (gkit_dict_count(dict) < 6 && value.type != GKIT_TYPE_DICT)
    (void)gkit_dict_set(dict, pick_key(), &value);
}

static void random_gkit_dict_get(void) {
  gkit_value value;
  (void)gkit_dict_get(pool_get(DICT), pick_key(), &value);
}

static void random_gkit_dict_count(void) { (void)gkit_dict_count(pool_get(DICT)); }

static void random_gkit_dict_at(void) {
  const char *key;
  gkit_value value;
  (void)gkit_dict_at(pool_get(DICT), pick(4), &key, &value);
}

static void random_gkit_id_parse(void) {
  gkit_dict *parts = NULL;
  if (gkit_id_parse(pick_id(), &parts) >= 0)
    pool_put(DICT, parts);
}

static void random_gkit_id_build(void) {
  char *text = NULL;
  if (gkit_id_build(pool_get(DICT), &text) >= 0)
    gkit_free(text);
}

const call value_calls[] = {RARE(gkit_version),
                            RARE(gkit_version_string),
                            RARE(gkit_has_feature),
                            RARE(gkit_last_error),
                            RARE(gkit_status_name),
                            RARE(gkit_set_log_handler),
                            CALL(gkit_retain),
                            CALL(gkit_release),
                            CALL(gkit_describe),
                            RARE(gkit_free),
                            RARE(gkit_live_count),
                            CALL(gkit_value_copy),
                            RARE(gkit_value_clear),
                            CALL(gkit_value_format),
                            CALL(gkit_property_format),
                            CALL(gkit_value_from_json),
                            CALL(gkit_value_to_json),
                            RARE(gkit_unit_convert),
                            CALL(gkit_dict_new),
                            CALL(gkit_list_new),
                            CALL(gkit_dict_set),
                            CALL(gkit_dict_get),
                            RARE(gkit_dict_count),
                            CALL(gkit_dict_at),
                            CALL(gkit_id_parse),
                            CALL(gkit_id_build),
                            RARE(gkit_value_type_name),
                            RARE(gkit_mode_name),
                            RARE(gkit_sample_status_name),
                            RARE(gkit_sample_flag_name),
                            RARE(gkit_availability_name),
                            RARE(gkit_reason_name),
                            RARE(gkit_source_state_name),
                            RARE(gkit_event_type_name),
                            RARE(gkit_reporting_name),
                            RARE(gkit_property_flag_name),
                            RARE(gkit_style_name),
                            RARE(gkit_overflow_name),
                            RARE(gkit_log_level_name),
                            RARE(gkit_operation_name),
                            RARE(gkit_future_flag_name),
                            CALL(gkit_value_set_none),
                            CALL(gkit_value_set_bool),
                            CALL(gkit_value_set_int),
                            CALL(gkit_value_set_double),
                            CALL(gkit_value_set_vector),
                            CALL(gkit_value_set_string),
                            CALL(gkit_value_set_bytes),
                            CALL(gkit_value_set_time),
                            CALL(gkit_value_set_dict),
                            CALL(gkit_value_set_list),
                            END};
