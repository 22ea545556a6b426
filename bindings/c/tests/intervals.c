/* I1 to I7: what was asked for, what is granted, what was measured. */
#include "check.h"
#include "sim.h"

static gkit_rates rates_of(const gkit_source *source) {
  gkit_rates rates = GKIT_RATES_INIT;
  CHECK_OK(gkit_source_get_rates(source, &rates));
  return rates;
}

/* I1: what is no interval changes nothing. */
static void negative_intervals(void) {
  sim sim;
  int64_t interval = 0;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_INVALID(gkit_source_start(source, -1));
  CHECK_INVALID(gkit_source_start(source, INT64_MIN));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 500 * MILLISECOND));
  CHECK_INVALID(gkit_source_start(source, -1));
  CHECK(gkit_source_is_updating(source, &interval));
  CHECK_INT(interval, SECOND);
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 5");
  gkit_release(source);
  sim_close(&sim);
}

/* A huge interval is an interval: no arithmetic overflows. */
static void huge_intervals(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, INT64_MAX));
  CHECK_OK(sim_seek(&sim, 1000 * SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5");
  gkit_release(source);
  sim_close(&sim);
}

/* I2: per kind, read at a start without an interval; touches nothing that runs. */
static void defaults(void) {
  sim sim;
  int64_t factory = 0, interval = 0, battery = 0, now = 0;
  CHECK_OK(gkit_kind_get_default_interval("memory", &factory));
  CHECK_OK(gkit_kind_get_default_interval("battery", &battery));
  CHECK_INT(factory, SECOND);
  CHECK_INT(battery, 30 * SECOND);
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, 0));
  CHECK_OK(gkit_kind_set_default_interval("memory", 2 * SECOND));
  CHECK(gkit_source_is_updating(source, &interval));
  CHECK_INT(interval, SECOND);
  CHECK_OK(gkit_kind_get_default_interval("battery", &now));
  CHECK_INT(now, battery);
  CHECK_OK(gkit_source_start(source, 0));
  CHECK(gkit_source_is_updating(source, &interval));
  CHECK_INT(interval, 2 * SECOND);
  CHECK_INVALID(gkit_kind_set_default_interval("memory", -1));
  CHECK_OK(gkit_kind_get_default_interval("memory", &now));
  CHECK_INT(now, 2 * SECOND);
  CHECK_OK(gkit_kind_set_default_interval("memory", 0));
  CHECK_OK(gkit_kind_get_default_interval("memory", &now));
  CHECK_INT(now, factory);
  CHECK_STATUS(gkit_kind_set_default_interval("memroy", SECOND), GKIT_ERROR_NOT_FOUND);
  gkit_release(source);
  sim_close(&sim);
}

/* I3: three numbers, kept apart; the reason says why they differ. */
static void three_numbers(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "0 floor memory|machine 0.5\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_INT(rates_of(source).asked_ns, 0);
  CHECK_INT(rates_of(source).granted_ns, 0);
  CHECK_OK(gkit_source_start(source, 100 * MILLISECOND));
  CHECK_INT(rates_of(source).asked_ns, 100 * MILLISECOND);
  CHECK_INT(rates_of(source).granted_ns, 500 * MILLISECOND);
  CHECK_INT(rates_of(source).measured_ns, 0);
  CHECK(rates_of(source).reason != NULL);
  CHECK_OK(sim_seek(&sim, 0));
  CHECK_INT(rates_of(source).measured_ns, 0);
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  CHECK_INT(rates_of(source).measured_ns, 500 * MILLISECOND);
  CHECK_INT(rates_of(source).skipped, 0);
  CHECK_INT(rates_of(source).dropped, 0);
  CHECK_OK(gkit_source_start(source, 750 * MILLISECOND));
  CHECK_INT(rates_of(source).granted_ns, 750 * MILLISECOND);
  CHECK(rates_of(source).reason == NULL);
  gkit_release(source);
  sim_close(&sim);
}

/* C5: down to 1 ms where no device needs protection. */
static void the_shortest_interval(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = NULL;
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  CHECK_OK(gkit_source_start(source, MILLISECOND));
  CHECK_INT(rates_of(source).granted_ns, MILLISECOND);
  CHECK_OK(gkit_source_start(source, 1));
  CHECK_INT(rates_of(source).asked_ns, 1);
  CHECK_INT(rates_of(source).granted_ns, MILLISECOND);
  CHECK(rates_of(source).reason != NULL);
  gkit_release(source);
  sim_close(&sim);
}

static void keep_boot_times(gkit_source *source, const gkit_sample *samples, size_t count,
                            void *user_data) {
  int64_t **next = user_data;
  for (size_t i = 0; i < count; i++)
    if (samples[i].property == sim_property(source, "free"))
      *(*next)++ = samples[i].boot_ns;
}

/* I4: ticks fall at t0 + n x granted; nothing drifts. */
static void the_grid(void) {
  sim sim;
  int64_t times[64] = {0}, *next = times;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = NULL;
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  CHECK_OK(gkit_source_listen(source, keep_boot_times, &next, NULL, NULL));
  CHECK_OK(sim_seek(&sim, 123));
  CHECK_OK(gkit_source_start(source, 333333333));
  CHECK_OK(sim_seek(&sim, 123 + INT64_C(10) * 333333333));
  if (CHECK_INT(next - times, 11))
    for (int i = 0; i <= 10; i++)
      CHECK_INT(times[i], 123 + (int64_t)i * 333333333);
  gkit_release(source);
  sim_close(&sim);
}

/* I5: the slower session has its own ticks, each with the newest reading. */
static void a_slower_session(void) {
  sim fast, slow;
  if (!sim_open(&fast, MEMORY "2.5 set memory|machine/free 6\n5.5 set memory|machine/free 7\n"))
    return;
  slow = fast;
  gkit_source *one = sim_source(&fast, "memory|machine");
  gkit_source *other = sim_source(&slow, "memory|machine");
  CHECK_OK(gkit_source_start(one, SECOND));
  CHECK_OK(gkit_source_start(other, 3 * SECOND));
  CHECK_OK(sim_seek(&fast, 6 * SECOND));
  CHECK_TEXT(sim_take(&fast), "started 5 5 5 6 6 6 7");
  CHECK_TEXT(sim_take(&slow), "started 5 6 7");
  gkit_release(one);
  gkit_release(other);
  sim_close(&fast);
}

/* I7: a burst of events collapses into its last state, which is never lost. */
static void bursts(void) {
  sim sim;
  const char *seen;
  if (!sim_open(&sim, "0 add battery|BAT0\n0 set battery|BAT0/level 0.9\n"
                      "1 set battery|BAT0/level 0.75\n1.01 set battery|BAT0/level 0.5\n"
                      "1.02 set battery|BAT0/level 0.25\n"))
    return;
  sim.key = "level";
  gkit_source *source = sim_source(&sim, "battery|BAT0");
  CHECK_OK(gkit_source_start(source, 1000 * SECOND));
  CHECK_OK(sim_seek(&sim, 500 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "started 0.9");
  CHECK_OK(sim_seek(&sim, 5 * SECOND));
  seen = sim_take(&sim);
  CHECK_TEXT(seen, "0.75 0.25");
  gkit_release(source);
  sim_close(&sim);
}

int main(void) {
  RUN(negative_intervals);
  RUN(huge_intervals);
  RUN(defaults);
  RUN(three_numbers);
  RUN(the_shortest_interval);
  RUN(the_grid);
  RUN(a_slower_session);
  RUN(bursts);
  return check_report();
}
