/* Two contexts, each inside a callback, that close, release, dispatch and flush one another:
   neither waits for the other. A test that would wait for ever is ended by its alarm. */
#define _POSIX_C_SOURCE 200809L
#include "census.h"
#include "check.h"
#include "keep.h"
#include <pthread.h>
#include <unistd.h>

enum { CLOSE, RELEASE, DISPATCH, FLUSH, ACTIONS };

typedef struct side {
  gkit_context *context, *other;
  pthread_barrier_t *both_inside, *both_done;
  int action;
  bool was_busy;
} side;

static void do_nothing(void *user_data) { (void)user_data; }

/* Acts on the other context while a callback of that one is running. */
static void act(side *side) {
  pthread_barrier_wait(side->both_inside);
  switch (side->action) {
  case CLOSE:
    CHECK_OK(gkit_context_close(side->other));
    break;
  case RELEASE:
    gkit_release(side->other);
    break;
  case DISPATCH:
    side->was_busy = gkit_context_dispatch(side->other, 0) == GKIT_ERROR_BUSY;
    break;
  default:
    CHECK_OK(gkit_context_invoke(side->other, do_nothing, NULL, NULL));
    side->was_busy = gkit_context_flush(side->other, -1) == GKIT_ERROR_BUSY;
  }
  pthread_barrier_wait(side->both_done);
}

static void on_sample(const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples, (void)count;
  act(user_data);
}

/* Delivers on the calling thread, inside the context's turn, without dispatching. */
static void *send(void *user_data) {
  side *side = user_data;
  gkit_stream *stream = NULL;
  gkit_value one = gkit_value_int(1);
  CHECK_OK(gkit_stream_new(side->context, "signal", NULL, &stream));
  CHECK_OK(gkit_stream_subscribe(stream, NULL, 0, on_sample, side, NULL, NULL));
  if (side->action == RELEASE)
    gkit_release(side->context);
  gkit_status status = gkit_stream_send(stream, &one);
  CHECK(status == GKIT_OK || status == GKIT_ERROR_CLOSED);
  gkit_release(stream);
  return NULL;
}

static void cross(int action, uint32_t first, uint32_t second) {
  pthread_barrier_t both_inside, both_done;
  pthread_t threads[2];
  side sides[2];
  census before = census_take();
  CHECK_INT(pthread_barrier_init(&both_inside, NULL, 2), 0);
  CHECK_INT(pthread_barrier_init(&both_done, NULL, 2), 0);
  for (int i = 0; i < 2; i++) {
    gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
    options.mode = i == 0 ? first : second;
    sides[i] = (side){.both_inside = &both_inside, .both_done = &both_done, .action = action};
    CHECK_OK(gkit_context_open("sim:empty", &options, &sides[i].context));
  }
  for (int i = 0; i < 2; i++)
    sides[i].other = action == RELEASE ? gkit_retain(sides[1 - i].context) : sides[1 - i].context;
  for (int i = 0; i < 2; i++)
    CHECK_INT(pthread_create(&threads[i], NULL, send, &sides[i]), 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < 2 && action >= DISPATCH; i++)
    CHECK(sides[i].was_busy);
  for (int i = 0; i < 2 && action != RELEASE; i++) {
    CHECK_OK(gkit_context_close(sides[i].context));
    gkit_release(sides[i].context);
  }
  CHECK(census_returns(before));
  pthread_barrier_destroy(&both_inside);
  pthread_barrier_destroy(&both_done);
}

static void callbacks_of_two_contexts_do_not_wait_for_each_other(void) {
  for (int action = 0; action < ACTIONS; action++) {
    cross(action, GKIT_MODE_HOST, GKIT_MODE_HOST);
    if (action == DISPATCH)
      continue;
    cross(action, GKIT_MODE_THREAD, GKIT_MODE_THREAD);
    cross(action, GKIT_MODE_THREAD, GKIT_MODE_HOST);
  }
}

/* The same on the contexts' own threads, which a close joins elsewhere. */
static void on_thread(void *user_data) { act(user_data); }

static void delivery_threads_close_each_other(void) {
  pthread_barrier_t both_inside, both_done;
  side sides[2];
  census before = census_take();
  CHECK_INT(pthread_barrier_init(&both_inside, NULL, 2), 0);
  CHECK_INT(pthread_barrier_init(&both_done, NULL, 3), 0);
  for (int i = 0; i < 2; i++) {
    sides[i] = (side){.both_inside = &both_inside, .both_done = &both_done};
    CHECK_OK(gkit_context_open("sim:empty", NULL, &sides[i].context));
  }
  for (int i = 0; i < 2; i++)
    sides[i].other = sides[1 - i].context;
  for (int i = 0; i < 2; i++)
    CHECK_OK(gkit_context_invoke(sides[i].context, on_thread, &sides[i], NULL));
  pthread_barrier_wait(&both_done);
  for (int i = 0; i < 2; i++)
    gkit_release(sides[i].context);
  CHECK(census_returns(before));
  pthread_barrier_destroy(&both_inside);
  pthread_barrier_destroy(&both_done);
}

int main(void) {
  alarm(PATIENCE / SECOND);
  RUN(callbacks_of_two_contexts_do_not_wait_for_each_other);
  RUN(delivery_threads_close_each_other);
  return check_report();
}
