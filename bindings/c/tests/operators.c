/* Streams 2.4: every operator under a manual clock, and every bad argument. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "probe.h"
#include <stdlib.h>
#include <string.h>

/* Steps, one word each: a JSON value is sent, "@3" moves the clock to that second. The answer is
   what a subscriber of the operator heard meanwhile. */
static const char *played(sim *sim, const char *op, const char *arguments, const char *steps) {
  probe a = {.sim = sim};
  gkit_connection *connection = NULL;
  gkit_stream *input = probe_signal(sim);
  gkit_stream *stream = probe_apply(input, op, arguments);
  char copy[512], *rest = copy;
  CHECK_INT(gkit_stream_subscriber_count(input), strcmp(op, "counted") == 0 ? 1 : 0);
  CHECK_OK(probe_listen(stream, &a, &connection));
  CHECK_INT(gkit_stream_subscriber_count(input), 1);
  CHECK_INT(gkit_stream_subscriber_count(stream), 1);
  strncpy(copy, steps, sizeof copy - 1);
  copy[sizeof copy - 1] = '\0';
  for (char *word = strtok_r(rest, " ", &rest); word; word = strtok_r(rest, " ", &rest))
    if (*word == '@')
      CHECK_OK(sim_seek(sim, strtoll(word + 1, NULL, 10) * SECOND));
    else
      CHECK_OK(probe_send_json(input, word));
  gkit_connection_disconnect(connection);
  CHECK_INT(a.destroyed, 1);
  CHECK_INT(gkit_stream_subscriber_count(input), strcmp(op, "counted") == 0 ? 1 : 0);
  gkit_release(connection);
  gkit_release(stream);
  CHECK_INT(gkit_stream_subscriber_count(input), 0);
  gkit_release(input);
  return sim_take(sim);
}

static void without_time(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_TEXT(played(&sim, "distinct", NULL, "1 1 1.0 1 \"a\" \"a\""), "1 1.0 1 \"a\"");
  CHECK_TEXT(played(&sim, "buffered", NULL, "1 1 2"), "1 1 2");
  CHECK_TEXT(played(&sim, "counted", NULL, "7 7 7"), "~0 1 2 3");
  CHECK_TEXT(played(&sim, "flatten", NULL, "[1,2] 3 [] [[4]]"), "1 2 [4]");
  CHECK_TEXT(played(&sim, "bracketed", "{\"hello\":\"h\",\"goodbye\":\"g\"}", "1 2"),
             "~\"h\" 1 2 \"g\"");
  CHECK_TEXT(played(&sim, "bracketed", NULL, "1"), "1");
  CHECK_TEXT(played(&sim, "bracketed", "{\"goodbye\":null}", "1"), "1 null");
  CHECK_TEXT(played(&sim, "batch", "{\"count\":2}", "1 2 3 4 5"), "[1,2] [3,4]");
  CHECK_TEXT(played(&sim, "window", "{\"count\":2}", "1 2 3"), "[1] [1,2] [2,3]");
  CHECK_TEXT(played(&sim, "moving_average", "{\"window\":2}", "1 2 4 \"x\" 6"),
             "1.0 1.5 3.0 null 5.0");
  CHECK_TEXT(played(&sim, "movingAverage", "{\"window\":1}", "1 2"), "1.0 2.0");
  CHECK_TEXT(played(&sim, "low_pass", "{\"alpha\":0.5}", "0 8 8"), "0.0 4.0 6.0");
  CHECK_TEXT(played(&sim, "min_change", "{\"delta\":2}", "0 1 2 3 0.5 \"x\" 0.5"), "0 2 null");
  sim_close(&sim);
}

static void in_time(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_TEXT(played(&sim, "throttle", "{\"duration_ns\":2000000000}", "1 2 3 @1 @2 4 @9"), "1 3 4");
  CHECK_TEXT(
      played(&sim, "throttle", "{\"duration_ns\":2000000000,\"latest\":false}", "1 2 @10 3 @11 4"),
      "1 4");
  CHECK_TEXT(played(&sim, "debounce", "{\"duration_ns\":2000000000}", "1 @12 2 @13 @14 @20"), "2");
  CHECK_TEXT(played(&sim, "sample", "{\"duration_ns\":5000000000}", "1 2 @25 @30 3 @36"), "2 3");
  CHECK_TEXT(played(&sim, "batch", "{\"duration_ns\":1000000000}", "1 2 @37 @38 3 @39"),
             "[1,2] [3]");
  CHECK_TEXT(played(&sim, "batch", "{\"count\":2,\"duration_ns\":1000000000}", "1 2 3 @40 @50"),
             "[1,2] [3]");
  CHECK_TEXT(played(&sim, "window", "{\"duration_ns\":1000000000}", "1 @51 2 @52 3"),
             "[1] [1,2] [2,3]");
  CHECK_TEXT(played(&sim, "moving_average", "{\"duration_ns\":1000000000}", "1 @53 3 @54 5"),
             "1.0 2.0 4.0");
  CHECK_TEXT(played(&sim, "low_pass", "{\"time_constant_ns\":1000000000}", "0 @55 8"), "0.0 4.0");
  CHECK_TEXT(played(&sim, "timeout", "{\"duration_ns\":2000000000,\"substitute\":\"s\"}",
                    "@56 1 @57 @58 @59 @65 2 @67"),
             "1 \"s\" 2 \"s\"");
  CHECK_TEXT(played(&sim, "timeout", "{\"durationNs\":2000000000,\"substitute\":null}", "@70"),
             "null");
  sim_close(&sim);
}

static gkit_status tried(gkit_stream *stream, const char *op, const char *arguments) {
  gkit_stream *out = stream;
  gkit_value value = gkit_value_none();
  if (arguments)
    CHECK_OK(gkit_value_from_json(arguments, strlen(arguments), &value));
  gkit_status status = gkit_stream_apply(stream, op, value.as.dict, &out);
  CHECK(out == NULL);
  gkit_value_clear(&value);
  return status;
}

/* L24: what is unknown, missing, of another type or out of range. */
static void bad_arguments(void) {
  static const char *const bad[][2] = {
      {"distinct", "{\"x\":1}"},
      {"counted", "{\"count\":1}"},
      {"bracketed", "{\"hallo\":1}"},
      {"throttle", NULL},
      {"throttle", "{\"duration_ns\":0}"},
      {"throttle", "{\"duration_ns\":-1}"},
      {"throttle", "{\"duration_ns\":1.5}"},
      {"throttle", "{\"duration_ns\":1,\"latest\":1}"},
      {"throttle", "{\"duration_ns\":1,\"last\":true}"},
      {"debounce", NULL},
      {"debounce", "{\"duration_ns\":0}"},
      {"sample", NULL},
      {"sample", "{\"duration_ns\":0}"},
      {"batch", NULL},
      {"batch", "{\"count\":0}"},
      {"batch", "{\"count\":\"2\"}"},
      {"batch", "{\"count\":2,\"duration_ns\":0}"},
      {"window", NULL},
      {"window", "{\"count\":0}"},
      {"window", "{\"duration_ns\":0}"},
      {"window", "{\"count\":1,\"duration_ns\":1}"},
      {"moving_average", NULL},
      {"moving_average", "{\"window\":0}"},
      {"moving_average", "{\"count\":2}"},
      {"moving_average", "{\"window\":1,\"duration_ns\":1}"},
      {"low_pass", NULL},
      {"low_pass", "{\"alpha\":1.5}"},
      {"low_pass", "{\"alpha\":-0.5}"},
      {"low_pass", "{\"alpha\":\"1\"}"},
      {"low_pass", "{\"time_constant_ns\":0}"},
      {"low_pass", "{\"alpha\":0.5,\"time_constant_ns\":1}"},
      {"min_change", NULL},
      {"min_change", "{\"delta\":\"1\"}"},
      {"min_change", "{\"delta\":-1}"},
      {"timeout", "{\"duration_ns\":1}"},
      {"timeout", "{\"substitute\":1}"},
      {"timeout", "{\"duration_ns\":0,\"substitute\":1}"},
  };
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_stream *stream = probe_signal(&sim);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK_INVALID(tried(stream, bad[i][0], bad[i][1]));
  CHECK_STATUS(tried(stream, "throtle", NULL), GKIT_ERROR_NOT_FOUND);
  CHECK_TEXT(gkit_last_error()->message, "no operator \"throtle\"; did you mean throttle?");
  CHECK_INVALID(tried(stream, NULL, NULL));
  CHECK_STATUS(tried(stream, "updates", NULL), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(tried(stream, "changes", NULL), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(tried(stream, "tick", NULL), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_INVALID(gkit_stream_apply(stream, "distinct", NULL, NULL));
  gkit_release(stream);
  sim_close(&sim);
}

static bool double_odd(const gkit_sample *in, gkit_value *out, void *user_data) {
  ++*(int *)user_data;
  CHECK_INT(out->type, GKIT_TYPE_NONE);
  *out = gkit_value_int(in->value.as.integer * 2);
  return in->value.as.integer % 2 != 0;
}

static void count_destroyed(void *user_data) { *(int *)user_data += 100; }

/* L21, L25: once for each subscriber and value, never unobserved. */
static void transforms(void) {
  sim sim;
  int calls = 0;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim, .name = "a"}, b = {.sim = &sim, .name = "b"};
  gkit_connection *first = NULL, *second = NULL;
  gkit_sample sample;
  gkit_stream *variable = probe_variable(&sim, 3), *stream = NULL;
  CHECK_OK(gkit_stream_transform(variable, double_odd, &calls, count_destroyed, &stream));
  CHECK_OK(probe_send(variable, 5));
  CHECK_INT(calls, 0);
  CHECK_OK(probe_listen(stream, &a, &first));
  CHECK_OK(
      gkit_stream_subscribe(stream, NULL, GKIT_FUTURE_ONLY, probe_on_sample, &b, NULL, &second));
  CHECK_TEXT(sim_take(&sim), "~a=10");
  CHECK_OK(probe_send(variable, 4));
  CHECK_OK(probe_send(variable, 7));
  CHECK_TEXT(sim_take(&sim), "a=14 b=14");
  CHECK_INT(calls, 6);
  CHECK_STATUS(gkit_stream_get(stream, &sample), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(probe_send(stream, 1), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(first);
  gkit_release(stream);
  CHECK_INT(calls, 6);
  gkit_release(second);
  CHECK_INT(calls, 106);
  CHECK_INVALID(gkit_stream_transform(variable, NULL, &calls, count_destroyed, &stream));
  CHECK_INT(calls, 206);
  gkit_release(variable);
  sim_close(&sim);
}

/* L44 to L46: ticks on the grid, at their due moments, only while observed. */
static void timers(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim};
  gkit_connection *connection = NULL;
  gkit_stream *timer = NULL;
  gkit_value two = gkit_value_int(2 * SECOND), zero = gkit_value_int(0);
  gkit_value start = gkit_value_int(10 * SECOND);
  CHECK_INVALID(gkit_timer_new(sim.context, 0, &timer));
  CHECK_OK(gkit_timer_new(sim.context, SECOND, &timer));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_OK(probe_listen(timer, &a, &connection));
  CHECK_OK(sim_seek(&sim, 4 * SECOND));
  CHECK_TEXT(sim_take(&sim), "2 3");
  CHECK_OK(gkit_stream_set_option(timer, "interval_ns", &two));
  CHECK_OK(gkit_stream_set_option(timer, "start_ns", &start));
  CHECK_OK(sim_seek(&sim, 14 * SECOND));
  CHECK_TEXT(sim_take(&sim), "0 1 2");
  CHECK_INVALID(gkit_stream_set_option(timer, "interval_ns", &zero));
  CHECK_STATUS(probe_send(timer, 1), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(connection);
  CHECK_OK(sim_seek(&sim, 20 * SECOND));
  CHECK_TEXT(sim_take(&sim), "");
  gkit_release(timer);
  sim_close(&sim);
}

int main(void) {
  RUN(without_time);
  RUN(in_time);
  RUN(bad_arguments);
  RUN(transforms);
  RUN(timers);
  return check_report();
}
