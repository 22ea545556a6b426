/* Rules 14 to 16, T1 to T6: closing and ending wait for what is running. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "keep.h"
#include "sim.h"
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct slow {
  gkit_context *context;
  gkit_connection *own;
  sem_t inside;
  bool over, tries_to_close;
  int calls, destroyed;
  gkit_status closed;
} slow;

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
                      void *user_data) {
  slow *self = user_data;
  (void)source;
  (void)samples;
  (void)count;
  if (self->calls++ > 0)
    return;
  if (self->tries_to_close)
    self->closed = gkit_context_close(self->context);
  sem_post(&self->inside);
  poll(NULL, 0, 50);
  self->over = true;
}

static void on_destroy(void *user_data) { ((slow *)user_data)->destroyed++; }

static gkit_source *start(sim *sim, slow *self, gkit_connection **connection) {
  gkit_source *source = NULL;
  sem_init(&self->inside, 0, 0);
  if (!sim_open_as(sim, MEMORY, GKIT_MODE_THREAD, ""))
    return NULL;
  self->context = sim->context;
  CHECK_OK(gkit_source_open(sim->context, "memory", &source));
  if (!CHECK_OK(gkit_source_start_and_listen(source, MILLISECOND, on_update, self, on_destroy,
                                             connection)))
    return NULL;
  sem_wait(&self->inside);
  return source;
}

/* T6, C6 */
static void closing_waits(void) {
  sim sim;
  slow self = {.over = false};
  gkit_source *source = start(&sim, &self, NULL);
  if (source == NULL)
    return;
  CHECK_OK(gkit_context_close(sim.context));
  CHECK(self.over);
  CHECK_INT(self.destroyed, 1);
  int calls = self.calls;
  poll(NULL, 0, 20);
  CHECK_INT(self.calls, calls);
  gkit_release(source);
  sim_close(&sim);
}

/* Rule 16 */
static void disconnecting_waits(void) {
  sim sim;
  slow self = {.over = false};
  gkit_connection *connection = NULL;
  gkit_source *source = start(&sim, &self, &connection);
  if (source == NULL)
    return;
  gkit_connection_disconnect(connection);
  CHECK(self.over);
  int calls = self.calls;
  poll(NULL, 0, 20);
  CHECK_INT(self.calls, calls);
  gkit_release(connection);
  gkit_release(source);
  sim_close(&sim);
  CHECK_INT(self.destroyed, 1);
}

/* The last row of the life cycle table: no callback after the release returns. */
static void releasing_waits(void) {
  sim sim;
  slow self = {.over = false};
  gkit_source *source = start(&sim, &self, NULL);
  if (source == NULL)
    return;
  gkit_release(source);
  CHECK(self.over);
  int calls = self.calls;
  poll(NULL, 0, 20);
  CHECK_INT(self.calls, calls);
  sim_close(&sim);
  CHECK_INT(self.destroyed, 1);
}

/* T1 */
static void closing_inside_a_callback(void) {
  sim sim;
  slow self = {.tries_to_close = true};
  gkit_source *source = start(&sim, &self, NULL);
  if (source == NULL)
    return;
  gkit_release(source);
  sim_close(&sim);
  CHECK_INT(self.closed, GKIT_ERROR_WRONG_THREAD);
}

static void *wait_for_samples(void *user_data) {
  gkit_sample sample;
  return gkit_reader_read(user_data, &sample, 1, -1) == GKIT_ERROR_CLOSED ? user_data : NULL;
}

/* R5: a waiter is told of the close. */
static void a_waiting_reader(void) {
  sim sim;
  gkit_reader *reader = NULL;
  pthread_t thread;
  void *result = NULL;
  if (!sim_open(&sim, MEMORY))
    return;
  if (CHECK_OK(gkit_reader_new(sim.context, NULL, &reader))) {
    pthread_create(&thread, NULL, wait_for_samples, reader);
    poll(NULL, 0, 20);
    CHECK_OK(gkit_context_close(sim.context));
    pthread_join(thread, &result);
    CHECK(result == reader);
  }
  gkit_release(reader);
  sim_close(&sim);
}

static void *start_and_stop(void *user_data) {
  for (int i = 0; i < 300; i++) {
    CHECK_OK(gkit_source_start(user_data, MILLISECOND));
    CHECK_OK(gkit_source_update_values(user_data, SECOND));
    CHECK_OK(gkit_source_stop(user_data));
  }
  return NULL;
}

static void overlap(gkit_source *source, const gkit_sample *samples, size_t count,
                    void *user_data) {
  int *running = user_data;
  (void)source;
  (void)samples;
  (void)count;
  /* T2: without a lock of our own, any overlap shows. */
  ++*running;
  if (*running != 1)
    CHECK(false);
  --*running;
}

/* T2: calls from four threads, and callbacks that never overlap. */
static void callbacks_never_overlap(void) {
  sim sim;
  int running = 0;
  pthread_t threads[4];
  gkit_source *sources[4] = {NULL};
  if (!sim_open_as(&sim, MEMORY, GKIT_MODE_THREAD, ""))
    return;
  for (int i = 0; i < 4; i++) {
    CHECK_OK(gkit_source_open(sim.context, "memory", &sources[i]));
    CHECK_OK(gkit_source_listen(sources[i], overlap, &running, NULL, NULL));
  }
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, start_and_stop, sources[i]);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; i++)
    gkit_release(sources[i]);
  sim_close(&sim);
  CHECK_INT(running, 0);
}

/* What a get answers before it returns; what a worker has to read is waited for and asked again. */
static const char *answered_at_once(gkit_datasource *store) {
  const char *answer = NULL;
  for (int times = 0; times < 1000; times++) {
    gkit_future *future = keep_ask(store, GKIT_OPERATION_GET, keep_id("1"), NULL);
    gkit_status status = gkit_future_wait(future, 0, NULL);
    answer = keep_result(future, PATIENCE);
    gkit_release(future);
    if (status == GKIT_OK)
      return answer;
  }
  return "never at once";
}

/* Section 6: a get that can be answered without waiting is answered on the caller's thread. The
   first one is not, as it opens the file. */
static void a_get_from_an_open_file_is_answered_at_once(void) {
  keep keep;
  char folder[] = "/tmp/gkit-keep-XXXXXX", options[300];
  if (!keep_open(&keep, GKIT_MODE_HOST) || !CHECK(mkdtemp(folder) != NULL))
    return;
  snprintf(options, sizeof options, "{\"path\":\"%s/s.sqlite\"}", folder);
  gkit_datasource *storage = keep_store(&keep, "storage", options), *cached = NULL;
  CHECK_OK(gkit_datasource_wrap(storage, "cache", NULL, &cached));
  CHECK_TEXT(keep_do(storage, GKIT_OPERATION_PUT, keep_id("1"), "[1,\"x\"]"), "[1,\"x\"]");
  CHECK_TEXT(answered_at_once(storage), "[1,\"x\"]");
  CHECK_TEXT(answered_at_once(cached), "[1,\"x\"]");
  gkit_release(cached);
  gkit_release(storage);
  snprintf(options, sizeof options,
           "{\"path\":\"%s/t.sqlite\",\"table\":\"t\",\"key\":\"n\",\"columns\":["
           "{\"name\":\"n\",\"type\":\"int\"},{\"name\":\"x\",\"type\":\"double\"}]}",
           folder);
  gkit_datasource *rows = keep_store(&keep, "sqlite", options);
  CHECK_TEXT(keep_do(rows, GKIT_OPERATION_PUT, keep_id("1"), "{\"x\":0.5}"), "{\"n\":1,\"x\":0.5}");
  CHECK_TEXT(answered_at_once(rows), "{\"n\":1,\"x\":0.5}");
  gkit_release(rows);
  keep_close(&keep);
  keep_remove(folder);
}

int main(void) {
  RUN(closing_waits);
  RUN(disconnecting_waits);
  RUN(releasing_waits);
  RUN(closing_inside_a_callback);
  RUN(a_waiting_reader);
  RUN(callbacks_never_overlap);
  RUN(a_get_from_an_open_file_is_answered_at_once);
  return check_report();
}
