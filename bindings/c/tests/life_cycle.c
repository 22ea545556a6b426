/* The life cycle table of a source, row by row, and the laws that go with it. */
#include "check.h"
#include "sim.h"
#include <errno.h>

static uint32_t state_of(const gkit_source *source) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  CHECK_OK(gkit_source_get_info(source, &info));
  return info.state;
}

/* L1, L2, L3, L4: the event comes before the return, the refresh after, then a tick each interval.
 */
static void start_while_idle(void) {
  sim sim;
  int64_t interval = 7;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK(!gkit_source_is_updating(source, &interval));
  CHECK_INT(interval, 0);
  CHECK_INT(state_of(source), GKIT_STATE_IDLE);
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "started");
  CHECK(gkit_source_is_updating(source, &interval));
  CHECK_INT(interval, SECOND);
  CHECK_INT(state_of(source), GKIT_STATE_UPDATING);
  CHECK_OK(sim_seek(&sim, 0));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(sim_seek(&sim, SECOND - 1));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(sim_seek(&sim, 4 * SECOND));
  CHECK_TEXT(sim_take(&sim), "5 5 5");
  gkit_release(source);
  sim_close(&sim);
}

/* L5: the old schedule is dead, also when the interval is equal; no second STARTED. */
static void start_while_updating(void) {
  sim sim;
  int64_t interval = 0;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 500 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "started 5");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(sim_seek(&sim, 500 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(sim_seek(&sim, 1499 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(sim_seek(&sim, 1500 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(gkit_source_start(source, 3 * SECOND));
  CHECK(gkit_source_is_updating(source, &interval));
  CHECK_INT(interval, 3 * SECOND);
  CHECK_OK(sim_seek(&sim, 4499 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(sim_seek(&sim, 4500 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  gkit_release(source);
  sim_close(&sim);
}

/* L6: stopping twice says it once, and nothing follows. */
static void stop_is_idempotent(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_stop(source));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(gkit_source_stop(source));
  CHECK_TEXT(sim_take(&sim), "started stopped");
  CHECK(!gkit_source_is_updating(source, NULL));
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(gkit_source_stop(source));
  CHECK_TEXT(sim_take(&sim), "");
  gkit_release(source);
  sim_close(&sim);
}

/* L8: one update, beside the schedule, in the state it found. */
static void update_values_in_every_state(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "0 add memory|locked\n0 permission memory|locked ask\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_INT(state_of(source), GKIT_STATE_IDLE);
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "");

  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 1500 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "started 5");
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(sim_seek(&sim, 1999 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(sim_seek(&sim, 2 * SECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  gkit_release(source);

  source = sim_source(&sim, "memory|locked");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "asked");
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "permission");
  CHECK_INT(state_of(source), GKIT_STATE_WAITING);
  gkit_release(source);
  sim_close(&sim);
}

/* The last row of the table. */
static void the_last_release_ends_silently(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 5");
  CHECK(gkit_retain(source) == source);
  gkit_release(source);
  CHECK_OK(sim_seek(&sim, 2 * SECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  gkit_release(source);
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_INT(gkit_live_count("source"), 0);
  sim_close(&sim);
}

/* L9: three failed readings in a row end the session; a good one resets the count. */
static void three_failed_readings_stop(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "0.5 fault memory|machine 5\n2.5 clear memory|machine\n"
                             "3.5 fault memory|machine 5\n6.5 clear memory|machine\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 2 * SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 error error");
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_TEXT(sim_take(&sim), "error error");
  CHECK(gkit_source_is_updating(source, NULL));
  CHECK_OK(sim_seek(&sim, 6 * SECOND));
  CHECK_TEXT(sim_take(&sim), "error stopped(error)");
  CHECK(!gkit_source_is_updating(source, NULL));
  /* L13: nothing of the earlier run is left, the strikes included. */
  CHECK_OK(sim_seek(&sim, 7 * SECOND));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 8 * SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 5");
  gkit_release(source);
  sim_close(&sim);
}

static void keep_error(gkit_source *source, const char *source_id, int32_t event,
                       const gkit_error *error, void *user_data) {
  (void)source;
  if (event == GKIT_EVENT_STOPPED && error != NULL)
    *(gkit_error *)user_data = *error;
  CHECK_TEXT(source_id, "memory|machine");
}

/* L9, ruling: the refresh is the first reading, and the error carries the errno of the last. */
static void the_refresh_counts_as_a_reading(void) {
  sim sim;
  gkit_error error = {0, 0, NULL};
  if (!sim_open(&sim, MEMORY "0 fault memory|machine 5\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_listen_events(source, keep_error, &error, NULL, NULL));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "started");
  CHECK_OK(sim_seek(&sim, 10 * SECOND));
  CHECK_TEXT(sim_take(&sim), "error error error stopped(error)");
  CHECK_STATUS(error.code, GKIT_ERROR_UNAVAILABLE);
  CHECK_INT(error.sys_errno, EIO);
  gkit_release(source);
  sim_close(&sim);
}

/* L10: absence is not failure. */
static void absence_keeps_it_updating(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "1.5 remove memory|machine\n10.7 add memory|machine\n"
                             "10.8 set memory|machine/free 7\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 5");
  CHECK_OK(sim_seek(&sim, 1500 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "availability(disconnected) noData");
  CHECK(gkit_source_is_updating(source, NULL));
  CHECK_OK(sim_seek(&sim, 10 * SECOND + 500 * MILLISECOND));
  sim_take(&sim);
  CHECK(gkit_source_is_updating(source, NULL));
  CHECK_OK(sim_seek(&sim, 10 * SECOND + 700 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "availability(available) noData");
  CHECK_OK(sim_seek(&sim, 11 * SECOND));
  CHECK_TEXT(sim_take(&sim), "7");
  gkit_release(source);
  sim_close(&sim);
}

/* L14: what one session does, another does not notice. */
static void sessions_are_private(void) {
  sim first, second;
  gkit_source *other = NULL;
  if (!sim_open(&first, MEMORY))
    return;
  second = first;
  gkit_source *one = sim_source(&first, "memory|machine");
  other = sim_source(&second, "memory|machine");
  CHECK(one != other);
  CHECK_OK(gkit_source_start(other, 2 * SECOND));
  CHECK_OK(gkit_source_start(one, SECOND));
  CHECK_OK(sim_seek(&first, 2 * SECOND));
  CHECK_TEXT(sim_take(&first), "started 5 5 5");
  CHECK_TEXT(sim_take(&second), "started 5 5");
  CHECK_OK(gkit_source_start(one, 100 * MILLISECOND));
  CHECK_OK(gkit_source_stop(one));
  CHECK_TEXT(sim_take(&second), "");
  gkit_release(one);
  CHECK_OK(sim_seek(&first, 4 * SECOND));
  CHECK_TEXT(sim_take(&second), "5");
  gkit_release(other);
  sim_close(&first);
}

/* C6: each running source of a closing context says that it stopped. */
static void closing_stops_each(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(gkit_context_close(sim.context));
  CHECK_TEXT(sim_take(&sim), "started stopped");
  CHECK(!gkit_source_is_updating(source, NULL));
  CHECK_STATUS(gkit_source_start(source, SECOND), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_source_stop(source), GKIT_ERROR_CLOSED);
  gkit_release(source);
  sim_close(&sim);
}

int main(void) {
  RUN(start_while_idle);
  RUN(start_while_updating);
  RUN(stop_is_idempotent);
  RUN(update_values_in_every_state);
  RUN(the_last_release_ends_silently);
  RUN(three_failed_readings_stop);
  RUN(the_refresh_counts_as_a_reading);
  RUN(absence_keeps_it_updating);
  RUN(sessions_are_private);
  RUN(closing_stops_each);
  return check_report();
}
