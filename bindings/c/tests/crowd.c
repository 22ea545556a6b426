/* Many sources of one context, used by several threads while listeners come and go; a model checks
 * each call.
 *
 *   crowd [SECONDS [SOURCES [THREADS [SEED]]]]
 *
 * Promised, and checked: callbacks never overlap; updates come in order, with sequences and times
 * that never decrease; none begins after a disconnect has returned; each registration is destroyed
 * once, and is not used afterwards; nothing is left behind. */
#define _GNU_SOURCE
#include "check.h"
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SOURCES = 10000, MOST_THREADS = 16, MOST_LISTENERS = 3, ROWS = 64 };

static const uint64_t LIVING = 0x6c6976696e672121, DEAD = 0x64656164;

/** What a registration is given. */
typedef struct registration {
  uint64_t magic;
  bool has_ended;
  uint64_t sequence;
  int64_t boot;
  uint32_t dice;
} registration;

/** A source, which a thread may replace by a new one, and its listeners. */
typedef struct place {
  pthread_rwlock_t lock;
  gkit_source *source;
  struct {
    gkit_connection *connection;
    registration *registration;
  } listeners[MOST_LISTENERS];
  pthread_mutex_t listeners_lock;
} place;

static double seconds = 1;
static int source_count = 1000, thread_count = 4;
static uint64_t seed;
static gkit_context *context;
static place places[MOST_SOURCES];
static double end;

static int64_t made, destroyed, calls, failures;
static uint64_t thread_inside;
static int depth;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void violated(const char *what) {
  if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) < 10)
    fprintf(stderr, "violated: %s\n", what);
}

static uint32_t roll(uint32_t *dice) {
  *dice ^= *dice << 13, *dice ^= *dice >> 17, *dice ^= *dice << 5;
  return *dice;
}

/* -- what the context calls */

static void enter(void) {
  uint64_t self = (uint64_t)pthread_self();
  if (__atomic_load_n(&depth, __ATOMIC_ACQUIRE) > 0 &&
      __atomic_load_n(&thread_inside, __ATOMIC_ACQUIRE) != self)
    violated("callbacks of two threads overlap");
  __atomic_store_n(&thread_inside, self, __ATOMIC_RELEASE);
  __atomic_add_fetch(&depth, 1, __ATOMIC_ACQ_REL);
}

static void leave(void) { __atomic_sub_fetch(&depth, 1, __ATOMIC_ACQ_REL); }

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count, void *data) {
  registration *self = data;
  enter();
  if (__atomic_load_n(&self->magic, __ATOMIC_ACQUIRE) != LIVING)
    violated("called after destroy");
  if (__atomic_load_n(&self->has_ended, __ATOMIC_ACQUIRE))
    violated("called after disconnect had returned");
  if (count > 0) {
    if (samples[0].sequence < self->sequence)
      violated("a sequence decreases");
    if (samples[0].boot_ns < self->boot)
      violated("a time decreases");
    self->sequence = samples[0].sequence;
    self->boot = samples[0].boot_ns;
  }
  __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  if (roll(&self->dice) % 16 == 0) {
    gkit_sample rows[ROWS];
    if (gkit_source_get_values(source, rows, ROWS) < 0)
      violated("no values inside a callback");
  }
  if (roll(&self->dice) % 64 == 0)
    gkit_source_update_values(source, 0);
  leave();
}

static void on_destroy(void *data) {
  registration *self = data;
  if (__atomic_exchange_n(&self->magic, DEAD, __ATOMIC_ACQ_REL) != LIVING)
    violated("destroyed twice");
  __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED);
}

/* -- what threads do; a registration is freed in the end, so that its state can be told */

static registration *all[1 << 20];
static int64_t all_count;

static void listen_to(place *place, uint32_t *dice) {
  pthread_mutex_lock(&place->listeners_lock);
  for (int i = 0; i < MOST_LISTENERS; i++) {
    int64_t number;
    if (place->listeners[i].connection != NULL ||
        (number = __atomic_fetch_add(&all_count, 1, __ATOMIC_RELAXED)) >= 1 << 20)
      continue;
    registration *new = calloc(1, sizeof *new);
    *new = (registration){.magic = LIVING, .dice = roll(dice) | 1};
    all[number] = new;
    __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    if (gkit_source_listen(place->source, on_update, new, on_destroy,
                           &place->listeners[i].connection) < 0)
      violated("listen failed");
    place->listeners[i].registration = new;
    break;
  }
  pthread_mutex_unlock(&place->listeners_lock);
}

static void disconnect(place *place, int which) {
  pthread_mutex_lock(&place->listeners_lock);
  gkit_connection *connection = place->listeners[which].connection;
  registration *self = place->listeners[which].registration;
  place->listeners[which].connection = NULL;
  pthread_mutex_unlock(&place->listeners_lock);
  if (connection == NULL)
    return;
  gkit_connection_disconnect(connection);
  __atomic_store_n(&self->has_ended, true, __ATOMIC_RELEASE);
  gkit_release(connection);
}

static void open_source(place *place, uint32_t *dice) {
  static const char *const kinds[] = {"memory", "cpu", "accelerometer", "battery", "temperature"};
  place->source = NULL;
  if (gkit_source_open(context, kinds[roll(dice) % 5], &place->source) < 0)
    violated(gkit_last_error()->message);
}

static void replace(place *place, uint32_t *dice) {
  pthread_rwlock_wrlock(&place->lock);
  for (int i = 0; i < MOST_LISTENERS; i++)
    disconnect(place, i);
  gkit_release(place->source);
  open_source(place, dice);
  pthread_rwlock_unlock(&place->lock);
}

static void act(place *place, uint32_t *dice) {
  gkit_sample rows[ROWS];
  uint32_t what = roll(dice) % 100;
  if (what < 2) {
    replace(place, dice);
    return;
  }
  pthread_rwlock_rdlock(&place->lock);
  if (what < 25)
    listen_to(place, dice);
  else if (what < 45)
    disconnect(place, (int)(roll(dice) % MOST_LISTENERS));
  else if (what < 70)
    gkit_source_update_values(place->source, -1);
  else if (what < 80)
    gkit_source_start(place->source, INT64_C(1000000) * (10 + roll(dice) % 1000));
  else if (what < 85)
    gkit_source_stop(place->source);
  else if (gkit_source_get_values(place->source, rows, ROWS) < 0)
    violated("no values");
  pthread_rwlock_unlock(&place->lock);
}

/** Until the time is over, and a callback has come, which a busy computer may take long for. */
static bool goes_on(void) {
  if (now() < end)
    return true;
  return __atomic_load_n(&calls, __ATOMIC_RELAXED) == 0 && now() < end + (double)PATIENCE * 1e-9;
}

static void *work(void *argument) {
  uint32_t dice = *(uint32_t *)argument;
  while (goes_on())
    act(&places[roll(&dice) % (uint32_t)source_count], &dice);
  return NULL;
}

static void *dispatch(void *argument) {
  while (!__atomic_load_n((bool *)argument, __ATOMIC_ACQUIRE))
    gkit_context_dispatch(context, INT64_C(10000000));
  return NULL;
}

static void crowd(int32_t mode) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  pthread_t threads[MOST_THREADS], dispatcher;
  uint32_t dice[MOST_THREADS], own = (uint32_t)seed | 1;
  bool is_over = false;
  made = destroyed = calls = failures = all_count = 0;
  options.mode = mode;
  if (!CHECK_OK(gkit_context_open("sim:phone", &options, &context)))
    return;
  for (int i = 0; i < source_count; i++) {
    pthread_rwlock_init(&places[i].lock, NULL);
    pthread_mutex_init(&places[i].listeners_lock, NULL);
    open_source(&places[i], &own);
  }
  end = now() + seconds / 2;
  if (mode == GKIT_MODE_HOST)
    CHECK_INT(pthread_create(&dispatcher, NULL, dispatch, &is_over), 0);
  for (int i = 0; i < thread_count; i++) {
    dice[i] = roll(&own) | 1;
    CHECK_INT(pthread_create(&threads[i], NULL, work, &dice[i]), 0);
  }
  for (int i = 0; i < thread_count; i++)
    pthread_join(threads[i], NULL);
  __atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
  if (mode == GKIT_MODE_HOST)
    pthread_join(dispatcher, NULL);
  /* Half of the registrations end with the context. */
  for (int i = 0; i < source_count; i++) {
    for (int which = 0; which < MOST_LISTENERS; which++)
      if (i % 2 == 0)
        disconnect(&places[i], which);
      else
        gkit_release(places[i].listeners[which].connection);
  }
  CHECK_OK(gkit_context_close(context));
  CHECK_INT(destroyed, made);
  for (int i = 0; i < source_count; i++) {
    gkit_release(places[i].source);
    memset(places[i].listeners, 0, sizeof places[i].listeners);
  }
  gkit_release(context);
  CHECK_INT(failures, 0);
  CHECK(calls > 0);
  for (int64_t i = 0; i < all_count && i < 1 << 20; i++)
    free(all[i]);
}

static void with_a_thread_of_its_own(void) { crowd(GKIT_MODE_THREAD); }
static void on_the_host_s_thread(void) { crowd(GKIT_MODE_HOST); }

int main(int count, char **words) {
  if (getenv("GKIT_TEST_SLOW") != NULL)
    source_count = 20;
  if (count > 1)
    seconds = strtod(words[1], NULL);
  if (count > 2)
    source_count = (int)strtol(words[2], NULL, 10) % MOST_SOURCES;
  if (count > 3)
    thread_count = (int)strtol(words[3], NULL, 10) % MOST_THREADS;
  seed = count > 4 ? strtoull(words[4], NULL, 10) : (uint64_t)getpid();
  RUN(with_a_thread_of_its_own);
  RUN(on_the_host_s_thread);
  return check_report();
}
