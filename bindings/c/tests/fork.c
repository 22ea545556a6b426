/* Rule 18, T8: in a forked child handles are dead, and a new context may be opened. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- what a child does in a context of its own, from two threads at once */

/* Enough for the threads to meet in every lock. */
enum { ROUNDS = 20000, PUTS = 200 };

typedef struct shared {
  gkit_stream *signal, *variable;
  gkit_patch *scale;
  gkit_datasource *store;
  int heard;
} shared;

static void on_sample(const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples;
  __atomic_add_fetch(&((shared *)user_data)->heard, (int)count, __ATOMIC_RELAXED);
}

/* The number of the first thing that was wrong, or NULL. */
static void *use(void *user_data) {
  shared *all = user_data;
  for (int64_t i = 0; i < ROUNDS; i++) {
    gkit_value value = gkit_value_int(i);
    if (gkit_stream_send(all->signal, &value) < 0)
      return (void *)20;
    if (gkit_stream_send(all->variable, &value) < 0)
      return (void *)21;
    if (gkit_patch_set_value(all->scale, "value", &value) < 0)
      return (void *)22;
    if (i % (ROUNDS / PUTS) != 0)
      continue;
    gkit_future *future = NULL;
    gkit_dict *query = gkit_query_new("id", "a");
    if (gkit_datasource_put(all->store, query, &value, &future) < 0)
      return (void *)23;
    if (gkit_future_wait(future, PATIENCE, NULL) < 0)
      return (void *)24;
    gkit_release(future);
    gkit_release(query);
  }
  return NULL;
}

static int in_two_threads(gkit_context *context) {
  shared all = {.heard = 0};
  gkit_value zero = gkit_value_int(0);
  pthread_t other;
  void *fault = NULL, *others = NULL;
  if (gkit_signal_new(context, &all.signal) < 0 ||
      gkit_variable_new(context, &zero, &all.variable) < 0 ||
      gkit_patch_new(context, "scale", NULL, &all.scale) < 0 ||
      gkit_datasource_open(context, "memory", NULL, &all.store) < 0)
    return 10;
  if (gkit_stream_subscribe(all.signal, NULL, 0, on_sample, &all, NULL, NULL) < 0)
    return 11;
  if (pthread_create(&other, NULL, use, &all) != 0)
    return 12;
  fault = use(&all);
  pthread_join(other, &others);
  if (fault != NULL || others != NULL)
    return (int)(intptr_t)(fault != NULL ? fault : others);
  if (gkit_context_flush(context, PATIENCE) < 0)
    return 13;
  if (all.heard != 2 * ROUNDS)
    return 14;
  gkit_release(all.signal);
  gkit_release(all.variable);
  gkit_release(all.scale);
  gkit_release(all.store);
  return 0;
}

/* Runs in the child: the number of the first thing that was wrong, or 0. */
static int in_the_child(gkit_context *context, gkit_source *source) {
  gkit_context *mine = NULL;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  if (gkit_source_start(source, 0) != GKIT_ERROR_FORKED)
    return 1;
  if (gkit_last_error()->code != GKIT_ERROR_FORKED)
    return 2;
  if (gkit_source_get_info(source, &info) != GKIT_ERROR_FORKED)
    return 3;
  if (gkit_source_is_updating(source, NULL))
    return 4;
  if (gkit_context_close(context) != GKIT_ERROR_FORKED)
    return 5;
  if (gkit_context_dispatch(context, -1) != GKIT_ERROR_FORKED)
    return 6;
  gkit_release(source);
  gkit_release(context);
  if (gkit_context_open("sim:empty", NULL, &mine) < 0)
    return 7;
  int fault = in_two_threads(mine);
  if (fault != 0)
    return fault;
  if (gkit_context_close(mine) < 0)
    return 8;
  gkit_release(mine);
  return 0;
}

static void try_in(uint32_t mode) {
  sim sim;
  int status = -1;
  if (!sim_open_as(&sim, MEMORY, mode, "&clock=manual"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  /* What a thread remembers of itself is another's in the child. */
  CHECK_INT(in_two_threads(sim.context), 0);
  pid_t child = fork();
  if (child == 0) {
    alarm(PATIENCE / SECOND);
    _exit(in_the_child(sim.context, source));
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_INT(status, 0);
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 5");
  gkit_release(source);
  sim_close(&sim);
}

static void host_mode(void) { try_in(GKIT_MODE_HOST); }

static void thread_mode(void) { try_in(GKIT_MODE_THREAD); }

int main(void) {
  RUN(host_mode);
  RUN(thread_mode);
  return check_report();
}
