/* R5: HOST mode, its descriptor, dispatch, flush and invoke. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

static bool readable(int fd) {
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  return poll(&entry, 1, 0) == 1;
}

static void count_up(void *user_data) { ++*(int *)user_data; }

static void queued_until_dispatched(void) {
  sim sim;
  int ran = 0, destroyed = 0;
  if (!sim_open(&sim, MEMORY))
    return;
  int fd = gkit_context_fd(sim.context);
  CHECK(fd >= 0);
  CHECK_INT(gkit_context_fd(sim.context), fd);
  CHECK_INT(gkit_context_dispatch(sim.context, 0), 0);
  CHECK(!readable(fd));
  CHECK_OK(gkit_context_invoke(sim.context, count_up, &ran, NULL));
  CHECK_OK(gkit_context_invoke(sim.context, count_up, &ran, NULL));
  CHECK_OK(gkit_context_invoke(sim.context, count_up, &destroyed, sim_on_destroy));
  CHECK_INT(ran, 0);
  CHECK(readable(fd));
  CHECK_INT(gkit_context_dispatch(sim.context, 0), 3);
  CHECK_INT(ran, 2);
  CHECK_INT(destroyed, 2);
  CHECK(!readable(fd));
  CHECK_INT(gkit_context_dispatch(sim.context, MILLISECOND), 0);
  CHECK_OK(gkit_context_invoke(sim.context, count_up, &ran, NULL));
  CHECK_OK(gkit_context_flush(sim.context, -1));
  CHECK_INT(ran, 3);
  sim_close(&sim);
}

typedef struct again {
  gkit_context *context;
  int rounds, left;
} again;

static void invoke_again(void *user_data) {
  again *self = user_data;
  self->rounds++;
  if (self->left-- > 0)
    CHECK_OK(gkit_context_invoke(self->context, invoke_again, self, NULL));
}

/* What is invoked inside a callback is queued behind it: dispatch takes what there was on entry. */
static void invoked_inside(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  again self = {.context = sim.context, .left = 2};
  CHECK_OK(gkit_context_invoke(sim.context, invoke_again, &self, NULL));
  CHECK_INT(gkit_context_dispatch(sim.context, 0), 1);
  CHECK_INT(self.rounds, 1);
  CHECK(readable(gkit_context_fd(sim.context)));
  CHECK_INT(gkit_context_dispatch(sim.context, 0), 1);
  CHECK_INT(gkit_context_dispatch(sim.context, 0), 1);
  CHECK_INT(gkit_context_dispatch(sim.context, 0), 0);
  CHECK_INT(self.rounds, 3);
  sim_close(&sim);
}

/* T3: updates wait for the dispatch; the wait ends with the first. */
static void updates_of_the_machine_s_own_clock(void) {
  sim sim;
  if (!sim_open_as(&sim, MEMORY, GKIT_MODE_HOST, ""))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, 10 * MILLISECOND));
  CHECK_TEXT(sim_take(&sim), "started");
  CHECK(gkit_context_dispatch(sim.context, PATIENCE) > 0);
  CHECK_BEGINS(sim_take(&sim), "5");
  struct pollfd entry = {.fd = gkit_context_fd(sim.context), .events = POLLIN};
  CHECK_INT(poll(&entry, 1, (int)(PATIENCE / MILLISECOND)), 1);
  CHECK(gkit_context_dispatch(sim.context, 0) > 0);
  CHECK_STATUS(gkit_context_seek(sim.context, SECOND), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(source);
  sim_close(&sim);
}

/* Adds the flags of what an update delivers: the source's own value may be newer by now. */
static void collect_flags(gkit_source *source, const gkit_sample *samples, size_t count,
                          void *user_data) {
  (void)source;
  for (size_t i = 0; i < count; i++)
    *(uint32_t *)user_data |= samples[i].flags;
}

/* L18: one undelivered update at most; what was lost is counted and flagged. */
static void a_slow_host(void) {
  sim sim;
  uint32_t flags = 0;
  gkit_rates rates = GKIT_RATES_INIT;
  if (!sim_open_as(&sim, MEMORY, GKIT_MODE_HOST, ""))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, MILLISECOND));
  sim_take(&sim);
  for (int i = 0; i < 10000 && rates.dropped == 0; i++) {
    poll(NULL, 0, 1);
    CHECK_OK(gkit_source_get_rates(source, &rates));
  }
  uint64_t dropped_before = rates.dropped;
  CHECK(dropped_before > 0);
  CHECK_OK(gkit_source_listen(source, collect_flags, &flags, NULL, NULL));
  CHECK_OK(gkit_source_stop(source));
  CHECK_TEXT(sim_take(&sim), "stopped");
  CHECK_INT(gkit_context_dispatch(sim.context, 0), 0);
  CHECK_OK(gkit_source_start(source, MILLISECOND));
  for (int i = 0; i < 10000 && rates.dropped == dropped_before; i++) {
    poll(NULL, 0, 1);
    CHECK_OK(gkit_source_get_rates(source, &rates));
  }
  sim_take(&sim);
  CHECK_INT(gkit_context_dispatch(sim.context, PATIENCE), 2);
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_INT(flags & GKIT_FLAG_GAP_BEFORE, GKIT_FLAG_GAP_BEFORE);
  gkit_release(source);
  sim_close(&sim);
}

typedef struct elsewhere {
  gkit_context *context;
  int ran;
  atomic_bool has_waited, is_done;
} elsewhere;

static void *flush_elsewhere(void *user_data) {
  elsewhere *self = user_data;
  CHECK_OK(gkit_context_invoke(self->context, count_up, &self->ran, NULL));
  CHECK_STATUS(gkit_context_flush(self->context, 20 * MILLISECOND), GKIT_ERROR_TIMEOUT);
  CHECK_INT(self->ran, 0);
  atomic_store(&self->has_waited, true);
  CHECK_OK(gkit_context_flush(self->context, -1));
  CHECK_INT(self->ran, 1);
  atomic_store(&self->is_done, true);
  return NULL;
}

/* R5: a flush on another thread than the loop's waits, even between two dispatches. */
static void flush_on_another_thread(void) {
  sim sim;
  elsewhere self = {.ran = 0};
  pthread_t thread;
  if (!sim_open(&sim, MEMORY))
    return;
  self.context = sim.context;
  CHECK_INT(gkit_context_dispatch(sim.context, 0), 0);
  CHECK_INT(pthread_create(&thread, NULL, flush_elsewhere, &self), 0);
  while (!atomic_load(&self.has_waited))
    poll(NULL, 0, 1);
  while (!atomic_load(&self.is_done))
    gkit_context_dispatch(sim.context, MILLISECOND);
  pthread_join(thread, NULL);
  sim_close(&sim);
}

static void thread_mode_has_no_loop(void) {
  sim sim;
  if (!sim_open_as(&sim, MEMORY, GKIT_MODE_THREAD, "&clock=manual"))
    return;
  CHECK_STATUS(gkit_context_fd(sim.context), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(gkit_context_dispatch(sim.context, 0), GKIT_ERROR_NOT_SUPPORTED);
  sim_close(&sim);
}

int main(void) {
  RUN(queued_until_dispatched);
  RUN(invoked_inside);
  RUN(updates_of_the_machine_s_own_clock);
  RUN(a_slow_host);
  RUN(flush_on_another_thread);
  RUN(thread_mode_has_no_loop);
  return check_report();
}
