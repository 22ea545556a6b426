/* Streams 2.1 to 2.3, rules 13 and 16: order, joining and leaving, greetings, names, lifetimes. */
#include "check.h"
#include "probe.h"
#include <string.h>

/* What a subscriber does inside a callback, once, when a value comes. */
typedef struct actor {
  probe probe;
  gkit_stream *stream;
  int64_t sends;
  gkit_connection *ends;
  probe *joins;
  int64_t refused;
  bool echoes, closes;
} actor;

static void on_acting(const gkit_sample *samples, size_t count, void *user_data) {
  actor *self = user_data;
  probe_on_sample(samples, count, &self->probe);
  if (self->sends) {
    int64_t value = self->sends;
    self->sends = 0;
    CHECK_OK(probe_send(self->stream, value));
    CHECK_OK(probe_send(self->stream, value + 1));
    sim_write(self->probe.sim, "sent");
  }
  if (self->joins) {
    CHECK_OK(probe_listen(self->stream, self->joins, NULL));
    self->joins = NULL;
  }
  if (self->echoes && probe_send(self->stream, samples->value.as.integer + 1) < 0) {
    CHECK_STATUS(gkit_last_error()->code, GKIT_ERROR_LIMIT);
    self->refused = samples->value.as.integer + 1;
    self->echoes = false;
  }
  gkit_connection_disconnect(self->ends);
  if (self->closes)
    CHECK_STATUS(gkit_context_close(self->probe.sim->context), GKIT_ERROR_WRONG_THREAD);
}

static gkit_connection *act(gkit_stream *stream, actor *self) {
  gkit_connection *connection = NULL;
  self->stream = stream;
  CHECK_OK(gkit_stream_subscribe(stream, NULL, 0, on_acting, self, probe_on_destroy, &connection));
  return connection;
}

/* L1 to L5: queued inside, in one order, each subscriber before the next value. */
static void one_order(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  actor a = {.probe = {.sim = &sim, .name = "a"}, .sends = 2};
  probe b = {.sim = &sim, .name = "b"};
  gkit_stream *stream = probe_signal(&sim);
  CHECK_OK(probe_send(stream, 0));
  gkit_connection *connection = act(stream, &a);
  CHECK_OK(probe_listen(stream, &b, NULL));
  CHECK_INT(gkit_stream_subscriber_count(stream), 2);
  CHECK_OK(probe_send(stream, 1));
  CHECK_TEXT(sim_take(&sim), "a=1 sent b=1 a=2 b=2 a=3 b=3");
  CHECK_OK(gkit_stream_send(stream, NULL));
  CHECK_TEXT(sim_take(&sim), "a=null b=null");
  gkit_release(connection);
  CHECK_INT(a.probe.destroyed, 1);
  CHECK_INT(gkit_stream_subscriber_count(stream), 1);
  gkit_release(stream);
  CHECK_INT(b.destroyed, 1);
  sim_close(&sim);
}

/* L6: who joins during a delivery gets what is queued after it, and not before. */
static void joining(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe late = {.sim = &sim, .name = "late"};
  actor a = {.probe = {.sim = &sim, .name = "a"}, .sends = 2, .joins = &late};
  gkit_stream *stream = probe_signal(&sim);
  gkit_connection *connection = act(stream, &a);
  CHECK_OK(probe_send(stream, 1));
  CHECK_TEXT(sim_take(&sim), "a=1 sent a=2 a=3");
  CHECK_OK(probe_send(stream, 4));
  CHECK_TEXT(sim_take(&sim), "a=4 late=4");
  gkit_release(connection);
  gkit_release(stream);
  sim_close(&sim);
}

/* L7, L8: who is ended before its turn gets neither this value nor what is queued. */
static void leaving(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe b = {.sim = &sim, .name = "b"};
  actor a = {.probe = {.sim = &sim, .name = "a"}, .sends = 2};
  gkit_stream *stream = probe_signal(&sim);
  gkit_connection *first = act(stream, &a), *second = NULL;
  CHECK_OK(probe_listen(stream, &b, &second));
  a.ends = second;
  CHECK_OK(probe_send(stream, 1));
  CHECK_TEXT(sim_take(&sim), "a=1 sent a=2 a=3");
  CHECK_INT(b.destroyed, 1);
  a.ends = first;
  CHECK_OK(probe_send(stream, 4));
  CHECK_OK(probe_send(stream, 5));
  CHECK_TEXT(sim_take(&sim), "a=4");
  CHECK_INT(a.probe.destroyed, 1);
  gkit_connection_disconnect(first);
  gkit_release(first);
  gkit_release(second);
  CHECK_INT(a.probe.destroyed, 1);
  CHECK_INT(b.destroyed, 1);
  gkit_release(stream);
  sim_close(&sim);
}

/* L10: one function, subscribed twice, is two subscribers. */
static void every_subscription_its_own(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim, .name = "a"};
  gkit_connection *first = NULL, *second = NULL;
  gkit_stream *stream = probe_signal(&sim);
  CHECK_OK(probe_listen(stream, &a, &first));
  CHECK_OK(gkit_stream_subscribe(stream, NULL, 0, probe_on_sample, &a, NULL, &second));
  CHECK_OK(probe_send(stream, 1));
  CHECK_TEXT(sim_take(&sim), "a=1 a=1");
  gkit_release(second);
  CHECK_OK(probe_send(stream, 2));
  CHECK_TEXT(sim_take(&sim), "a=2");
  gkit_release(first);
  gkit_release(stream);
  sim_close(&sim);
}

/* L12: the send that would exceed the limit is refused; the stream stays usable. */
static void cascades_end(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_value limit = gkit_value_int(3), zero = gkit_value_int(0), flag = gkit_value_bool(true);
  actor a = {.probe = {.sim = &sim}, .echoes = true};
  gkit_stream *stream = probe_signal(&sim);
  gkit_connection *connection = act(stream, &a);
  CHECK_OK(gkit_stream_set_option(stream, "cascade_limit", &limit));
  CHECK_OK(gkit_stream_set_option(stream, "cascadeLimit", &limit));
  CHECK_INVALID(gkit_stream_set_option(stream, "cascade_limit", &zero));
  CHECK_STATUS(gkit_stream_set_option(stream, "cascade_limit", &flag), GKIT_ERROR_TYPE);
  CHECK_OK(probe_send(stream, 1));
  CHECK_TEXT(sim_take(&sim), "1 2 3");
  CHECK_INT(a.refused, 4);
  CHECK_OK(probe_send(stream, 9));
  CHECK_TEXT(sim_take(&sim), "9");
  gkit_release(connection);
  gkit_release(stream);
  sim_close(&sim);
}

/* L19: a variable greets without IS_NEW, unless only the future is wanted. */
static void greetings(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim, .name = "a"}, b = {.sim = &sim, .name = "b"};
  gkit_connection *first = NULL, *second = NULL;
  gkit_stream *stream = probe_variable(&sim, 5);
  CHECK_OK(probe_listen(stream, &a, &first));
  CHECK_TEXT(sim_take(&sim), "~a=5");
  CHECK_OK(
      gkit_stream_subscribe(stream, NULL, GKIT_FUTURE_ONLY, probe_on_sample, &b, NULL, &second));
  CHECK_OK(probe_send(stream, 5));
  CHECK_TEXT(sim_take(&sim), "a=5 b=5");
  CHECK_TEXT(probe_get(stream), "5");
  CHECK_INVALID(gkit_stream_subscribe(stream, NULL, 2, probe_on_sample, &b, NULL, NULL));
  CHECK_INVALID(gkit_stream_subscribe(stream, NULL, 0, NULL, &b, NULL, NULL));
  gkit_release(first);
  gkit_release(second);
  gkit_release(stream);
  sim_close(&sim);
}

/* What is sent carries the present of the context. */
static void on_time(const gkit_sample *samples, size_t count, void *user_data) {
  CHECK_INT(count, 1);
  *(gkit_sample *)user_data = *samples;
}

static void stamps(void) {
  sim sim;
  gkit_sample last;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_stream *stream = probe_signal(&sim);
  memset(&last, 0, sizeof last);
  CHECK_OK(gkit_stream_subscribe(stream, NULL, 0, on_time, &last, NULL, NULL));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_OK(probe_send(stream, 1));
  CHECK_INT(last.boot_ns, 3 * SECOND);
  CHECK_INT(last.time_ns, INT64_C(1700000003) * SECOND);
  CHECK_INT(last.status, GKIT_SAMPLE_OK);
  gkit_release(stream);
  sim_close(&sim);
}

/* Patches L5: a publink greets with its last value; a name has one subscriber, in its place. */
static void publinks(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_sample sample;
  gkit_value off = gkit_value_bool(false), number = gkit_value_int(1);
  probe a = {.sim = &sim, .name = "a"}, b = {.sim = &sim, .name = "b"};
  probe c = {.sim = &sim, .name = "c"}, d = {.sim = &sim, .name = "d"};
  gkit_connection *connection = NULL;
  gkit_stream *stream = probe_publink(&sim), *signal = probe_signal(&sim);
  CHECK_STATUS(gkit_stream_get(stream, &sample), GKIT_ERROR_NO_DATA);
  CHECK_OK(gkit_stream_subscribe(stream, "x", 0, probe_on_sample, &a, probe_on_destroy, NULL));
  CHECK_OK(probe_listen(stream, &b, &connection));
  CHECK_OK(probe_send(stream, 1));
  CHECK_TEXT(sim_take(&sim), "a=1 b=1");
  CHECK_OK(gkit_stream_subscribe(stream, "x", GKIT_FUTURE_ONLY, probe_on_sample, &c,
                                 probe_on_destroy, NULL));
  CHECK_INT(a.destroyed, 1);
  CHECK_OK(gkit_stream_subscribe(stream, "y", 0, probe_on_sample, &d, probe_on_destroy, NULL));
  CHECK_TEXT(sim_take(&sim), "~d=1");
  CHECK_INT(gkit_stream_subscriber_count(stream), 3);
  CHECK_OK(probe_send(stream, 2));
  CHECK_TEXT(sim_take(&sim), "c=2 b=2 d=2");
  CHECK_OK(gkit_stream_unsubscribe(stream, "x"));
  CHECK_OK(gkit_stream_unsubscribe(stream, "nobody"));
  CHECK_INT(c.destroyed, 1);
  CHECK_OK(gkit_stream_set_option(stream, "replays_last", &off));
  CHECK_STATUS(gkit_stream_set_option(stream, "replays_last", &number), GKIT_ERROR_TYPE);
  CHECK_STATUS(gkit_stream_set_option(signal, "replays_last", &off), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(gkit_stream_set_option(signal, "replay_last", &off), GKIT_ERROR_NOT_FOUND);
  gkit_release(connection);
  CHECK_OK(probe_listen(stream, &b, &connection));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_TEXT(probe_get(stream), "2");
  gkit_release(connection);
  /* A name gives no connection, and only publinks know names. */
  a.destroyed = 0;
  CHECK_INVALID(
      gkit_stream_subscribe(stream, "z", 0, probe_on_sample, &a, probe_on_destroy, &connection));
  CHECK_INT(a.destroyed, 1);
  CHECK_STATUS(gkit_stream_subscribe(signal, "z", 0, probe_on_sample, &a, probe_on_destroy, NULL),
               GKIT_ERROR_NOT_SUPPORTED);
  CHECK_INT(a.destroyed, 2);
  CHECK_STATUS(gkit_stream_unsubscribe(signal, "z"), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(gkit_stream_get(signal, &sample), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(signal);
  gkit_release(stream);
  CHECK_INT(d.destroyed, 1);
  sim_close(&sim);
}

/* Inside a sink what would wait for it is refused, and all else works. */
static void inside(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  actor a = {.probe = {.sim = &sim, .name = "a"}, .closes = true};
  gkit_stream *stream = probe_signal(&sim);
  gkit_connection *connection = act(stream, &a);
  CHECK_OK(probe_send(stream, 1));
  CHECK_TEXT(sim_take(&sim), "a=1");
  gkit_release(connection);
  gkit_release(stream);
  sim_close(&sim);
}

int main(void) {
  RUN(one_order);
  RUN(joining);
  RUN(leaving);
  RUN(every_subscription_its_own);
  RUN(cascades_end);
  RUN(greetings);
  RUN(stamps);
  RUN(publinks);
  RUN(inside);
  return check_report();
}
