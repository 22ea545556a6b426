/* L15 to L17, rules 13 and 16: who is called, in which order, and for how long. */
#include "check.h"
#include "sim.h"

typedef struct tester {
  sim *sim;
  const char *name;
  gkit_connection *ends;
  gkit_source *starts, *stops;
  bool closes, adds;
  int destroyed;
} tester;

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
                      void *user_data) {
  tester *self = user_data;
  (void)samples;
  CHECK(count >= sim_property_count(source));
  CHECK(gkit_context_is_current(self->sim->context));
  CHECK_INT(self->destroyed, 0);
  sim_write(self->sim, self->name);
  gkit_connection_disconnect(self->ends);
  if (self->stops)
    CHECK_OK(gkit_source_stop(self->stops));
  if (self->starts)
    CHECK_OK(gkit_source_start(self->starts, SECOND));
  if (self->closes) {
    CHECK_STATUS(gkit_context_close(self->sim->context), GKIT_ERROR_WRONG_THREAD);
    CHECK_STATUS(gkit_context_dispatch(self->sim->context, 0), GKIT_ERROR_WRONG_THREAD);
    CHECK_STATUS(gkit_context_flush(self->sim->context, 0), GKIT_ERROR_WRONG_THREAD);
    CHECK_STATUS(gkit_context_seek(self->sim->context, 100 * SECOND), GKIT_ERROR_WRONG_THREAD);
  }
  if (self->adds) {
    static tester late;
    late.sim = self->sim;
    late.name = "late";
    self->adds = false;
    CHECK_OK(gkit_source_listen(source, on_update, &late, NULL, NULL));
  }
}

static void on_destroy(void *user_data) { ((tester *)user_data)->destroyed++; }

static gkit_source *open_memory(sim *sim) {
  gkit_source *source = NULL;
  if (sim_open(sim, MEMORY))
    CHECK_OK(gkit_source_open(sim->context, "memory", &source));
  return source;
}

/* L15: in the order added; one added during a delivery waits for the next. */
static void order(void) {
  sim sim;
  gkit_source *source = open_memory(&sim);
  tester a = {.sim = &sim, .name = "a", .adds = true}, b = {.sim = &sim, .name = "b"};
  CHECK_OK(gkit_source_listen(source, on_update, &a, on_destroy, NULL));
  CHECK_OK(gkit_source_listen(source, on_update, &b, on_destroy, NULL));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 0));
  CHECK_TEXT(sim_take(&sim), "a b");
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "a b late");
  CHECK(!gkit_context_is_current(sim.context));
  gkit_release(source);
  CHECK_INT(a.destroyed, 1);
  CHECK_INT(b.destroyed, 1);
  sim_close(&sim);
}

/* L15: one ended during a delivery is not called again, not even in that delivery. */
static void ended_by_another(void) {
  sim sim;
  gkit_source *source = open_memory(&sim);
  tester a = {.sim = &sim, .name = "a"}, b = {.sim = &sim, .name = "b"};
  gkit_connection *connection = NULL;
  CHECK_OK(gkit_source_listen(source, on_update, &a, on_destroy, NULL));
  CHECK_OK(gkit_source_listen(source, on_update, &b, on_destroy, &connection));
  a.ends = connection;
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 2 * SECOND));
  CHECK_TEXT(sim_take(&sim), "a a a");
  CHECK_INT(b.destroyed, 1);
  gkit_release(connection);
  CHECK_INT(b.destroyed, 1);
  gkit_release(source);
  sim_close(&sim);
}

/* Rule 16: ending oneself inside the callback returns at once; it is the last call. */
static void ending_oneself(void) {
  sim sim;
  gkit_source *source = open_memory(&sim);
  tester a = {.sim = &sim, .name = "a"};
  CHECK_OK(gkit_source_listen(source, on_update, &a, on_destroy, &a.ends));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_TEXT(sim_take(&sim), "a");
  CHECK_INT(a.destroyed, 1);
  gkit_release(a.ends);
  gkit_release(source);
  CHECK_INT(a.destroyed, 1);
  sim_close(&sim);
}

/* T5: stopping inside a listener; STOPPED is the last callback of that run. */
static void stopping_inside(void) {
  sim sim;
  gkit_source *source = open_memory(&sim);
  tester a = {.sim = &sim, .name = "a", .stops = source}, b = {.sim = &sim, .name = "b"};
  CHECK_OK(gkit_source_listen(source, on_update, &a, NULL, NULL));
  CHECK_OK(gkit_source_listen(source, on_update, &b, NULL, NULL));
  CHECK_OK(gkit_source_listen_events(source, sim_on_event, &sim, NULL, NULL));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_TEXT(sim_take(&sim), "started a stopped");
  gkit_release(source);
  sim_close(&sim);
}

/* T5: what is caused inside a callback follows it, in order. */
static void starting_inside(void) {
  sim sim;
  gkit_source *source = open_memory(&sim), *other = sim_source(&sim, "memory|machine");
  tester a = {.sim = &sim, .name = "a", .starts = other};
  gkit_connection *connection = NULL;
  CHECK_OK(gkit_source_listen(source, on_update, &a, NULL, &connection));
  a.ends = connection;
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 0));
  CHECK_TEXT(sim_take(&sim), "a started 5");
  gkit_release(connection);
  gkit_release(source);
  gkit_release(other);
  sim_close(&sim);
}

/* T1, R3, R5: what cannot be done inside a callback says so. */
static void closing_inside(void) {
  sim sim;
  gkit_source *source = open_memory(&sim);
  tester a = {.sim = &sim, .name = "a", .closes = true};
  CHECK_OK(gkit_source_listen(source, on_update, &a, NULL, NULL));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "a a");
  gkit_release(source);
  sim_close(&sim);
}

/* L17: events are never replayed. L7: the start-and-listen helper sees the first update. */
static void hot_events(void) {
  sim sim;
  gkit_connection *connection = NULL;
  gkit_source *source = open_memory(&sim);
  CHECK_OK(gkit_source_start_and_listen(source, SECOND, sim_on_update, &sim, NULL, &connection));
  CHECK(connection != NULL);
  CHECK_OK(gkit_source_listen_events(source, sim_on_event, &sim, NULL, NULL));
  CHECK_OK(sim_seek(&sim, 0));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(gkit_source_stop(source));
  CHECK_TEXT(sim_take(&sim), "stopped");
  gkit_release(connection);
  gkit_release(source);
  sim_close(&sim);
}

/* R18: the connector keeps what is in it, ends it, and can be used again. */
static void connectors(void) {
  sim sim;
  gkit_source *source = open_memory(&sim);
  gkit_connector *connector = gkit_connector_new();
  tester a = {.sim = &sim, .name = "a"};
  for (int round = 1; round <= 2; round++) {
    gkit_connection *connection = NULL;
    a.destroyed = 0;
    CHECK_OK(gkit_source_listen(source, on_update, &a, on_destroy, &connection));
    CHECK_OK(gkit_connector_add(connector, connection));
    gkit_release(connection);
    CHECK_INT(a.destroyed, 0);
    CHECK_OK(gkit_source_update_values(source, SECOND));
    CHECK_TEXT(sim_take(&sim), "a");
    gkit_connector_disconnect(connector);
    CHECK_INT(a.destroyed, 1);
    CHECK_OK(gkit_source_update_values(source, SECOND));
    CHECK_TEXT(sim_take(&sim), "");
  }
  gkit_release(connector);
  gkit_release(source);
  sim_close(&sim);
}

/* Rule 13: exactly once, whatever ends the registration. */
static void destroyed_once(void) {
  sim sim;
  gkit_connection *connection = NULL;
  gkit_source *source = open_memory(&sim);
  tester released = {.sim = &sim}, floating = {.sim = &sim}, closed = {.sim = &sim};
  CHECK_OK(gkit_source_listen(source, on_update, &released, on_destroy, &connection));
  CHECK_OK(gkit_source_listen(source, on_update, &floating, on_destroy, NULL));
  CHECK_OK(gkit_context_invoke(sim.context, on_destroy, &closed, on_destroy));
  gkit_release(connection);
  CHECK_INT(released.destroyed, 1);
  CHECK_INT(floating.destroyed, 0);
  gkit_connection_disconnect(connection);
  CHECK_OK(gkit_context_close(sim.context));
  CHECK_INT(floating.destroyed, 1);
  CHECK_INT(closed.destroyed, 1);
  CHECK_STATUS(gkit_source_listen(source, on_update, &closed, on_destroy, NULL), GKIT_ERROR_CLOSED);
  CHECK_INT(closed.destroyed, 2);
  gkit_release(source);
  sim_close(&sim);
  CHECK_INT(released.destroyed, 1);
  CHECK_INT(floating.destroyed, 1);
}

int main(void) {
  RUN(order);
  RUN(ended_by_another);
  RUN(ending_oneself);
  RUN(stopping_inside);
  RUN(starting_inside);
  RUN(closing_inside);
  RUN(hot_events);
  RUN(connectors);
  RUN(destroyed_once);
  return check_report();
}
