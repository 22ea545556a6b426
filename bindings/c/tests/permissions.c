/* Starts that wait for a permission, and those that are refused. */
#include "check.h"
#include "sim.h"
#include <string.h>

static uint32_t state_of(const gkit_source *source) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  CHECK_OK(gkit_source_get_info(source, &info));
  return info.state;
}

/* The column "waiting" of the life cycle table. */
static void waiting(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "0 permission memory|machine ask\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "asked");
  CHECK(!gkit_source_is_updating(source, NULL));
  CHECK_INT(state_of(source), GKIT_STATE_WAITING);
  CHECK_OK(gkit_source_start(source, 2 * SECOND));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_INT(state_of(source), GKIT_STATE_WAITING);
  CHECK_OK(gkit_source_stop(source));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_INT(state_of(source), GKIT_STATE_IDLE);
  gkit_release(source);
  sim_close(&sim);
}

/* L12: a grant starts what waits, at the interval last asked for. */
static void a_grant_starts(void) {
  sim sim;
  int64_t interval = 0;
  if (!sim_open(&sim,
                MEMORY "0 permission memory|machine ask\n5 permission memory|machine grant\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(gkit_source_start(source, 2 * SECOND));
  CHECK_OK(sim_seek(&sim, 4 * SECOND));
  CHECK_TEXT(sim_take(&sim), "asked");
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_TEXT(sim_take(&sim), "availability(available) started 5");
  CHECK(gkit_source_is_updating(source, &interval));
  CHECK_INT(interval, 2 * SECOND);
  CHECK_OK(sim_seek(&sim, 7 * SECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  gkit_release(source);
  sim_close(&sim);
}

/* L12: a refusal fails what waits; R4: a known no fails at once. */
static void a_refusal_fails(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "0 permission memory|machine ask\n5 permission memory|machine deny\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "asked");
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_TEXT(sim_take(&sim), "availability(permissionDenied) failed");
  CHECK_INT(state_of(source), GKIT_STATE_IDLE);
  CHECK_STATUS(gkit_source_start(source, SECOND), GKIT_ERROR_PERMISSION);
  CHECK_TEXT(sim_take(&sim), "failed");
  CHECK_INT(state_of(source), GKIT_STATE_IDLE);
  gkit_release(source);
  sim_close(&sim);
}

/* L11: a revocation stops what runs. */
static void a_revocation_stops(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "1.5 permission memory|machine revoke\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_TEXT(sim_take(&sim),
             "started 5 5 availability(permissionDenied) permission stopped(error)");
  CHECK(!gkit_source_is_updating(source, NULL));
  gkit_release(source);
  sim_close(&sim);
}

/* R4: the status of a refused start; the event is delivered all the same. */
static void refused_starts(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "1 availability memory|machine poweredOff rfkill\n"
                             "2 availability memory|machine busy other program\n"
                             "3 availability memory|machine restrictedByPolicy sandbox\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "availability(poweredOff)");
  CHECK_STATUS(gkit_source_start(source, 0), GKIT_ERROR_UNAVAILABLE);
  CHECK_TEXT(sim_take(&sim), "failed");
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_UNAVAILABLE);
  CHECK_OK(sim_seek(&sim, 2 * SECOND));
  CHECK_STATUS(gkit_source_start(source, 0), GKIT_ERROR_BUSY);
  CHECK_TEXT(sim_take(&sim), "availability(busy) failed");
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_STATUS(gkit_source_start(source, 0), GKIT_ERROR_PERMISSION);
  CHECK_TEXT(sim_take(&sim), "availability(restrictedByPolicy) failed");
  gkit_release(source);
  sim_close(&sim);
}

/* L10: its power goes away. */
static void a_state_that_goes_and_returns(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "1.5 availability memory|machine poweredOff rfkill\n"
                             "3.5 availability memory|machine available\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 1500 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 5 availability(poweredOff) noData");
  CHECK_OK(sim_seek(&sim, 3400 * MILLISECOND));
  sim_take(&sim);
  CHECK(gkit_source_is_updating(source, NULL));
  CHECK_OK(sim_seek(&sim, 4 * SECOND));
  CHECK_TEXT(sim_take(&sim), "availability(available) 5 5");
  gkit_release(source);
  sim_close(&sim);
}

/* P1: without its category a personal value is withheld, and its neighbours flow. */
static void allow_opens_a_personal_value(void) {
  sim sim;
  gkit_dict *why = NULL;
  gkit_value value;
  if (!sim_open(&sim, "0 add battery|BAT0\n0 set battery|BAT0/level 0.5\n"
                      "0 set battery|BAT0/serial \"4711\"\n"))
    return;
  gkit_source *source = sim_source(&sim, "battery|BAT0");
  uint32_t serial = sim_property(source, "serial");
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_INT(sim_value(source, "serial").status, GKIT_SAMPLE_PERMISSION);
  CHECK_INT(sim_value(source, "level").status, GKIT_SAMPLE_OK);
  if (CHECK_OK(gkit_source_explain(source, serial, &why))) {
    CHECK_STATUS(gkit_dict_get(why, "raw", &value), GKIT_ERROR_NOT_FOUND);
    if (CHECK_OK(gkit_dict_get(why, "remedy", &value)))
      CHECK_TEXT(value.as.string, "open the context with allow=serial");
  }
  gkit_release(why);
  CHECK_OK(gkit_context_set_allow(sim.context, "serial"));
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_INT(sim_value(source, "serial").status, GKIT_SAMPLE_OK);
  gkit_release(source);
  sim_close(&sim);
}

int main(void) {
  RUN(waiting);
  RUN(a_grant_starts);
  RUN(a_refusal_fails);
  RUN(a_revocation_stops);
  RUN(refused_starts);
  RUN(a_state_that_goes_and_returns);
  RUN(allow_opens_a_personal_value);
  return check_report();
}
