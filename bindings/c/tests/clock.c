/* R3: the manual clock. */
#include "check.h"
#include "sim.h"
#include <stdlib.h>

static void positions(void) {
  sim sim;
  int64_t time = 0, boot = 0, duration = -1;
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_INT(gkit_context_position(sim.context, &duration), 0);
  CHECK_INT(duration, 0);
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_INT(gkit_context_position(sim.context, NULL), 5 * SECOND);
  CHECK_OK(gkit_context_now(sim.context, &time, &boot));
  CHECK_INT(boot, 5 * SECOND);
  CHECK_INT(time, INT64_C(1700000005) * SECOND);
  CHECK_OK(gkit_context_now(sim.context, NULL, NULL));
  CHECK_INVALID(sim_seek(&sim, 5 * SECOND - 1));
  CHECK_INVALID(sim_seek(&sim, -1));
  CHECK_INT(gkit_context_position(sim.context, NULL), 5 * SECOND);
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  sim_close(&sim);
}

/* In both modes on the calling thread, before it returns, in time order, nothing late. */
static void delivers_in(uint32_t mode) {
  sim sim;
  gkit_rates rates = GKIT_RATES_INIT;
  if (!sim_open_as(&sim, MEMORY "1.2 set memory|machine/free 6\n2.2 set memory|machine/free 7\n",
                   mode, "&clock=manual"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, 500 * MILLISECOND));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 5 5 6 6 7 7");
  CHECK_OK(gkit_source_get_rates(source, &rates));
  CHECK_INT(rates.skipped, 0);
  gkit_release(source);
  sim_close(&sim);
}

static void host_mode(void) { delivers_in(GKIT_MODE_HOST); }

static void thread_mode(void) { delivers_in(GKIT_MODE_THREAD); }

/* More than a million callbacks: LIMIT, the clock being at the last one delivered. Left out where
   every instruction is watched: GKIT_TEST_SLOW says so. */
static void the_limit(void) {
  sim sim;
  if (getenv("GKIT_TEST_SLOW") != NULL)
    return;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  sim.key = "nothing";
  CHECK_OK(gkit_source_start(source, MILLISECOND));
  CHECK_STATUS(sim_seek(&sim, 2000 * SECOND), GKIT_ERROR_LIMIT);
  int64_t position = gkit_context_position(sim.context, NULL);
  CHECK(position > 0 && position <= 1001 * SECOND);
  CHECK_INT(position % MILLISECOND, 0);
  gkit_release(source);
  sim_close(&sim);
}

int main(void) {
  RUN(positions);
  RUN(host_mode);
  RUN(thread_mode);
  RUN(the_limit);
  return check_report();
}
