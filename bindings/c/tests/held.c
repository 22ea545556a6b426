/* Streams 2.6 as seen from C: views, transactions, combinations, mappings and bindings. */
#include "check.h"
#include "probe.h"

/* L52 to L55: one change a transaction, and every step in updates. */
static void views(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  static const char *const names[] = {"updates", "changes", "tick"};
  probe probes[3] = {{.sim = &sim}, {.sim = &sim}, {.sim = &sim}}, a = {.sim = &sim};
  gkit_connection *connections[4];
  gkit_stream *variable = probe_variable(&sim, 1), *stream = NULL;
  for (int i = 0; i < 3; i++) {
    stream = probe_apply(variable, names[i], NULL);
    CHECK_OK(probe_listen(stream, &probes[i], &connections[i]));
    gkit_release(stream);
  }
  CHECK_OK(probe_listen(variable, &a, &connections[3]));
  CHECK_TEXT(sim_take(&sim), "~1");
  CHECK_OK(gkit_stream_begin(variable));
  CHECK_OK(gkit_stream_begin(variable));
  CHECK_OK(probe_send(variable, 2));
  CHECK_OK(probe_send(variable, 3));
  CHECK_TEXT(probe_get(variable), "3");
  CHECK_OK(gkit_stream_end(variable));
  CHECK_TEXT(sim_take(&sim), "{\"kind\":\"begin\",\"old\":null,\"new\":null} "
                             "{\"kind\":\"change\",\"old\":1,\"new\":2} "
                             "{\"kind\":\"change\",\"old\":2,\"new\":3}");
  CHECK_OK(gkit_stream_end(variable));
  CHECK_TEXT(sim_take(&sim),
             "{\"kind\":\"end\",\"old\":null,\"new\":null} {\"old\":1,\"new\":3} null 3");
  CHECK_INVALID(gkit_stream_end(variable));
  for (int i = 0; i < 4; i++)
    gkit_release(connections[i]);
  gkit_release(variable);
  sim_close(&sim);
}

/* L20, L56: who leaves during a transaction hears its end, or the change so far. */
static void farewells(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim}, b = {.sim = &sim};
  gkit_connection *first = NULL, *second = NULL;
  gkit_stream *variable = probe_variable(&sim, 1);
  gkit_stream *updates = probe_apply(variable, "updates", NULL);
  gkit_stream *changes = probe_apply(variable, "changes", NULL);
  CHECK_OK(probe_listen(updates, &a, &first));
  CHECK_OK(probe_listen(changes, &b, &second));
  CHECK_OK(gkit_stream_begin(variable));
  CHECK_OK(probe_send(variable, 2));
  sim_take(&sim);
  gkit_connection_disconnect(first);
  CHECK_INT(a.destroyed, 1);
  CHECK_TEXT(sim_take(&sim), "{\"kind\":\"end\",\"old\":null,\"new\":null}");
  gkit_release(second);
  CHECK_TEXT(sim_take(&sim), "{\"old\":1,\"new\":2}");
  CHECK_OK(gkit_stream_end(variable));
  CHECK_TEXT(sim_take(&sim), "");
  gkit_release(first);
  gkit_release(updates);
  gkit_release(changes);
  gkit_release(variable);
  sim_close(&sim);
}

/* L62: a combination of updatables is written in one transaction, or not at all. */
static void combinations(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim}, b = {.sim = &sim, .name = "sum"};
  gkit_connection *first = NULL, *second = NULL;
  gkit_stream *x = probe_variable(&sim, 1), *y = probe_variable(&sim, 2);
  gkit_stream *both = probe_combine(x, y, "combine"), *sum = probe_combine(x, y, "+");
  CHECK_TEXT(probe_get(both), "[1,2]");
  CHECK_OK(probe_listen(both, &a, &first));
  CHECK_OK(probe_listen(sum, &b, &second));
  CHECK_TEXT(sim_take(&sim), "~[1,2] ~sum=3");
  CHECK_OK(probe_send_json(both, "[3,4]"));
  CHECK_TEXT(sim_take(&sim), "[3,4] sum=7");
  CHECK_TEXT(probe_get(x), "3");
  CHECK_INVALID(probe_send_json(both, "[3]"));
  CHECK_INVALID(probe_send_json(both, "3"));
  CHECK_OK(gkit_stream_begin(both));
  CHECK_OK(probe_send(x, 5));
  CHECK_OK(probe_send(y, 6));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(gkit_stream_end(both));
  CHECK_TEXT(sim_take(&sim), "[5,6] sum=11");
  CHECK_STATUS(probe_send(sum, 1), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(gkit_stream_begin(sum), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(gkit_stream_end(sum), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(first);
  gkit_release(second);
  gkit_release(both);
  gkit_release(sum);
  gkit_release(x);
  gkit_release(y);
  sim_close(&sim);
}

/* To: tenfold, and no negative numbers. From: a tenth, and only of what divides. */
static gkit_status tenfold(const gkit_value *in, gkit_value *out, void *user_data) {
  (void)user_data;
  if (in->type != GKIT_TYPE_INT || in->as.integer < 0)
    return GKIT_ERROR_USER;
  *out = gkit_value_int(in->as.integer * 10);
  return GKIT_OK;
}

static gkit_status tenth(const gkit_value *in, gkit_value *out, void *user_data) {
  (void)user_data;
  if (in->type != GKIT_TYPE_INT || in->as.integer % 10 != 0)
    return GKIT_ERROR_VALIDATION;
  *out = gkit_value_int(in->as.integer / 10);
  return GKIT_OK;
}

/* L59: mapped both ways; what is rejected is FAILED one way, and the answer the other way. */
static void mappings(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  int destroyed = 0;
  probe a = {.sim = &sim};
  gkit_connection *connection = NULL;
  gkit_stream *x = probe_variable(&sim, 1), *mapped = NULL, *view = NULL;
  gkit_stream *signal = probe_signal(&sim);
  CHECK_OK(gkit_stream_map_both(x, tenfold, tenth, &destroyed, sim_on_destroy, &mapped));
  CHECK_OK(gkit_stream_map_both(x, tenfold, NULL, NULL, NULL, &view));
  CHECK_TEXT(probe_get(mapped), "10");
  CHECK_OK(probe_listen(mapped, &a, &connection));
  CHECK_OK(probe_send(x, 2));
  CHECK_OK(probe_send(mapped, 30));
  CHECK_TEXT(sim_take(&sim), "~10 20 30");
  CHECK_TEXT(probe_get(x), "3");
  CHECK_STATUS(probe_send(mapped, 31), GKIT_ERROR_VALIDATION);
  CHECK_TEXT(probe_get(x), "3");
  CHECK_OK(probe_send(x, -1));
  CHECK_TEXT(sim_take(&sim), "!null");
  CHECK_TEXT(probe_get(view), "!null");
  CHECK_STATUS(probe_send(view, 10), GKIT_ERROR_NOT_SUPPORTED);
  gkit_stream *none = NULL;
  CHECK_STATUS(gkit_stream_map_both(signal, tenfold, NULL, NULL, NULL, &none),
               GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(gkit_stream_map_both(view, tenfold, tenth, &destroyed, sim_on_destroy, &none),
               GKIT_ERROR_NOT_SUPPORTED);
  CHECK_INT(destroyed, 1);
  CHECK_INVALID(gkit_stream_map_both(x, NULL, tenth, &destroyed, sim_on_destroy, &none));
  CHECK_INT(destroyed, 2);
  CHECK(none == NULL);
  gkit_release(connection);
  gkit_release(mapped);
  CHECK_INT(destroyed, 3);
  gkit_release(view);
  gkit_release(x);
  gkit_release(signal);
  sim_close(&sim);
}

/* L67, R18: equal both ways from now on; a floating binding lives as long as `a`. */
static void bindings(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_connection *connection = NULL;
  gkit_stream *a = probe_variable(&sim, 1), *b = probe_variable(&sim, 2);
  gkit_stream *signal = probe_signal(&sim);
  CHECK_OK(gkit_stream_begin(b));
  CHECK_STATUS(gkit_stream_bind(a, b, &connection), GKIT_ERROR_BUSY);
  CHECK(connection == NULL);
  CHECK_OK(gkit_stream_end(b));
  CHECK_STATUS(gkit_stream_bind(a, signal, &connection), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_OK(gkit_stream_bind(a, b, &connection));
  CHECK_TEXT(probe_get(b), "1");
  CHECK_OK(probe_send(b, 3));
  CHECK_TEXT(probe_get(a), "3");
  gkit_connection_disconnect(connection);
  CHECK_OK(probe_send(b, 4));
  CHECK_TEXT(probe_get(a), "3");
  gkit_release(connection);
  CHECK_OK(gkit_stream_bind(a, b, NULL));
  CHECK_OK(probe_send(a, 5));
  CHECK_TEXT(probe_get(b), "5");
  gkit_release(a);
  CHECK_OK(probe_send(b, 6));
  CHECK_TEXT(probe_get(b), "6");
  gkit_release(b);
  gkit_release(signal);
  sim_close(&sim);
}

/* L67: also to what is mapped, whose function refuses what does not fit. */
static void bound_mappings(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_connection *connection = NULL;
  gkit_stream *a = probe_variable(&sim, 20), *b = probe_variable(&sim, 1), *mapped = NULL;
  CHECK_OK(gkit_stream_map_both(b, tenfold, tenth, NULL, NULL, &mapped));
  CHECK_OK(gkit_stream_bind(a, mapped, &connection));
  CHECK_TEXT(probe_get(b), "2");
  CHECK_OK(probe_send(b, 7));
  CHECK_TEXT(probe_get(a), "70");
  CHECK_OK(probe_send(a, 50));
  CHECK_TEXT(probe_get(b), "5");
  gkit_release(connection);
  gkit_release(mapped);
  gkit_release(a);
  gkit_release(b);
  sim_close(&sim);
}

/* L64, L65: distinct and buffered of what is held. */
static void distinct_and_buffered(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim, .name = "d"}, b = {.sim = &sim, .name = "b"};
  gkit_connection *first = NULL, *second = NULL;
  gkit_stream *x = probe_variable(&sim, 1);
  gkit_stream *distinct = probe_apply(x, "distinct", NULL);
  gkit_stream *buffered = probe_apply(x, "buffered", NULL);
  CHECK_OK(probe_listen(distinct, &a, &first));
  CHECK_OK(probe_listen(buffered, &b, &second));
  CHECK_OK(probe_send(x, 1));
  CHECK_TEXT(sim_take(&sim), "~d=1 ~b=1 b=1");
  CHECK_OK(probe_send(distinct, 2));
  sim_take(&sim);
  CHECK_OK(gkit_stream_begin(x));
  CHECK_OK(probe_send(x, 3));
  CHECK_TEXT(probe_get(buffered), "2");
  CHECK_OK(gkit_stream_end(x));
  CHECK_TEXT(probe_get(buffered), "3");
  CHECK_STATUS(probe_send(buffered, 1), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(first);
  gkit_release(second);
  gkit_release(distinct);
  gkit_release(buffered);
  gkit_release(x);
  sim_close(&sim);
}

int main(void) {
  RUN(views);
  RUN(farewells);
  RUN(combinations);
  RUN(mappings);
  RUN(bindings);
  RUN(bound_mappings);
  RUN(distinct_and_buffered);
  return check_report();
}
