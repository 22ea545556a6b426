#include "calls.h"
#include <stdio.h>

static void random_gkit_sink_open(void) {
  static const char *const formats[] = {"recording", "csv", "jsonl", "arrow", "nothing", NULL};
  static const char *const options[] = {"{}", "{\"append\":true}", NULL};
  gkit_sink *sink = NULL;
  char target[128];
  snprintf(target, sizeof target, "%s/sink%u", calls_folder, pick(6));
  if (gkit_sink_open(pool_get(CONTEXT), pick_text(formats), target, pick_options(options), &sink) >=
      0)
    pool_put(SINK, sink);
}

static void random_gkit_sink_add_source(void) {
  (void)gkit_sink_add_source(pool_get(SINK), pool_get(SOURCE));
}

static void random_gkit_sink_add_all(void) {
  (void)gkit_sink_add_all(pool_get(SINK), (int64_t)pick(3) * 10000000 - 10000000);
}

static void random_gkit_sink_add_stream(void) {
  (void)gkit_sink_add_stream(pool_get(SINK), pool_get(STREAM), pick(2) == 0 ? "a" : "b");
}

static void random_gkit_sink_get_info(void) {
  gkit_dict *info = NULL;
  if (gkit_sink_get_info(pool_get(SINK), &info) >= 0)
    pool_put(DICT, info);
}

static void random_gkit_sink_flush(void) { (void)gkit_sink_flush(pool_get(SINK), pick_timeout()); }

static void random_gkit_sink_close(void) { (void)gkit_sink_close(pool_get(SINK)); }

const call sink_calls[] = {CALL(gkit_sink_open),     CALL(gkit_sink_add_source),
                           CALL(gkit_sink_add_all),  CALL(gkit_sink_add_stream),
                           CALL(gkit_sink_get_info), CALL(gkit_sink_flush),
                           RARE(gkit_sink_close),    END};
