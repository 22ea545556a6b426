#include "calls.h"
#include <string.h>

/* Keeps what a call has made. */
#define MAKE(call)                                                                                 \
  gkit_stream *made = NULL;                                                                        \
  if ((call) >= 0)                                                                                 \
  keep(made)

static void keep(gkit_stream *made) {
  calls_bound(made);
  pool_put(STREAM, made);
}

static void random_gkit_stream_new(void) {
  static const char *const types[] = {"signal", "publink", "variable", "timer",   "list",
                                      "list",   "set",     "sources",  "nothing", NULL};
  static const char *const options[] = {"{}",
                                        "{\"value\":1}",
                                        "{\"value\":[1,\"a\",2]}",
                                        "{\"kind\":\"battery\"}",
                                        "{\"interval_ns\":2000000}",
                                        "{\"replays_last\":true}",
                                        NULL};
  MAKE(gkit_stream_new(pool_get(CONTEXT), pick_text(types), pick_options(options), &made));
}

static void random_gkit_stream_set_option(void) {
  static const char *const names[] = {"replays_last",  "start_ns", "interval_ns",
                                      "cascade_limit", "nothing",  NULL};
  const char *name = pick_text(names);
  int64_t unit = strcmp(name, "cascade_limit") == 0 ? 100 : 1000000;
  gkit_value value = gkit_value_int((int64_t)pick(5) * unit);
  (void)gkit_stream_set_option(pool_get(STREAM), name, &value);
}

static void random_gkit_stream_send(void) {
  gkit_value value = pick_value();
  (void)gkit_stream_send(pool_get(STREAM), pick(8) == 0 ? NULL : &value);
}

static void random_gkit_stream_get(void) {
  gkit_sample sample;
  (void)gkit_stream_get(pool_get(STREAM), &sample);
}

static void random_gkit_stream_subscriber_count(void) {
  (void)gkit_stream_subscriber_count(pool_get(STREAM));
}

static void random_gkit_stream_subscribe(void) {
  gkit_connection *connection = NULL;
  const char *name = pick(6) == 0 ? "name" : NULL;
  bool keeps = name == NULL && pick(2) == 0;
  if (gkit_stream_subscribe(pool_get(STREAM), name, pick(2), host_sample, grant_new(),
                            grant_destroy, keeps ? &connection : NULL) >= 0 &&
      keeps)
    pool_put(CONNECTION, connection);
}

static void random_gkit_stream_unsubscribe(void) {
  (void)gkit_stream_unsubscribe(pool_get(STREAM), "name");
}

static void random_gkit_stream_apply(void) {
  static const char *const operators[] = {
      "distinct",  "buffered",   "counted",  "updates", "changes", "tick",     "flatten",
      "bracketed", "throttle",   "debounce", "sample",  "batch",   "window",   "moving_average",
      "low_pass",  "min_change", "timeout",  "count",   "sum",     "contains", "sorted",
      "elements",  "each",       "reversed", "nothing", NULL};
  static const char *const arguments[] = {"{}",
                                          "{\"duration_ns\":2000000}",
                                          "{\"count\":2}",
                                          "{\"window\":3}",
                                          "{\"alpha\":0.5}",
                                          "{\"delta\":1.5}",
                                          "{\"value\":1}",
                                          "{\"duration_ns\":1000000,\"substitute\":0}",
                                          NULL};
  gkit_stream *stream = pool_get(STREAM);
  MAKE(gkit_stream_apply(stream, pick_text(operators), pick_options(arguments), &made));
}

static void random_gkit_stream_combine(void) {
  static const char *const operators[] = {"merge", "combine", "concat", "union", "+",
                                          "/",     "==",      "&&",     "!",     NULL};
  gkit_stream *streams[3];
  size_t count = 1 + pick(3);
  for (size_t i = 0; i < count; i++)
    streams[i] = pool_get(STREAM);
  MAKE(gkit_stream_combine(streams, count, pick_text(operators), &made));
}

static void random_gkit_stream_list_operators(void) {
  gkit_dict *operators = NULL;
  if (gkit_stream_list_operators(&operators) >= 0)
    pool_put(DICT, operators);
}

static void random_gkit_stream_transform(void) {
  MAKE(gkit_stream_transform(pool_get(STREAM), host_transform, grant_new(), grant_destroy, &made));
}

static void random_gkit_stream_map_both(void) {
  MAKE(gkit_stream_map_both(pool_get(STREAM), host_map, pick(2) == 0 ? host_map : NULL, grant_new(),
                            grant_destroy, &made));
}

static void random_gkit_stream_begin(void) { (void)gkit_stream_begin(pool_get(STREAM)); }
static void random_gkit_stream_end(void) { (void)gkit_stream_end(pool_get(STREAM)); }

static void random_gkit_stream_modify(void) {
  static const char *const modifications[] = {
      "{\"insert\":[1,\"a\"]}", "{\"at\":1,\"remove\":1}",
      "{\"remove\":[1]}",       "{\"count\":1,\"modifications\":[]}",
      "{\"removed\":[\"a\"]}",  NULL};
  (void)gkit_stream_modify(pool_get(STREAM), pick_options(modifications));
}

static void random_gkit_stream_bind(void) {
  gkit_connection *connection = NULL;
  bool keeps = pick(2) == 0;
  if (gkit_stream_bind(pool_get(STREAM), pool_get(STREAM), keeps ? &connection : NULL) >= 0 &&
      keeps)
    pool_put(CONNECTION, connection);
}

const call stream_calls[] = {{"gkit_stream_new", random_gkit_stream_new, 12},
                             RARE(gkit_stream_set_option),
                             {"gkit_stream_send", random_gkit_stream_send, 12},
                             CALL(gkit_stream_get),
                             RARE(gkit_stream_subscriber_count),
                             {"gkit_stream_subscribe", random_gkit_stream_subscribe, 8},
                             RARE(gkit_stream_unsubscribe),
                             CALL(gkit_stream_apply),
                             CALL(gkit_stream_combine),
                             RARE(gkit_stream_list_operators),
                             CALL(gkit_stream_transform),
                             CALL(gkit_stream_map_both),
                             CALL(gkit_stream_begin),
                             CALL(gkit_stream_end),
                             CALL(gkit_stream_modify),
                             CALL(gkit_stream_bind),
                             END};
