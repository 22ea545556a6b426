/* Streams 5: callbacks of a context never overlap, whichever thread sends; none waits for ever. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "probe.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4 };

static int rounds(void) { return getenv("GKIT_TEST_SLOW") ? 100 : 2000; }

typedef struct crowd {
  gkit_context *context;
  gkit_stream *streams[2];
  atomic_int inside, heard, destroyed;
} crowd;

static void on_crowd(const gkit_sample *samples, size_t count, void *user_data) {
  crowd *self = user_data;
  (void)samples;
  (void)count;
  CHECK_INT(atomic_fetch_add(&self->inside, 1), 0);
  atomic_fetch_add(&self->heard, 1);
  CHECK(gkit_context_is_current(self->context));
  atomic_fetch_sub(&self->inside, 1);
}

static void on_crowd_destroy(void *user_data) {
  atomic_fetch_add(&((crowd *)user_data)->destroyed, 1);
}

static void *send_in_crowd(void *user_data) {
  crowd *self = user_data;
  for (int i = 0; i < rounds(); i++)
    CHECK_OK(probe_send(self->streams[i % 2], i));
  return NULL;
}

static void *come_and_go(void *user_data) {
  crowd *self = user_data;
  for (int i = 0; i < rounds(); i++) {
    gkit_connection *connection = NULL;
    CHECK_OK(gkit_stream_subscribe(self->streams[i % 2], NULL, 0, on_crowd, self, on_crowd_destroy,
                                   &connection));
    if (i % 3)
      gkit_connection_disconnect(connection);
    gkit_release(connection);
  }
  return NULL;
}

/* Two streams, two senders and two that come and go; every sink in turn, every destroy once. */
static void crowds(void) {
  pthread_t threads[THREADS];
  sim sim;
  if (!sim_open_as(&sim, MEMORY, GKIT_MODE_THREAD, ""))
    return;
  crowd self = {.context = sim.context};
  self.streams[0] = probe_signal(&sim);
  self.streams[1] = probe_variable(&sim, 0);
  for (int i = 0; i < 2; i++)
    CHECK_OK(gkit_stream_subscribe(self.streams[i], NULL, GKIT_FUTURE_ONLY, on_crowd, &self,
                                   on_crowd_destroy, NULL));
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, i < 2 ? send_in_crowd : come_and_go, &self);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  /* L2: nothing is lost; a value queued on a busy stream was delivered by its drain. */
  CHECK(atomic_load(&self.heard) >= 2 * rounds());
  CHECK_INT(atomic_load(&self.destroyed), 2 * rounds());
  gkit_release(self.streams[0]);
  gkit_release(self.streams[1]);
  CHECK_INT(atomic_load(&self.destroyed), 2 * rounds() + 2);
  sim_close(&sim);
}

typedef struct gate {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool entered, open;
  gkit_stream *stream;
  gkit_connection *connection;
  int destroyed, calls;
  atomic_bool ended;
} gate;

static void wait_for(gate *self, bool *flag) {
  pthread_mutex_lock(&self->lock);
  while (!*flag)
    pthread_cond_wait(&self->changed, &self->lock);
  pthread_mutex_unlock(&self->lock);
}

static void set(gate *self, bool *flag) {
  pthread_mutex_lock(&self->lock);
  *flag = true;
  pthread_cond_broadcast(&self->changed);
  pthread_mutex_unlock(&self->lock);
}

static void on_gate(const gkit_sample *samples, size_t count, void *user_data) {
  gate *self = user_data;
  (void)samples;
  (void)count;
  self->calls++;
  set(self, &self->entered);
  wait_for(self, &self->open);
  CHECK(!atomic_load(&self->ended));
}

static void on_gate_destroy(void *user_data) { ((gate *)user_data)->destroyed++; }

static void *send_one(void *user_data) {
  CHECK_OK(probe_send(((gate *)user_data)->stream, 1));
  return NULL;
}

static void *end_it(void *user_data) {
  gate *self = user_data;
  gkit_connection_disconnect(self->connection);
  atomic_store(&self->ended, true);
  return NULL;
}

/* L3: a send to a busy stream returns at once. Rule 16: disconnect waits for a running call. */
static void busy_streams(void) {
  sim sim;
  pthread_t sender, ender;
  if (!sim_open_as(&sim, MEMORY, GKIT_MODE_THREAD, ""))
    return;
  gate self = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  self.stream = probe_signal(&sim);
  CHECK_OK(gkit_stream_subscribe(self.stream, NULL, 0, on_gate, &self, on_gate_destroy,
                                 &self.connection));
  pthread_create(&sender, NULL, send_one, &self);
  wait_for(&self, &self.entered);
  CHECK_OK(probe_send(self.stream, 2));
  pthread_create(&ender, NULL, end_it, &self);
  set(&self, &self.open);
  pthread_join(sender, NULL);
  pthread_join(ender, NULL);
  CHECK(self.calls == 1 || self.calls == 2);
  /* L15: by the thread that ended it, or by the one that was in the call, directly after. */
  CHECK_INT(self.destroyed, 1);
  gkit_release(self.connection);
  gkit_release(self.stream);
  sim_close(&sim);
}

typedef struct neighbour {
  gkit_stream *other;
  atomic_int heard;
} neighbour;

static void on_neighbour(const gkit_sample *samples, size_t count, void *user_data) {
  neighbour *self = user_data;
  (void)count;
  atomic_fetch_add(&self->heard, 1);
  if (self->other && samples->value.as.integer >= 0)
    CHECK_OK(probe_send(self->other, -1));
}

static void *send_many(void *user_data) {
  for (int i = 0; i < rounds(); i++)
    CHECK_OK(probe_send(user_data, i));
  return NULL;
}

/* Two contexts whose sinks send into each other: neither waits, and everything arrives. */
static void neighbours(void) {
  sim sims[2];
  gkit_stream *streams[2];
  pthread_t threads[2];
  if (!sim_open_as(&sims[0], MEMORY, GKIT_MODE_THREAD, "") ||
      !sim_open_as(&sims[1], MEMORY, GKIT_MODE_THREAD, ""))
    return;
  neighbour sides[2] = {{.heard = 0}, {.heard = 0}};
  for (int i = 0; i < 2; i++)
    streams[i] = probe_signal(&sims[i]);
  for (int i = 0; i < 2; i++) {
    sides[i].other = streams[1 - i];
    CHECK_OK(gkit_stream_subscribe(streams[i], NULL, 0, on_neighbour, &sides[i], NULL, NULL));
  }
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, send_many, streams[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  /* What was handed to the loop of a context is delivered before a flush returns. Delivering it may
     hand a value to the other loop, which then ends there. */
  for (int i = 0; i < 4; i++)
    CHECK_OK(gkit_context_flush(sims[i % 2].context, -1));
  for (int i = 0; i < 2; i++)
    CHECK_INT(atomic_load(&sides[i].heard), 2 * rounds());
  for (int i = 0; i < 2; i++)
    gkit_release(streams[i]);
  for (int i = 0; i < 2; i++)
    sim_close(&sims[i]);
}

int main(void) {
  RUN(crowds);
  RUN(busy_streams);
  RUN(neighbours);
  return check_report();
}
