/* Data sources that the patch `record` appends to: stores and decorators with a name. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "keep.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL "{\"type\":\"all\"}"
/* The simulated clock stands. */
#define ROW(value)                                                                                 \
  "{\"source\":\"level\",\"time\":{\"time_ns\":1700000000000000000},\"value\":" value "}"

static gkit_status make_patch(keep *keep, const char *options, gkit_patch **out) {
  gkit_dict *given = keep_dict(options);
  *out = NULL;
  gkit_status status = gkit_patch_new(keep->context, "record", given, out);
  gkit_release(given);
  return status;
}

static gkit_patch *record_into(keep *keep, const char *options) {
  gkit_patch *patch;
  CHECK_OK(make_patch(keep, options, &patch));
  return patch;
}

static void put_in(gkit_patch *patch, const char *json) {
  gkit_value value;
  CHECK_OK(gkit_value_from_json(json, strlen(json), &value));
  CHECK_OK(gkit_patch_set_value(patch, "value", &value));
  gkit_value_clear(&value);
}

/* How many values failed. */
static int64_t errors_of(gkit_patch *patch) {
  gkit_dict *info = NULL;
  gkit_value inputs, input, count = gkit_value_int(-1);
  CHECK_OK(gkit_patch_get_info(patch, &info));
  if (CHECK_OK(gkit_dict_get(info, "inputs", &inputs)) &&
      CHECK_OK(gkit_dict_at(inputs.as.dict, 0, NULL, &input)))
    CHECK_OK(gkit_dict_get(input.as.dict, "errors", &count));
  gkit_release(info);
  return count.as.integer;
}

static gkit_status open_store(keep *keep, const char *type, const char *options,
                              gkit_datasource **out) {
  gkit_dict *given = keep_dict(options);
  *out = NULL;
  gkit_status status = gkit_datasource_open(keep->context, type, given, out);
  gkit_release(given);
  return status;
}

/* Each store has an object a sample, in the order they came. */
static void stores_have_a_row_a_sample(void) {
  keep keep;
  char folder[] = "/tmp/gatheredkit-rows-XXXXXX", options[4][600];
  static const char *types[] = {"memory", "storage", "sqlite", "sqlite"};
  if (!keep_open(&keep, GKIT_MODE_HOST) || !CHECK(mkdtemp(folder) != NULL))
    return;
  snprintf(options[0], sizeof options[0], "{\"name\":\"log\"}");
  snprintf(options[1], sizeof options[1],
           "{\"store\":\"log\",\"name\":\"levels\",\"root\":\"r\",\"path\":\"%s/\"}", folder);
  for (int i = 2; i < 4; i++)
    snprintf(options[i], sizeof options[i],
             "{\"name\":\"log\",\"path\":\"%s/%d.sqlite\",\"table\":\"t\",\"columns\":["
             "{\"name\":\"id\",\"type\":\"%s\"},{\"name\":\"source\",\"type\":\"string\"},"
             "{\"name\":\"time\",\"type\":\"time\"},"
             "{\"name\":\"value\",\"type\":\"int\",\"nullable\":true}]}",
             folder, i, i == 2 ? "string" : "int");
  for (int i = 0; i < 4; i++) {
    gkit_datasource *store = keep_store(&keep, types[i], options[i]);
    gkit_patch *patch = record_into(&keep, "{\"store\":\"log\",\"name\":\"level\"}");
    put_in(patch, "1");
    put_in(patch, "null");
    put_in(patch, "3");
    const char *found = keep_do(store, GKIT_OPERATION_GET_ALL, ALL, NULL);
    if (i < 2)
      CHECK_TEXT(found, "[" ROW("1") "," ROW("null") "," ROW("3") "]");
    else
      for (const char *value = "1n3"; *value; value++) {
        char wanted[] = "\"value\":?";
        wanted[8] = *value;
        found = found ? strstr(found, wanted) : NULL;
        CHECK(found != NULL);
      }
    CHECK_INT(errors_of(patch), 0);
    gkit_release(patch);
    gkit_release(store);
  }
  keep_close(&keep);
  keep_remove(folder);
}

static void on_error(const gkit_sample *samples, size_t count, void *user_data) {
  (void)count;
  char *text = gkit_value_to_json(&samples->value);
  keep_say(user_data, text);
  gkit_free(text);
}

/* Patches L30: a refusal is told on the loop, and what is not refused is kept. */
static void refusals_are_errors_of_the_patch(void) {
  keep keep;
  char folder[] = "/tmp/gatheredkit-rows-XXXXXX", options[400], words[KEEP_WORDS] = "";
  gkit_stream *errors = NULL;
  gkit_connection *connection = NULL;
  if (!keep_open(&keep, GKIT_MODE_HOST) || !CHECK(mkdtemp(folder) != NULL))
    return;
  snprintf(options, sizeof options,
           "{\"name\":\"log\",\"path\":\"%s/t.sqlite\",\"table\":\"t\",\"columns\":["
           "{\"name\":\"source\",\"type\":\"string\"},{\"name\":\"time\",\"type\":\"time\"},"
           "{\"name\":\"value\",\"type\":\"int\"}]}",
           folder);
  gkit_datasource *store = keep_store(&keep, "sqlite", options);
  gkit_patch *patch = record_into(&keep, "{\"store\":\"log\"}");
  CHECK_OK(gkit_patch_errors(patch, &errors));
  CHECK_OK(gkit_stream_subscribe(errors, NULL, 0, on_error, words, NULL, &connection));
  put_in(patch, "\"text\"");
  put_in(patch, "2");
  CHECK(strstr(keep_do(store, GKIT_OPERATION_GET_ALL, ALL, NULL), "\"value\":2") != NULL);
  while (gkit_context_dispatch(keep.context, 0) > 0)
    ;
  CHECK_TEXT(keep_take(words),
             "{\"port\":\"value\",\"code\":\"handlerFailed\",\"message\":\"the handler of "
             "\\\"value\\\": the value does not fit the column value: it is string, not int\","
             "\"status\":-100}");
  CHECK_INT(errors_of(patch), 1);
  gkit_release(patch);
  gkit_release(store);
  /* Bytes alone, and nothing at all. */
  snprintf(options, sizeof options, "{\"name\":\"log\",\"folder\":\"%s/f\"}", folder);
  static const char *types[] = {"files", "void"};
  for (int i = 0; i < 2; i++) {
    store = keep_store(&keep, types[i], i == 0 ? options : "{\"name\":\"log\"}");
    patch = record_into(&keep, "{\"store\":\"log\"}");
    put_in(patch, "1");
    keep_do(store, GKIT_OPERATION_GET_ALL, ALL, NULL);
    CHECK_INT(errors_of(patch), 1);
    gkit_release(patch);
    gkit_release(store);
  }
  gkit_release(connection);
  gkit_release(errors);
  keep_close(&keep);
  keep_remove(folder);
}

/* A name is known as long as its handle lives; the patch that has the store goes on with it. */
static void names_live_as_long_as_handles(void) {
  keep keep;
  gkit_datasource *second = NULL;
  gkit_sink *sink = NULL;
  gkit_patch *none = NULL;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  gkit_dict *named = keep_dict("{\"name\":\"log\"}");
  gkit_datasource *store = keep_store(&keep, "memory", "{\"name\":\"log\"}");
  CHECK_STATUS(open_store(&keep, "memory", "{\"name\":\"log\"}", &second), GKIT_ERROR_EXISTS);
  CHECK(second == NULL);
  CHECK_STATUS(gkit_datasource_wrap(store, "cache", named, &second), GKIT_ERROR_EXISTS);
  CHECK_STATUS(gkit_sink_open(keep.context, "jsonl", "/tmp/gatheredkit-rows.none", named, &sink),
               GKIT_ERROR_EXISTS);
  /* Nothing was made of it. */
  CHECK(remove("/tmp/gatheredkit-rows.none") != 0);
  gkit_patch *patch = record_into(&keep, "{\"store\":\"log\",\"name\":\"level\"}");
  CHECK_OK(gkit_datasource_wrap(store, "cache", NULL, &second));
  gkit_release(store);
  CHECK_INVALID(make_patch(&keep, "{\"store\":\"log\"}", &none));
  put_in(patch, "4");
  CHECK_TEXT(keep_do(second, GKIT_OPERATION_GET_ALL, ALL, NULL), "[" ROW("4") "]");
  gkit_release(patch);
  CHECK_OK(open_store(&keep, "memory", "{\"name\":\"log\"}", &store));
  gkit_release(store);
  /* The name of a storage is that of its file, which two may have. */
  CHECK_OK(open_store(&keep, "storage", "{\"name\":\"log\",\"path\":\"/tmp/none/\"}", &store));
  CHECK_INVALID(make_patch(&keep, "{\"store\":\"log\"}", &none));
  gkit_release(store);
  gkit_release(second);
  gkit_release(named);
  keep_close(&keep);
}

static void perform(int32_t operation, const gkit_dict *query, const gkit_value *value,
                    gkit_future *reply, void *user_data) {
  gkit_value type, id;
  CHECK_INT(operation, GKIT_OPERATION_PUT);
  CHECK_OK(gkit_dict_get(query, "type", &type));
  CHECK_TEXT(type.as.string, "id");
  CHECK_OK(gkit_dict_get(query, "id", &id));
  CHECK(id.count > 19);
  char *text = gkit_value_to_json(value);
  keep_say(user_data, text);
  gkit_free(text);
  gkit_future_resolve(reply, GKIT_OK, value, NULL);
}

/* What has no options is named by a decorator. */
static void decorators_name_functions_of_the_host(void) {
  keep keep;
  char words[KEEP_WORDS] = "";
  gkit_datasource *custom = NULL, *named = NULL;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  gkit_dict *options = keep_dict("{\"retries\":0,\"name\":\"mine\"}");
  CHECK_OK(gkit_datasource_new_custom(keep.context, perform, words, NULL, &custom));
  CHECK_OK(gkit_datasource_retry(custom, options, NULL, NULL, NULL, &named));
  gkit_patch *patch = record_into(&keep, "{\"store\":\"mine\",\"name\":\"level\"}");
  put_in(patch, "[1,2]");
  while (gkit_context_dispatch(keep.context, 0) > 0)
    ;
  CHECK_TEXT(keep_take(words), ROW("[1,2]"));
  CHECK_INT(errors_of(patch), 0);
  gkit_release(patch);
  gkit_release(named);
  gkit_release(custom);
  gkit_release(options);
  keep_close(&keep);
}

int main(void) {
  RUN(stores_have_a_row_a_sample);
  RUN(refusals_are_errors_of_the_patch);
  RUN(names_live_as_long_as_handles);
  RUN(decorators_name_functions_of_the_host);
  return check_report();
}
