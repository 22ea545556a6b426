/* What a publisher keeps while there is no broker: fleet F29, F30, F33. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "keep.h"
#include "sim.h"
#include "tape.h"
#include <stdio.h>
#include <time.h>

/* Nothing listens there. */
#define NOWHERE "mqtt:127.0.0.1:1"

static tape place;

/* Options with a spool in the folder of the test, and further members. */
static gkit_dict *spooled(const char *members) {
  char text[200];
  snprintf(text, sizeof text, "{\"device\":\"pi\",\"spool\":\"%s/spool\"%s}", place.folder,
           members);
  return keep_dict(text);
}

static gkit_status publish(gkit_context *context, const char *members, gkit_sink **sink) {
  gkit_dict *options = spooled(members);
  gkit_status status = gkit_sink_open(context, "mqtt", NOWHERE, options, sink);
  gkit_release(options);
  return status;
}

/* A number of a sink's information; -1 while it is not told. */
static int64_t told(const gkit_sink *sink, const char *key) {
  gkit_dict *info = NULL;
  gkit_value value;
  int64_t number = -1;
  if (CHECK_OK(gkit_sink_get_info(sink, &info)) && gkit_dict_get(info, key, &value) == GKIT_OK)
    number = value.as.integer;
  gkit_release(info);
  return number;
}

/* Rows are on the disk when a flush returns, and a second publisher is refused. */
static void kept(void) {
  sim sim;
  gkit_sink *sink = NULL, *second = NULL;
  if (!sim_open(&sim, MEMORY))
    return;
  if (!CHECK_OK(publish(sim.context, "", &sink)))
    return;
  CHECK_STATUS(publish(sim.context, "", &second), GKIT_ERROR_BUSY);
  CHECK_BEGINS(gkit_last_error()->message, "another publisher keeps its rows in /tmp/");
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_sink_add_source(sink, source));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 30 * SECOND));
  CHECK_OK(gkit_sink_flush(sink, PATIENCE));
  int64_t rows = told(sink, "spooled_rows");
  CHECK(rows > 29);
  CHECK(told(sink, "spooled_bytes") > rows);
  CHECK_INT(told(sink, "rows_acknowledged"), 0);
  CHECK_INT(told(sink, "rows_lost"), 0);
  CHECK_OK(gkit_sink_close(sink));
  gkit_release(sink);
  /* What is there is the next one's. */
  CHECK_OK(publish(sim.context, ",\"drain_rate\":1000", &sink));
  const struct timespec moment = {0, MILLISECOND};
  for (int64_t left = PATIENCE; left > 0 && told(sink, "spooled_rows") < 0; left -= MILLISECOND)
    nanosleep(&moment, NULL);
  CHECK_INT(told(sink, "spooled_rows"), rows);
  CHECK_OK(gkit_sink_close(sink));
  gkit_release(sink);
  gkit_release(source);
  sim_close(&sim);
}

/* Options that make no sense. */
static void refused(void) {
  static const char *const wrong[] = {
      "{\"spool\":\"/tmp/none\",\"spool_bytes\":1000}",
      "{\"spool\":\"/tmp/none\",\"drain_rate\":-1}",
      "{\"spool\":\"/tmp/none\",\"qos\":0}",
      "{\"spool\":\"\"}",
      "{\"spool\":7}",
  };
  sim sim;
  gkit_sink *sink = NULL;
  if (!sim_open(&sim, MEMORY))
    return;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    gkit_dict *options = keep_dict(wrong[i]);
    CHECK_INVALID(gkit_sink_open(sim.context, "mqtt", NOWHERE, options, &sink));
    gkit_release(options);
  }
  CHECK(sink == NULL);
  gkit_dict *options = keep_dict("{\"spool\":\"/proc/none\"}");
  CHECK_STATUS(gkit_sink_open(sim.context, "mqtt", NOWHERE, options, &sink), GKIT_ERROR_IO);
  gkit_release(options);
  sim_close(&sim);
}

int main(void) {
  if (!tape_make(&place))
    return 1;
  RUN(kept);
  RUN(refused);
  tape_remove(&place);
  return check_report();
}
