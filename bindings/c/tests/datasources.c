/* Data sources: stores by name, queries, verbs, decorators and functions of the host. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "keep.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* L1 to L6: the verbs of the reference. */
static void a_memory_store_answers_every_verb(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  gkit_datasource *memory = keep_store(&keep, "memory", NULL);
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT, keep_id("a"), "1"), "1");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, keep_id("a"), NULL), "1");
  /* L2: one shape a key. */
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET_ALL, keep_id("a"), NULL), "NOT_FOUND missing a");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT_ALL, keep_id("a"), "[1,\"x\"]"), "[1,\"x\"]");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, keep_id("a"), NULL), "NOT_FOUND missing a");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET_ALL, keep_id("a"), NULL), "[1,\"x\"]");
  /* A list may be an object, too. */
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT, keep_id("b"), "[2]"), "[2]");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, keep_id("b"), NULL), "[2]");
  /* L15, L16 */
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET_ALL, "{\"type\":\"all\"}", NULL), "[[2],1,\"x\"]");
  CHECK_TEXT(
      keep_do(memory, GKIT_OPERATION_GET_ALL, "{\"type\":\"page\",\"offset\":1,\"limit\":1}", NULL),
      "[1]");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET_ALL,
                     "{\"type\":\"page\",\"offset\":-1,\"limit\":1}", NULL),
             "INVALID_ARGUMENT");
  /* L4: null stores nothing. */
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT, keep_id("b"), NULL), "INVALID_ARGUMENT");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT, keep_id("b"), "null"), "INVALID_ARGUMENT");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, keep_id("b"), NULL), "[2]");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT_ALL, keep_id("b"), "3"), "INVALID_ARGUMENT");
  /* L5 */
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT_ALL, keep_id("e"), "[]"), "[]");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET_ALL, keep_id("e"), NULL), "[]");
  /* L3, L1: deleting what is not there, and deleting everything. */
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_DELETE, keep_id("none"), NULL), "null");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_DELETE_ALL, "{\"type\":\"all\"}", NULL), "null");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET_ALL, "{\"type\":\"all\"}", NULL), "[]");
  gkit_release(memory);
  keep_close(&keep);
}

/* L9: equal text is the same entry; L13, L14: several ids. */
static void ids_meet_by_their_key_text(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  gkit_datasource *memory = keep_store(&keep, "memory", NULL);
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT, "{\"type\":\"id\",\"id\":7}", "1"), "1");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, keep_id("7"), NULL), "1");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, "{\"type\":\"key\",\"key\":\"7\"}", NULL), "1");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT,
                     "{\"type\":\"id\",\"id\":{\"b\":[1.5,null],\"a\":true}}", "2"),
             "2");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET,
                     "{\"type\":\"key\",\"key\":\"{\\\"a\\\":true,\\\"b\\\":[1.5,null]}\"}", NULL),
             "2");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, keep_id(""), NULL), "INVALID_ARGUMENT");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET_ALL,
                     "{\"type\":\"ids\",\"ids\":[\"x\",7,\"y\",\"x\"]}", NULL),
             "NOT_FOUND missing x y");
  CHECK_TEXT(
      keep_do(memory, GKIT_OPERATION_PUT_ALL, "{\"type\":\"ids\",\"ids\":[\"x\",\"y\"]}", "[8,9]"),
      "[8,9]");
  CHECK_TEXT(
      keep_do(memory, GKIT_OPERATION_GET_ALL, "{\"type\":\"ids\",\"ids\":[\"y\",7,\"y\"]}", NULL),
      "[9,1,9]");
  CHECK_TEXT(
      keep_do(memory, GKIT_OPERATION_PUT_ALL, "{\"type\":\"ids\",\"ids\":[\"x\",\"y\"]}", "[8]"),
      "INVALID_ARGUMENT");
  gkit_release(memory);
  keep_close(&keep);
}

/* L11: the set is closed; L7: what a verb does not take is said first; L17: `object`. */
static void queries_are_a_closed_set(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  gkit_datasource *memory = keep_store(&keep, "memory", NULL);
  gkit_datasource *named = keep_store(&keep, "memory", "{\"id\":\"name\"}");
  gkit_future *future = NULL;
  gkit_dict *odd = gkit_query_new("odd", NULL), *whole = gkit_query_new("all", NULL);
  CHECK_INVALID(gkit_datasource_get(memory, odd, &future));
  CHECK(future == NULL);
  CHECK_INVALID(gkit_datasource_get(memory, NULL, &future));
  CHECK_INVALID(gkit_datasource_perform(memory, 7, whole, NULL, &future));
  CHECK_INVALID(gkit_datasource_perform(memory, 0, whole, NULL, &future));
  gkit_release(odd);
  gkit_release(whole);
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, "{\"type\":\"void\"}", NULL), "NOT_SUPPORTED");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, "{\"type\":\"all\"}", NULL), "NOT_SUPPORTED");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT, "{\"type\":\"all\"}", NULL), "NOT_SUPPORTED");
  CHECK_TEXT(
      keep_do(memory, GKIT_OPERATION_GET_ALL, "{\"type\":\"all\",\"where\":[\"=\",\"a\",1]}", NULL),
      "NOT_SUPPORTED");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, "{\"type\":\"object\",\"value\":1}", NULL),
             "NOT_SUPPORTED");
  CHECK_TEXT(keep_do(named, GKIT_OPERATION_PUT,
                     "{\"type\":\"object\",\"value\":{\"name\":\"n\",\"x\":1}}", NULL),
             "{\"name\":\"n\",\"x\":1}");
  CHECK_TEXT(keep_do(named, GKIT_OPERATION_GET, keep_id("n"), NULL), "{\"name\":\"n\",\"x\":1}");
  CHECK_TEXT(
      keep_do(named, GKIT_OPERATION_PUT, "{\"type\":\"object\",\"value\":{\"name\":\"n\"}}", "1"),
      "INVALID_ARGUMENT");
  gkit_release(named);
  gkit_release(memory);
  keep_close(&keep);
}

/* Section 3: an unknown option is refused by its name. */
static void options_are_checked(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  static const struct {
    const char *type, *options;
    gkit_status status;
  } cases[] = {
      {"odd", NULL, GKIT_ERROR_NOT_FOUND},
      {"void", "{\"x\":1}", GKIT_ERROR_INVALID_ARGUMENT},
      {"memory", "{\"id\":1}", GKIT_ERROR_INVALID_ARGUMENT},
      {"storage", "{\"layout\":\"odd\"}", GKIT_ERROR_INVALID_ARGUMENT},
      {"storage", "{\"type\":\"strnig\"}", GKIT_ERROR_INVALID_ARGUMENT},
      {"storage", "{\"type\":\"any\"}", GKIT_ERROR_INVALID_ARGUMENT},
      {"keychain", "{\"service\":\"s\",\"type\":\"Point\"}", GKIT_ERROR_INVALID_ARGUMENT},
      {"storage", "{\"layout\":\"root\"}", GKIT_ERROR_INVALID_ARGUMENT},
      {"storage", "{\"name\":\"a/b\"}", GKIT_ERROR_INVALID_ARGUMENT},
      {"sqlite", NULL, GKIT_ERROR_INVALID_ARGUMENT},
      {"sqlite",
       "{\"path\":\"/x\",\"table\":\"t\",\"columns\":[{\"name\":\"a\",\"type\":\"odd\"}]}",
       GKIT_ERROR_INVALID_ARGUMENT},
      {"files", "{\"naming\":\"sha256\"}", GKIT_ERROR_INVALID_ARGUMENT},
      {"files", "{\"folder\":\"/x\",\"naming\":\"odd\"}", GKIT_ERROR_INVALID_ARGUMENT},
      {"keychain", NULL, GKIT_ERROR_INVALID_ARGUMENT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    gkit_dict *options = keep_dict(cases[i].options);
    gkit_datasource *store = (gkit_datasource *)&keep;
    CHECK_STATUS(gkit_datasource_open(keep.context, cases[i].type, options, &store),
                 cases[i].status);
    CHECK(store == NULL);
    gkit_release(options);
  }
  gkit_dict *options = keep_dict("{\"colour\":1}");
  gkit_datasource *store = NULL;
  CHECK_INVALID(gkit_datasource_open(keep.context, "memory", options, &store));
  CHECK(strstr(gkit_last_error()->message, "colour") != NULL);
  gkit_release(options);
  store = keep_store(&keep, "void", NULL);
  /* L19 */
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET, keep_id(""), NULL), "NOT_IMPLEMENTED");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_DELETE, "{\"type\":\"void\"}", NULL), "NOT_IMPLEMENTED");
  gkit_datasource *wrapped = store;
  CHECK_STATUS(gkit_datasource_wrap(store, "odd", NULL, &wrapped), GKIT_ERROR_NOT_FOUND);
  CHECK(wrapped == NULL);
  gkit_release(store);
  CHECK(gkit_has_feature("sqlite") && gkit_has_feature("secret"));
  keep_close(&keep);
}

/* L22 to L25: values of every type outlive the store, under their layout and type. */
static void a_storage_keeps_every_type(void) {
  keep keep;
  char folder[] = "/tmp/gkit-keep-XXXXXX", options[200];
  if (!keep_open(&keep, GKIT_MODE_THREAD) || !CHECK(mkdtemp(folder) != NULL))
    return;
  const char *all = "{\"a\":true,\"b\":7,\"c\":0.5,\"d\":\"x\",\"e\":[{\"vector\":[1.0,2.0,3.0]},"
                    "{\"bytes\":\"AQI=\"},{\"time_ns\":5}],\"f\":null,\"g\":{}}";
  snprintf(options, sizeof options, "{\"path\":\"%s/s.sqlite\"}", folder);
  gkit_datasource *store = keep_store(&keep, "storage", options);
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_PUT, keep_id("k"), all), all);
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_PUT, keep_id("p.pi"), "3.5"), "3.5");
  gkit_release(store);
  store = keep_store(&keep, "storage", options);
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET, keep_id("k"), NULL), all);
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, "{\"type\":\"all\"}", NULL), "NOT_SUPPORTED");
  gkit_release(store);
  snprintf(options, sizeof options, "{\"path\":\"%s/s.sqlite\",\"prefix\":\"p\"}", folder);
  store = keep_store(&keep, "storage", options);
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, "{\"type\":\"all\"}", NULL), "[3.5]");
  gkit_release(store);
  snprintf(options, sizeof options, "{\"path\":\"%s/s.sqlite\",\"type\":\"int\"}", folder);
  store = keep_store(&keep, "storage", options);
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET, keep_id("p.pi"), NULL), "NOT_FOUND missing p.pi");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_PUT, keep_id("p.pi"), "\"x\""), "PARSE");
  gkit_release(store);
  keep_close(&keep);
  keep_remove(folder);
}

/* L18, L27 to L30: rows, conditions and orders. */
static void rows_are_found_by_their_columns(void) {
  keep keep;
  char folder[] = "/tmp/gkit-keep-XXXXXX", options[400];
  if (!keep_open(&keep, GKIT_MODE_THREAD) || !CHECK(mkdtemp(folder) != NULL))
    return;
  snprintf(options, sizeof options,
           "{\"path\":\"%s/t.sqlite\",\"table\":\"t\",\"key\":\"n\",\"columns\":["
           "{\"name\":\"n\",\"type\":\"int\"},{\"name\":\"level\",\"type\":\"double\","
           "\"index\":true},{\"name\":\"word\",\"type\":\"string\",\"nullable\":true}]}",
           folder);
  gkit_datasource *rows = keep_store(&keep, "sqlite", options);
  CHECK_TEXT(keep_do(rows, GKIT_OPERATION_PUT, "{\"type\":\"id\",\"id\":10}",
                     "{\"level\":0.5,\"word\":\"x\"}"),
             "{\"n\":10,\"level\":0.5,\"word\":\"x\"}");
  CHECK_TEXT(keep_do(rows, GKIT_OPERATION_PUT_ALL, "{\"type\":\"all\"}",
                     "[{\"n\":9,\"level\":0.1},{\"n\":11,\"level\":0.9,\"word\":\"y\"}]"),
             "[{\"n\":9,\"level\":0.1,\"word\":null},{\"n\":11,\"level\":0.9,\"word\":\"y\"}]");
  CHECK_TEXT(keep_do(rows, GKIT_OPERATION_GET_ALL,
                     "{\"type\":\"all\",\"where\":[\"and\",[\">\",\"level\",0.2],"
                     "[\"not\",[\"is_null\",\"word\"]]],\"order_by\":[\"-n\"]}",
                     NULL),
             "[{\"n\":11,\"level\":0.9,\"word\":\"y\"},{\"n\":10,\"level\":0.5,\"word\":\"x\"}]");
  CHECK_TEXT(keep_do(rows, GKIT_OPERATION_GET_ALL,
                     "{\"type\":\"page\",\"offset\":0,\"limit\":1,\"where\":[\"in\",\"n\",[9,12]]}",
                     NULL),
             "[{\"n\":9,\"level\":0.1,\"word\":null}]");
  CHECK_TEXT(keep_do(rows, GKIT_OPERATION_PUT, "{\"type\":\"id\",\"id\":1}", "{\"odd\":1}"),
             "PARSE");
  gkit_release(rows);
  keep_close(&keep);
  keep_remove(folder);
}

/* L31, L34: bytes in files. */
static void files_hold_bytes(void) {
  keep keep;
  char folder[] = "/tmp/gkit-keep-XXXXXX", options[200];
  if (!keep_open(&keep, GKIT_MODE_THREAD) || !CHECK(mkdtemp(folder) != NULL))
    return;
  snprintf(options, sizeof options, "{\"folder\":\"%s/f\",\"naming\":\"plain\"}", folder);
  gkit_datasource *files = keep_store(&keep, "files", options);
  CHECK_TEXT(keep_do(files, GKIT_OPERATION_GET_ALL, "{\"type\":\"all\"}", NULL), "[]");
  CHECK_TEXT(keep_do(files, GKIT_OPERATION_PUT, keep_id("a"), "{\"bytes\":\"AQI=\"}"),
             "{\"bytes\":\"AQI=\"}");
  CHECK_TEXT(keep_do(files, GKIT_OPERATION_GET, keep_id("a"), NULL), "{\"bytes\":\"AQI=\"}");
  CHECK_TEXT(keep_do(files, GKIT_OPERATION_PUT, keep_id("a/b"), "{\"bytes\":\"AQI=\"}"),
             "INVALID_ARGUMENT");
  CHECK_TEXT(keep_do(files, GKIT_OPERATION_PUT, keep_id("a"), "1"), "PARSE");
  gkit_release(files);
  keep_close(&keep);
  keep_remove(folder);
}

static void on_log(int32_t level, const char *subsystem, const char *message, void *user_data) {
  CHECK(level >= GKIT_LOG_INFO);
  if (strcmp(subsystem, "datasource") == 0)
    snprintf(user_data, 200, "%s", message);
}

/* L45: one line a call, without values; R17: one context. */
static void calls_are_logged(void) {
  keep keep, other;
  if (!keep_open(&keep, GKIT_MODE_THREAD) || !keep_open(&other, GKIT_MODE_THREAD))
    return;
  char line[200] = "";
  gkit_datasource *memory = keep_store(&keep, "memory", NULL), *logged = NULL, *joined = NULL;
  gkit_datasource *foreign = keep_store(&other, "memory", NULL);
  CHECK_OK(gkit_datasource_wrap(memory, "log", NULL, &logged));
  gkit_set_log_handler(GKIT_LOG_INFO, on_log, line, NULL);
  CHECK_TEXT(keep_do(logged, GKIT_OPERATION_PUT, keep_id("a"), "\"secret\""), "\"secret\"");
  gkit_set_log_handler(0, NULL, NULL, NULL);
  CHECK_BEGINS(line, "put id a: object, ");
  CHECK(strstr(line, "secret") == NULL);
  CHECK_INVALID(gkit_datasource_assemble(memory, foreign, NULL, &joined));
  CHECK_INVALID(gkit_repository_new(memory, foreign, NULL, NULL, NULL, NULL, NULL, &joined));
  gkit_release(foreign);
  gkit_release(logged);
  gkit_release(memory);
  keep_close(&other);
  keep_close(&keep);
}

int main(void) {
  RUN(a_memory_store_answers_every_verb);
  RUN(ids_meet_by_their_key_text);
  RUN(queries_are_a_closed_set);
  RUN(options_are_checked);
  RUN(a_storage_keeps_every_type);
  RUN(rows_are_found_by_their_columns);
  RUN(files_hold_bytes);
  RUN(calls_are_logged);
  return check_report();
}
