/* The observable of a property: lazy, with a status, and what is made of it. */
#include "check.h"
#include "probe.h"
#include <string.h>

#define UNPLUGGED                                                                                  \
  "0 add memory|machine\n0 set memory|machine/free 5\n3 set memory|machine/free 6\n"               \
  "5 set memory|machine/free 7\n6 remove memory|machine\n8 add memory|machine\n8 set "             \
  "memory|machine/free 9\n"

static void on_numbers(const gkit_sample *samples, size_t count, void *user_data) {
  (void)count;
  *(gkit_sample *)user_data = *samples;
}

/* It greets with what is known, and listens only while it is observed. */
static void observed(void) {
  sim sim;
  gkit_stream *stream = NULL;
  gkit_source *source = NULL;
  gkit_connection *connection = NULL;
  gkit_sample last;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  if (!sim_open(&sim, UNPLUGGED))
    return;
  probe a = {.sim = &sim};
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  CHECK_OK(gkit_source_get_info(source, &info));
  CHECK_STATUS(gkit_source_stream(source, "fre", &stream), GKIT_ERROR_NOT_FOUND);
  CHECK_INVALID(gkit_source_stream(source, NULL, &stream));
  CHECK_OK(gkit_source_stream(source, "free", &stream));
  CHECK_TEXT(probe_get(stream), "!null");
  CHECK_STATUS(probe_send(stream, 1), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(probe_get(stream), "5");
  CHECK_OK(probe_listen(stream, &a, &connection));
  CHECK_TEXT(sim_take(&sim), "~5");
  CHECK_OK(sim_seek(&sim, 4 * SECOND));
  CHECK_TEXT(sim_take(&sim), "5 6 6");
  memset(&last, 0, sizeof last);
  CHECK_OK(gkit_stream_subscribe(stream, NULL, 0, on_numbers, &last, NULL, NULL));
  CHECK_INT(last.source, info.number);
  CHECK_INT(last.property, sim_property(source, "free"));
  CHECK_INT(last.boot_ns, 4 * SECOND);
  /* An unplugged source shows as a status; nothing ends. */
  CHECK_OK(sim_seek(&sim, 7 * SECOND));
  CHECK_TEXT(sim_take(&sim), "7 !null");
  CHECK_OK(sim_seek(&sim, 9 * SECOND));
  CHECK_BEGINS(sim_take(&sim), "9 9");
  gkit_release(source);
  CHECK_OK(sim_seek(&sim, 10 * SECOND));
  CHECK(strlen(sim_take(&sim)) > 0);
  gkit_release(stream);
  CHECK_INT(gkit_live_count("source"), 1);
  gkit_release(connection);
  CHECK_INT(gkit_live_count("source"), 0);
  CHECK_INT(gkit_live_count("stream"), 0);
  sim_close(&sim);
}

/* Operators and combinations take it like any other. */
static void derived(void) {
  sim sim;
  gkit_source *source = NULL;
  gkit_stream *stream = NULL;
  gkit_connection *connection = NULL;
  if (!sim_open(&sim, UNPLUGGED))
    return;
  probe a = {.sim = &sim};
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  CHECK_OK(gkit_source_stream(source, "free", &stream));
  gkit_stream *sum = probe_combine(stream, stream, "+");
  gkit_stream *distinct = probe_apply(sum, "distinct", NULL);
  CHECK_OK(probe_listen(distinct, &a, &connection));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_TEXT(sim_take(&sim), "~!null 10 12 14");
  gkit_release(distinct);
  gkit_release(sum);
  gkit_release(stream);
  gkit_release(source);
  CHECK_INT(gkit_live_count("source"), 1);
  CHECK_OK(gkit_context_close(sim.context));
  CHECK_INT(a.destroyed, 1);
  gkit_release(connection);
  sim_close(&sim);
}

int main(void) {
  RUN(observed);
  RUN(derived);
  return check_report();
}
