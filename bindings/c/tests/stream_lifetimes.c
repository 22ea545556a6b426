/* Streams 2.2: who keeps whom, what ends when, and what is refused. */
#include "check.h"
#include "probe.h"
#include <string.h>

/* L14, R13: an open connection keeps its stream, a derived stream its input; floating ends. */
static void lifetimes(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim, .name = "a"}, b = {.sim = &sim, .name = "b"};
  gkit_connection *connection = NULL;
  gkit_stream *stream = probe_variable(&sim, 1);
  gkit_stream *derived = probe_apply(stream, "distinct", NULL);
  CHECK_OK(probe_listen(stream, &b, NULL));
  CHECK_OK(probe_listen(derived, &a, &connection));
  CHECK_TEXT(sim_take(&sim), "~b=1 ~a=1");
  CHECK_INT(gkit_stream_subscriber_count(stream), 2);
  gkit_release(derived);
  CHECK_INT(gkit_live_count("stream"), 2);
  CHECK_OK(probe_send(stream, 2));
  CHECK_TEXT(sim_take(&sim), "b=2 a=2");
  gkit_release(stream);
  CHECK_INVALID(probe_send(stream, 3));
  CHECK_INT(gkit_live_count("stream"), 2);
  CHECK_INT(b.destroyed, 0);
  gkit_connection_disconnect(connection);
  CHECK_INT(gkit_live_count("stream"), 0);
  CHECK_INT(a.destroyed, 1);
  CHECK_INT(b.destroyed, 1);
  gkit_release(connection);
  sim_close(&sim);
}

/* L16, R18: connectors take the connections of streams, too. */
static void connectors(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim, .name = "a"};
  gkit_connection *connection = NULL;
  gkit_connector *connector = gkit_connector_new();
  gkit_stream *stream = probe_signal(&sim);
  CHECK_OK(probe_listen(stream, &a, &connection));
  CHECK_OK(gkit_connector_add(connector, connection));
  gkit_release(connection);
  CHECK_OK(probe_send(stream, 1));
  CHECK_TEXT(sim_take(&sim), "a=1");
  gkit_connector_disconnect(connector);
  CHECK_INT(a.destroyed, 1);
  CHECK_OK(probe_send(stream, 2));
  CHECK_TEXT(sim_take(&sim), "");
  gkit_release(connector);
  gkit_release(stream);
  sim_close(&sim);
}

/* R13: after the close of the context everything answers CLOSED, and destroy has run once. */
static void closed(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_sample sample;
  gkit_connection *connection = NULL;
  gkit_value one = gkit_value_int(1);
  probe a = {.sim = &sim, .name = "a"}, b = {.sim = &sim, .name = "b"};
  gkit_stream *stream = probe_variable(&sim, 1), *other = NULL;
  CHECK_OK(probe_listen(stream, &a, &connection));
  CHECK_OK(probe_listen(stream, &b, NULL));
  sim_take(&sim);
  CHECK_OK(gkit_context_close(sim.context));
  CHECK_INT(a.destroyed, 1);
  CHECK_INT(b.destroyed, 1);
  CHECK_STATUS(probe_send(stream, 2), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_stream_get(stream, &sample), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_stream_subscriber_count(stream), GKIT_ERROR_CLOSED);
  CHECK_STATUS(probe_listen(stream, &a, NULL), GKIT_ERROR_CLOSED);
  CHECK_INT(a.destroyed, 2);
  CHECK_STATUS(gkit_stream_unsubscribe(stream, "x"), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_stream_set_option(stream, "cascade_limit", &one), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_stream_apply(stream, "distinct", NULL, &other), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_stream_combine(&stream, 1, "-", &other), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_stream_begin(stream), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_stream_end(stream), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_stream_bind(stream, stream, NULL), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_signal_new(sim.context, &other), GKIT_ERROR_CLOSED);
  CHECK(other == NULL);
  gkit_connection_disconnect(connection);
  gkit_release(connection);
  gkit_release(stream);
  CHECK_TEXT(sim_take(&sim), "");
  sim_close(&sim);
}

/* R17: the streams of one call belong to one context. */
static void two_contexts(void) {
  sim sim, other;
  if (!sim_open(&sim, MEMORY) || !sim_open(&other, MEMORY))
    return;
  gkit_stream *both[] = {probe_variable(&sim, 1), probe_variable(&other, 1)}, *out = NULL;
  CHECK_INVALID(gkit_stream_combine(both, 2, "+", &out));
  CHECK(out == NULL);
  CHECK_INVALID(gkit_stream_bind(both[0], both[1], NULL));
  gkit_release(both[0]);
  gkit_release(both[1]);
  sim_close(&other);
  sim_close(&sim);
}

/* What cannot be made, and why. */
static void bad_types(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_stream *stream = NULL;
  gkit_dict *options = gkit_dict_new(), *list = gkit_list_new();
  gkit_value value = gkit_value_int(0);
  CHECK_STATUS(gkit_stream_new(sim.context, "signl", NULL, &stream), GKIT_ERROR_NOT_FOUND);
  CHECK_TEXT(gkit_last_error()->message, "no type of stream \"signl\"; did you mean signal?");
  CHECK_INVALID(gkit_stream_new(sim.context, NULL, NULL, &stream));
  CHECK_INVALID(gkit_stream_new(sim.context, "signal", list, &stream));
  CHECK_INVALID(gkit_stream_new(sim.context, "timer", NULL, &stream));
  CHECK_OK(gkit_dict_set(options, "interval_ns", &value));
  CHECK_INVALID(gkit_stream_new(sim.context, "timer", options, &stream));
  CHECK_INVALID(gkit_stream_new(sim.context, "signal", options, &stream));
  CHECK_INVALID(gkit_stream_new(sim.context, "variable", options, &stream));
  CHECK_INVALID(gkit_stream_new(sim.context, "publink", options, &stream));
  CHECK_INVALID(gkit_stream_new(sim.context, "signal", NULL, NULL));
  CHECK(stream == NULL);
  CHECK_OK(gkit_stream_new(sim.context, "variable", NULL, &stream));
  CHECK_TEXT(probe_get(stream), "null");
  char *text = gkit_describe(stream);
  CHECK_TEXT(text, "stream updatable of 0 subscribers");
  gkit_free(text);
  gkit_release(stream);
  gkit_release(options);
  gkit_release(list);
  sim_close(&sim);
}

int main(void) {
  RUN(lifetimes);
  RUN(connectors);
  RUN(closed);
  RUN(two_contexts);
  RUN(bad_types);
  return check_report();
}
