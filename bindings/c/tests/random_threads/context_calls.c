#include "calls.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void random_gkit_context_open(void) {
  static const char *const uris[] = {"sim:laptop",
                                     "sim:phone",
                                     "sim:phone&clock=manual",
                                     "sim:empty",
                                     "sim:laptop&clock=manual",
                                     "replay:",
                                     "local:root=/nowhere",
                                     "no:scheme",
                                     NULL};
  static const char *const allowed[] = {"all", "", "mac,serial", "location", NULL};
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  char uri[128];
  gkit_context *context = NULL;
  snprintf(uri, sizeof uri, "%s", pick_text(uris));
  if (strcmp(uri, "replay:") == 0)
    snprintf(uri, sizeof uri, "replay:%s", calls_recording);
  options.mode = pick(2) == 0 ? GKIT_MODE_HOST : GKIT_MODE_THREAD;
  options.allow = pick_text(allowed);
  if (gkit_context_open(uri, &options, &context) >= 0)
    pool_put(CONTEXT, context);
}

static void random_gkit_context_close(void) { (void)gkit_context_close(pool_get(CONTEXT)); }
static void random_gkit_context_fd(void) { (void)gkit_context_fd(pool_get(CONTEXT)); }

static void random_gkit_context_dispatch(void) {
  (void)gkit_context_dispatch(pool_get(CONTEXT), pick_timeout());
}

static void random_gkit_context_flush(void) {
  (void)gkit_context_flush(pool_get(CONTEXT), pick_timeout());
}

static void random_gkit_context_invoke(void) {
  (void)gkit_context_invoke(pool_get(CONTEXT), host_invoke, grant_new(), grant_destroy);
}

static void random_gkit_context_now(void) {
  int64_t time, boot;
  (void)gkit_context_now(pool_get(CONTEXT), &time, &boot);
}

static void random_gkit_context_is_current(void) {
  (void)gkit_context_is_current(pool_get(CONTEXT));
}

static void random_gkit_context_set_allow(void) {
  static const char *const allowed[] = {"all", "", "location,microphone", "nonsense", NULL};
  (void)gkit_context_set_allow(pool_get(CONTEXT), pick_text(allowed));
}

static void random_gkit_context_rescan(void) { (void)gkit_context_rescan(pool_get(CONTEXT)); }

static void random_gkit_context_report(void) {
  gkit_dict *report = NULL;
  if (gkit_context_report(pool_get(CONTEXT), &report) >= 0)
    pool_put(DICT, report);
}

static void random_gkit_context_set_rate(void) {
  static const double rates[] = {0, 1, 1e12, INFINITY, -1, NAN};
  (void)gkit_context_set_rate(pool_get(CONTEXT), rates[pick(6)]);
}

static void random_gkit_context_seek(void) {
  gkit_context *context = pool_get(CONTEXT);
  int64_t position = gkit_context_position(context, NULL);
  (void)gkit_context_seek(context, position + (int64_t)pick(8) * 5000000 - 5000000);
}

static void random_gkit_context_position(void) {
  int64_t duration;
  (void)gkit_context_position(pool_get(CONTEXT), &duration);
}

static void random_gkit_context_export_arrow(void) {
  struct ArrowArrayStream stream;
  if (gkit_context_export_arrow(pool_get(CONTEXT), "memory|machine", &stream) < 0)
    return;
  struct ArrowArray batch;
  if (stream.get_next(&stream, &batch) == 0 && batch.release != NULL)
    batch.release(&batch);
  stream.release(&stream);
}

static void random_gkit_kind_list(void) {
  gkit_dict *kinds;
  if (gkit_kind_list(pick_id(), &kinds) >= 0)
    pool_put(DICT, kinds);
}

static bool go_on(int64_t rows, int64_t all, void *user_data) {
  (void)rows, (void)all, (void)user_data;
  return pick(2) == 0;
}

static void random_gkit_context_export_text(void) {
  static const char *const formats[] = {"csv", "jsonl", "xml"};
  gkit_dict *options = pick(2) == 0 ? NULL : pool_get(DICT);
  (void)gkit_context_export_text(pool_get(CONTEXT), formats[pick(3)], "/dev/null/text", options,
                                 pick(2) == 0 ? NULL : go_on, NULL, NULL);
}

static void random_gkit_kind_get_default_interval(void) {
  int64_t interval;
  (void)gkit_kind_get_default_interval(pick_id(), &interval);
}

static void random_gkit_kind_set_default_interval(void) {
  (void)gkit_kind_set_default_interval(pick_id(), pick_interval());
}

const call context_calls[] = {RARE(gkit_context_open),
                              RARE(gkit_context_close),
                              CALL(gkit_context_fd),
                              {"gkit_context_dispatch", random_gkit_context_dispatch, 12},
                              CALL(gkit_context_flush),
                              CALL(gkit_context_invoke),
                              RARE(gkit_context_now),
                              RARE(gkit_context_is_current),
                              CALL(gkit_context_set_allow),
                              CALL(gkit_context_rescan),
                              RARE(gkit_context_report),
                              CALL(gkit_context_set_rate),
                              CALL(gkit_context_seek),
                              CALL(gkit_context_position),
                              RARE(gkit_context_export_arrow),
                              RARE(gkit_kind_list),
                              RARE(gkit_context_export_text),
                              RARE(gkit_kind_get_default_interval),
                              RARE(gkit_kind_set_default_interval),
                              END};
