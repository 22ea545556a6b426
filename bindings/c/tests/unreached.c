/* A context that the host reaches no more goes, whatever waits to be dispatched: every decorator
   over a source that answers at once, asked on the loop or beside it, dispatched or not. */
#include "census.h"
#include "check.h"
#include "keep.h"
#include <pthread.h>
#include <stdlib.h>

enum { NO_DECORATOR, MAP, VALIDATE, RETRY, REPOSITORY, CACHED, CACHE, LOG, ASSEMBLY, DECORATORS };
enum { MEMORY, CUSTOM, SILENT, SOURCES };
enum { FUTURE_FIRST, CONTEXT_FIRST, SOURCE_FIRST, ORDERS };

static int given, freed;

static void on_destroy(void *user_data) {
  (void)user_data;
  __atomic_add_fetch(&freed, 1, __ATOMIC_SEQ_CST);
}

static void answer_at_once(int32_t operation, const gkit_dict *query, const gkit_value *value,
                           gkit_future *reply, void *user_data) {
  gkit_value one = gkit_value_int(1);
  (void)operation, (void)query, (void)value, (void)user_data;
  CHECK_OK(gkit_future_resolve(reply, GKIT_OK, &one, NULL));
}

static void never_answer(int32_t operation, const gkit_dict *query, const gkit_value *value,
                         gkit_future *reply, void *user_data) {
  (void)operation, (void)query, (void)value, (void)reply, (void)user_data;
}

static gkit_status same(const gkit_value *in, gkit_value *out, void *user_data) {
  (void)user_data;
  if (out != NULL)
    *out = *in;
  return GKIT_OK;
}

static bool once_more(const gkit_error *error, uint32_t attempt, void *user_data) {
  (void)error, (void)attempt, (void)user_data;
  return true;
}

static void on_result(gkit_future *future, void *user_data) { (void)future, (void)user_data; }

static gkit_datasource *new_source(gkit_context *context, int kind) {
  gkit_datasource *source = NULL;
  if (kind == MEMORY) {
    CHECK_OK(gkit_datasource_open(context, "memory", NULL, &source));
    return source;
  }
  given++;
  CHECK_OK(gkit_datasource_new_custom(context, kind == CUSTOM ? answer_at_once : never_answer, NULL,
                                      on_destroy, &source));
  return source;
}

static gkit_datasource *decorated(gkit_context *context, gkit_datasource *inner, int kind) {
  gkit_datasource *outer = NULL, *memory = NULL;
  switch (kind) {
  case MAP:
    given++;
    CHECK_OK(gkit_datasource_map(inner, same, same, NULL, on_destroy, &outer));
    break;
  case VALIDATE:
    given++;
    CHECK_OK(gkit_datasource_validate(inner, NULL, same, NULL, on_destroy, &outer));
    break;
  case RETRY:
    given++;
    CHECK_OK(gkit_datasource_retry(inner, NULL, once_more, NULL, on_destroy, &outer));
    break;
  case REPOSITORY:
  case CACHED:
    given++;
    CHECK_OK(gkit_datasource_open(context, "memory", NULL, &memory));
    CHECK_OK(gkit_repository_new(kind == CACHED ? memory : inner, kind == CACHED ? inner : memory,
                                 NULL, same, NULL, NULL, on_destroy, &outer));
    gkit_release(memory);
    break;
  case CACHE:
    CHECK_OK(gkit_datasource_wrap(inner, "cache", NULL, &outer));
    break;
  case LOG:
    CHECK_OK(gkit_datasource_wrap(inner, "log", NULL, &outer));
    break;
  case ASSEMBLY:
    CHECK_OK(gkit_datasource_assemble(inner, inner, inner, &outer));
    break;
  default:
    return gkit_retain(inner);
  }
  return outer;
}

typedef struct call {
  gkit_datasource *source;
  gkit_future *future;
} call;

static void *ask(void *user_data) {
  call *call = user_data;
  call->future = keep_ask(call->source, GKIT_OPERATION_GET, keep_id("a"), NULL);
  return NULL;
}

static void try_out(uint32_t mode, int source, int decorator, bool beside, bool dispatched,
                    int order) {
  keep keep;
  if (!keep_open(&keep, mode))
    return;
  gkit_datasource *inner = new_source(keep.context, source);
  call call = {decorated(keep.context, inner, decorator), NULL};
  pthread_t thread;
  if (!beside) {
    ask(&call);
  } else if (CHECK(pthread_create(&thread, NULL, ask, &call) == 0)) {
    pthread_join(thread, NULL);
  }
  given++;
  CHECK_OK(gkit_future_then(call.future, on_result, NULL, on_destroy));
  if (dispatched && mode == GKIT_MODE_HOST)
    CHECK_OK(gkit_context_dispatch(keep.context, 0));
  void *all[] = {call.future, keep.context, call.source, inner};
  const int orders[ORDERS][4] = {{0, 3, 2, 1}, {1, 0, 2, 3}, {3, 2, 1, 0}};
  for (int i = 0; i < 4; i++)
    gkit_release(all[orders[order][i]]);
}

static void try_all(uint32_t mode) {
  census before = census_take();
  bool is_slow = getenv("GKIT_TEST_SLOW") != NULL;
  for (int source = 0; source < SOURCES; source++)
    for (int decorator = 0; decorator < DECORATORS; decorator++) {
      given = freed = 0;
      for (int way = is_slow; way < (is_slow ? 2 : 4); way++)
        for (int order = 0; order < (is_slow ? 1 : ORDERS); order++)
          try_out(mode, source, decorator, way & 1, way & 2, order);
      if (!CHECK(census_returns(before)))
        return;
      CHECK_INT(__atomic_load_n(&freed, __ATOMIC_SEQ_CST), given);
    }
}

static void nothing_stays_in_host_mode(void) { try_all(GKIT_MODE_HOST); }

static void nothing_stays_in_thread_mode(void) { try_all(GKIT_MODE_THREAD); }

typedef struct last {
  gkit_context *context;
  gkit_future *future;
} last;

static void release_all(gkit_future *future, void *user_data) {
  last *last = user_data;
  (void)future;
  gkit_release(last->future);
  gkit_release(last->context);
}

/* The last handle may go in a callback, which nothing waits for. */
static void a_callback_may_release_the_last_handle(void) {
  census before = census_take();
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  last last = {keep.context, NULL};
  gkit_datasource *inner = new_source(keep.context, CUSTOM);
  call call = {decorated(keep.context, inner, MAP), NULL};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, ask, &call) == 0);
  pthread_join(thread, NULL);
  last.future = call.future;
  CHECK_OK(gkit_future_then(call.future, release_all, &last, NULL));
  gkit_release(call.source);
  gkit_release(inner);
  while (gkit_context_dispatch(keep.context, 0) > 0) {
  }
  CHECK(census_returns(before));
}

int main(void) {
  /* What the library makes once and keeps is there before anything is counted. */
  try_out(GKIT_MODE_THREAD, CUSTOM, MAP, true, false, FUTURE_FIRST);
  try_out(GKIT_MODE_HOST, MEMORY, REPOSITORY, true, true, FUTURE_FIRST);
  RUN(nothing_stays_in_host_mode);
  RUN(nothing_stays_in_thread_mode);
  RUN(a_callback_may_release_the_last_handle);
  return check_report();
}
