/* Sinks and replays: C API 12, sources C1 and V14. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include "tape.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tape recording;

/* All that a sink has taken is where it goes. */
static void check_info(const gkit_sink *sink, const char *state) {
  gkit_dict *info = NULL;
  gkit_value value;
  if (!CHECK_OK(gkit_sink_get_info(sink, &info)))
    return;
  if (CHECK_OK(gkit_dict_get(info, "state", &value)))
    CHECK(strcmp(value.as.string, state) == 0);
  CHECK_OK(gkit_dict_get(info, "rows_taken", &value));
  int64_t taken = value.as.integer;
  CHECK(taken > 30);
  CHECK_OK(gkit_dict_get(info, "rows_acknowledged", &value));
  CHECK_INT(value.as.integer, taken);
  CHECK_OK(gkit_dict_get(info, "rows_lost", &value));
  CHECK_INT(value.as.integer, 0);
  CHECK_STATUS(gkit_dict_get(info, "connections", &value), GKIT_ERROR_NOT_FOUND);
  gkit_release(info);
}

/* Records half a minute of a simulated machine, once a second. */
static void recorded(void) {
  sim sim;
  gkit_stream *ticks = NULL;
  if (!sim_open(&sim, MEMORY "10.5 set memory|machine/free 6\n"))
    return;
  gkit_sink *sink = tape_record(&recording, sim.context, "");
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_sink_add_source(sink, source));
  CHECK_OK(gkit_stream_new(sim.context, "signal", NULL, &ticks));
  CHECK_OK(gkit_sink_add_stream(sink, ticks, "ticks"));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 30 * SECOND));
  gkit_value value = gkit_value_int(7);
  CHECK_OK(gkit_stream_send(ticks, &value));
  CHECK_OK(gkit_sink_flush(sink, PATIENCE));
  check_info(sink, "open");
  CHECK_OK(gkit_sink_close(sink));
  CHECK_OK(gkit_sink_close(sink));
  check_info(sink, "closed");
  CHECK_STATUS(gkit_sink_add_source(sink, source), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_sink_flush(sink, 0), GKIT_ERROR_CLOSED);
  gkit_release(ticks);
  gkit_release(source);
  gkit_release(sink);
  sim_close(&sim);
  CHECK_INT(gkit_live_count("sink"), 0);
}

/* All there is, and what comes later. */
static void everything(void) {
  sim sim;
  gkit_dict *info = NULL;
  gkit_value value;
  if (!sim_open(&sim, MEMORY "4 add battery|BAT0\n"))
    return;
  gkit_sink *sink = tape_record(&recording, sim.context, "");
  CHECK_INVALID(gkit_sink_add_all(sink, -1));
  CHECK_INVALID(gkit_sink_add_all(NULL, 0));
  CHECK_OK(gkit_sink_add_all(sink, SECOND));
  CHECK_OK(gkit_sink_add_all(sink, SECOND));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_OK(gkit_sink_get_info(sink, &info));
  CHECK_OK(gkit_dict_get(info, "rows_taken", &value));
  CHECK_INT(value.as.integer, 4);
  gkit_release(info);
  /* The battery, and the aggregate that comes with it. */
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_OK(gkit_sink_get_info(sink, &info));
  CHECK_OK(gkit_dict_get(info, "rows_taken", &value));
  CHECK_INT(value.as.integer, 6 + 2 + 2);
  gkit_release(info);
  CHECK_OK(gkit_sink_close(sink));
  CHECK_STATUS(gkit_sink_add_all(sink, 0), GKIT_ERROR_CLOSED);
  gkit_release(sink);
  sim_close(&sim);
  CHECK_INT(gkit_live_count("sink"), 0);
  CHECK_INT(gkit_live_count("source"), 0);
}

struct heard {
  int64_t rows, last_boot, last_free;
  uint32_t property, unmarked;
};

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
                      void *user_data) {
  struct heard *heard = user_data;
  (void)source;
  for (size_t i = 0; i < count; i++) {
    if (!(samples[i].flags & GKIT_FLAG_REPLAYED))
      heard->unmarked++;
    if (samples[i].property != heard->property)
      continue;
    heard->rows++;
    CHECK(samples[i].boot_ns >= heard->last_boot);
    heard->last_boot = samples[i].boot_ns;
    heard->last_free = samples[i].value.as.integer;
  }
}

static gkit_source *listen(gkit_context *context, struct heard *heard) {
  gkit_source *source = NULL;
  CHECK_OK(gkit_source_open(context, "memory|machine", &source));
  int64_t property = gkit_source_find_property(source, "free");
  CHECK(property >= 0);
  heard->property = (uint32_t)property;
  CHECK_OK(gkit_source_listen(source, on_update, heard, NULL, NULL));
  return source;
}

/* V14: the same source, ids, values and times; stepped through, then from elsewhere. */
static void stepped(void) {
  gkit_context *context = tape_replay(&recording, NULL);
  int64_t duration = 0;
  struct heard heard = {0};
  CHECK_OK(gkit_context_set_rate(context, 0));
  CHECK_INT(gkit_context_position(context, &duration), 0);
  CHECK_INT(duration, 30 * SECOND);
  gkit_source *source = listen(context, &heard);
  CHECK_OK(gkit_source_start(source, 0));
  CHECK_OK(gkit_context_seek(context, 10 * SECOND));
  CHECK_INT(heard.rows, 11);
  CHECK_INT(heard.last_free, 5);
  CHECK_INT(heard.last_boot, 10 * SECOND);
  CHECK_OK(gkit_context_seek(context, 1000 * SECOND));
  CHECK_INT(gkit_context_position(context, NULL), 30 * SECOND);
  CHECK_INT(heard.rows, 31);
  CHECK_INT(heard.last_free, 6);
  CHECK_INT(heard.unmarked, 0);
  heard.last_boot = 0;
  CHECK_OK(gkit_context_seek(context, 3 * SECOND));
  CHECK_OK(gkit_context_flush(context, PATIENCE));
  CHECK_INT(heard.last_free, 5);
  CHECK_INT(heard.last_boot, 3 * SECOND);
  CHECK_INVALID(gkit_context_seek(context, -1));
  gkit_release(source);
  gkit_context_close(context);
  gkit_release(context);
}

/* As fast as it can, a host that dispatches gets every row. */
static void fast(void) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  struct heard heard = {0};
  options.mode = GKIT_MODE_HOST;
  gkit_context *context = tape_replay(&recording, &options);
  CHECK_OK(gkit_context_set_rate(context, (double)INFINITY));
  gkit_source *source = listen(context, &heard);
  CHECK_OK(gkit_source_start(source, 0));
  while (heard.rows < 31 && gkit_context_dispatch(context, PATIENCE) > 0)
    ;
  CHECK_INT(heard.rows, 31);
  gkit_release(source);
  gkit_context_close(context);
  gkit_release(context);
}

/* What cannot be: formats, options, targets, rates. */
static void refused(void) {
  sim sim;
  gkit_sink *sink = NULL;
  gkit_dict *options = gkit_dict_new();
  gkit_value value = gkit_value_int(1);
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_STATUS(gkit_sink_open(sim.context, "recording", recording.path, NULL, &sink),
               GKIT_ERROR_EXISTS);
  CHECK(sink == NULL);
  CHECK_STATUS(gkit_sink_open(sim.context, "tape", recording.path, NULL, &sink),
               GKIT_ERROR_NOT_FOUND);
  CHECK_STATUS(gkit_sink_open(sim.context, "recording", "/proc/none/x", NULL, &sink),
               GKIT_ERROR_IO);
  CHECK_OK(gkit_dict_set(options, "speed", &value));
  CHECK_INVALID(gkit_sink_open(sim.context, "recording", recording.path, options, &sink));
  CHECK_INVALID(gkit_sink_open(sim.context, NULL, recording.path, NULL, &sink));
  CHECK_INVALID(gkit_sink_open(sim.context, "recording", NULL, NULL, &sink));
  CHECK_INVALID(gkit_sink_flush(NULL, 0));
  CHECK_STATUS(gkit_context_set_rate(sim.context, 1), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(options);
  sim_close(&sim);
  gkit_context *context = tape_replay(&recording, NULL);
  CHECK_INVALID(gkit_context_set_rate(context, -1));
  CHECK_INVALID(gkit_context_set_rate(context, (double)NAN));
  gkit_context_close(context);
  CHECK_STATUS(gkit_context_set_rate(context, 1), GKIT_ERROR_CLOSED);
  gkit_release(context);
}

int main(void) {
  if (!tape_make(&recording))
    return 1;
  RUN(recorded);
  RUN(stepped);
  RUN(fast);
  RUN(everything);
  RUN(recorded);
  RUN(refused);
  tape_remove(&recording);
  return check_report();
}
