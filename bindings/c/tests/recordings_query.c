/* Recordings as data sources, and graphs over them: data sources L36, sources V14. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "keep.h"
#include "sim.h"
#include "tape.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALL "{\"type\":\"all\"}"
/* The moment of a second, as rows tell it. */
#define AT(second) "{\"time_ns\":17000000" second "000000000}"
#define TICK(second, value) "{\"source\":\"ticks\",\"time\":" AT(second) ",\"value\":" value "}"

static tape recording;

static const char *in_path(const char *options) {
  static char text[512];
  snprintf(text, sizeof text, "{\"path\":\"%s\"%s}", recording.path, options);
  return text;
}

/* A recorder of a simulated machine and of ticks; they are in `sim` and in the others. */
static gkit_sink *recorder(sim *sim, gkit_source **source, gkit_stream **ticks) {
  gkit_sink *sink = tape_record(&recording, sim->context, ",\"rotate_bytes\":4000");
  *source = sim_source(sim, "memory|machine");
  CHECK_OK(gkit_sink_add_source(sink, *source));
  CHECK_OK(gkit_stream_new(sim->context, "signal", NULL, ticks));
  CHECK_OK(gkit_sink_add_stream(sink, *ticks, "ticks"));
  CHECK_OK(gkit_source_start(*source, SECOND / 4));
  return sink;
}

/* Records twenty seconds into several files, a tick a second. */
static void recorded(void) {
  sim sim;
  gkit_source *source = NULL;
  gkit_stream *ticks = NULL;
  if (!sim_open(&sim, MEMORY "0 wave memory|machine/free sine 500 0.1\n"
                             "8 absent memory|machine/free noData\n"
                             "12 set memory|machine/free 70\n"))
    return;
  gkit_sink *sink = recorder(&sim, &source, &ticks);
  for (int second = 0; second <= 20; second++) {
    CHECK_OK(sim_seek(&sim, second * SECOND));
    gkit_value value = gkit_value_int(second);
    CHECK_OK(gkit_stream_send(ticks, &value));
    CHECK_OK(gkit_sink_flush(sink, PATIENCE));
  }
  CHECK_OK(gkit_sink_close(sink));
  gkit_release(ticks);
  gkit_release(source);
  gkit_release(sink);
  sim_close(&sim);
  char second[sizeof recording.folder + 16];
  snprintf(second, sizeof second, "%s/a.1.gkr", recording.folder);
  CHECK(access(second, R_OK) == 0);
}

/* L36, L15, L16, L18: rows by series, time, place and condition. */
static void rows_are_found(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  gkit_datasource *store = keep_store(&keep, "recording", in_path(",\"sources\":[\"ticks\"]"));
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL,
                     "{\"type\":\"time\",\"from_ns\":1700000003000000000,"
                     "\"to_ns\":1700000005000000000}",
                     NULL),
             "[" TICK("03", "3") "," TICK("04", "4") "]");
  CHECK_TEXT(
      keep_do(store, GKIT_OPERATION_GET_ALL, "{\"type\":\"page\",\"offset\":19,\"limit\":5}", NULL),
      "[" TICK("19", "19") "," TICK("20", "20") "]");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL,
                     "{\"type\":\"all\",\"where\":[\">=\",\"value\",19],\"order_by\":[\"-time\"]}",
                     NULL),
             "[" TICK("20", "20") "," TICK("19", "19") "]");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET, keep_id("ticks"), NULL), "NOT_FOUND missing ticks");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, keep_id("memory|machine"), NULL),
             "NOT_FOUND missing memory|machine");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_PUT, keep_id("ticks"), "1"), "NOT_IMPLEMENTED");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, "{\"type\":\"ids\",\"ids\":[\"ticks\"]}", NULL),
             "NOT_SUPPORTED");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, "{\"type\":\"page\",\"limit\":-1}", NULL),
             "INVALID_ARGUMENT");
  CHECK_TEXT(
      keep_do(store, GKIT_OPERATION_GET_ALL, "{\"type\":\"all\",\"where\":[\"=\",\"x\",1]}", NULL),
      "INVALID_ARGUMENT");
  gkit_release(store);
  store = keep_store(&keep, "recording", in_path(",\"properties\":[\"free\"]"));
  CHECK_TEXT(
      keep_do(store, GKIT_OPERATION_GET_ALL,
              "{\"type\":\"time\",\"from_ns\":1700000009000000000,\"to_ns\":1700000009000000001}",
              NULL),
      "[{\"source\":\"memory|machine\",\"time\":" AT(
          "09") ",\"free\":null,\"free.status\":\"noData\"}]");
  gkit_release(store);
  keep_close(&keep);
}

/* Intervals, and what a name, or a number, must be. */
static void rows_come_to_intervals(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  gkit_datasource *store = keep_store(
      &keep, "recording", in_path(",\"sources\":[\"ticks\"],\"interval_ns\":10000000000"));
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, ALL, NULL),
             "[{\"source\":\"ticks\",\"time\":" AT(
                 "00") ",\"rows\":10,\"value.min\":0.0,"
                       "\"value.max\":9.0,\"value.mean\":4.5},"
                       "{\"source\":\"ticks\",\"time\":" AT(
                           "10") ",\"rows\":10,\"value.min\":10.0,"
                                 "\"value.max\":19.0,\"value.mean\":14.5},"
                                 "{\"source\":\"ticks\",\"time\":" AT(
                                     "20") ",\"rows\":1,\"value.min\":20.0,"
                                           "\"value.max\":20.0,\"value.mean\":20.0}]");
  gkit_release(store);
  store = keep_store(&keep, "recording",
                     in_path(",\"sources\":[\"odd\",\"ticks\"],\"properties\":[\"value\"]"));
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, ALL, NULL), "NOT_FOUND missing odd");
  gkit_release(store);
  static const char *const wrong[] = {
      "{}",
      "{\"path\":\"\"}",
      "{\"path\":1}",
      "{\"path\":\"x\",\"interval_ns\":0}",
      "{\"path\":\"x\",\"interval_ns\":-5}",
      "{\"path\":\"x\",\"sources\":\"ticks\"}",
      "{\"path\":\"x\",\"properties\":[1]}",
      "{\"path\":\"x\",\"colour\":1}",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    gkit_dict *options = keep_dict(wrong[i]);
    store = (gkit_datasource *)&keep;
    CHECK_INVALID(gkit_datasource_open(keep.context, "recording", options, &store));
    CHECK(store == NULL);
    gkit_release(options);
  }
  store = keep_store(&keep, "recording", "{\"path\":\"/proc/none.gkr\"}");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, ALL, NULL), "IO");
  gkit_release(store);
  keep_close(&keep);
}

/* L36: nothing is deleted while it is recorded; afterwards what was asked for, and only that. */
static void times_are_deleted(void) {
  sim sim;
  keep keep;
  gkit_source *source = NULL;
  gkit_stream *ticks = NULL;
  static const char first[] = "{\"type\":\"time\",\"to_ns\":1700000001000000000}";
  if (!sim_open(&sim, MEMORY) || !keep_open(&keep, GKIT_MODE_THREAD))
    return;
  gkit_sink *sink = recorder(&sim, &source, &ticks);
  gkit_datasource *store = keep_store(&keep, "recording", in_path(""));
  for (int second = 0; second <= 2; second++) {
    gkit_value value = gkit_value_int(second);
    CHECK_OK(sim_seek(&sim, second * SECOND));
    CHECK_OK(gkit_stream_send(ticks, &value));
  }
  CHECK_OK(gkit_sink_flush(sink, PATIENCE));
  gkit_future *future = keep_ask(store, GKIT_OPERATION_DELETE, first, NULL);
  CHECK_TEXT(keep_result(future, PATIENCE), "IO");
  gkit_dict *error = NULL;
  gkit_value code;
  CHECK_OK(gkit_future_get_error(future, &error));
  CHECK_OK(gkit_dict_get(error, "errno", &code));
  CHECK_INT(code.as.integer, EBUSY);
  gkit_release(error);
  gkit_release(future);
  CHECK_OK(gkit_sink_close(sink));
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_DELETE, first, NULL), "null");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, keep_id("ticks"), NULL),
             "[" TICK("01", "1") "," TICK("02", "2") "]");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_DELETE_ALL, ALL, NULL), "null");
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_GET_ALL, ALL, NULL), "[]");
  gkit_release(store);
  gkit_release(ticks);
  gkit_release(source);
  gkit_release(sink);
  keep_close(&keep);
  sim_close(&sim);
}

/* What the outputs of a graph told. */
typedef struct told {
  char text[1 << 16];
  size_t length;
} told;

static void on_sample(const gkit_sample *samples, size_t count, void *user_data) {
  told *told = user_data;
  for (size_t i = 0; i < count; i++) {
    char *json = gkit_value_to_json(&samples[i].value);
    size_t room = sizeof told->text - told->length;
    int length =
        snprintf(told->text + told->length, room, "%s %d %u %lld\n", json ? json : "?",
                 (int)samples[i].status, (unsigned)samples[i].flags, (long long)samples[i].boot_ns);
    if (CHECK(length > 0 && (size_t)length < room))
      told->length += (size_t)length;
    gkit_free(json);
  }
}

/* Plays the recording into a graph, as fast as it can, or step by step. */
static void play(told *told, bool is_stepped) {
  static const char graph[] =
      "{\"format\":\"gatheredkit.graph\",\"version\":1,\"patches\":["
      "{\"name\":\"m\",\"type\":\"source\",\"options\":{\"id\":\"memory|machine\"}},"
      "{\"name\":\"a\",\"type\":\"moving_average\",\"options\":{\"window\":3}},"
      "{\"name\":\"c\",\"type\":\"clock\",\"options\":{\"interval\":0.7}}],"
      "\"wires\":[{\"from\":\"m.free\",\"to\":\"a.value\"}],"
      "\"outputs\":[{\"name\":\"average\",\"from\":\"a.value\"},"
      "{\"name\":\"free\",\"from\":\"m.free\"},{\"name\":\"tick\",\"from\":\"c.tick\"}]}";
  static const char *const outputs[] = {"average", "free", "tick"};
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  gkit_patch *patch = NULL;
  int64_t duration = 0;
  gkit_stream *streams[3] = {NULL};
  told->length = 0;
  told->text[0] = '\0';
  options.mode = GKIT_MODE_HOST;
  gkit_context *context = tape_replay(&recording, &options);
  CHECK_OK(gkit_context_set_rate(context, 0));
  CHECK_OK(gkit_patch_from_json(context, graph, sizeof graph - 1, &patch, NULL));
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
    CHECK_OK(gkit_patch_port(patch, outputs[i], true, &streams[i]));
    CHECK_OK(gkit_stream_subscribe(streams[i], NULL, 0, on_sample, told, NULL, NULL));
  }
  gkit_context_position(context, &duration);
  if (is_stepped) {
    for (int64_t moment = 0; moment <= duration; moment += SECOND / 3)
      CHECK_OK(gkit_context_seek(context, moment));
    CHECK_OK(gkit_context_seek(context, duration));
  } else {
    CHECK_OK(gkit_context_set_rate(context, (double)INFINITY));
    while (gkit_context_position(context, NULL) < duration)
      gkit_context_dispatch(context, SECOND / 10);
  }
  CHECK_OK(gkit_context_flush(context, PATIENCE));
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
    gkit_release(streams[i]);
  gkit_release(patch);
  gkit_context_close(context);
  gkit_release(context);
}

/* V14: the same values, in the same order, at the same times, over several files. */
static void a_graph_played_twice_tells_the_same(void) {
  told *once = malloc(sizeof *once), *again = malloc(sizeof *again);
  if (once == NULL || again == NULL)
    abort();
  play(once, false);
  CHECK(once->length > 3000);
  for (int way = 0; way < 3; way++) {
    play(again, way == 2);
    CHECK_TEXT(again->text, once->text);
  }
  free(once);
  free(again);
}

int main(void) {
  if (!tape_make(&recording))
    return 1;
  RUN(recorded);
  RUN(rows_are_found);
  RUN(rows_come_to_intervals);
  RUN(a_graph_played_twice_tells_the_same);
  RUN(times_are_deleted);
  tape_remove(&recording);
  return check_report();
}
