/* Functions of the host: each checks what it was given, and at times calls back into the library.
 */
#include "calls.h"

static __thread int depth;

/* Few between two calls of the threads, so that calls that cause one another come to an end. */
static void act(void *user_data) {
  grant_check(user_data);
  if (depth >= 2 || pick(6) != 0 || __atomic_sub_fetch(&calls_in_reserve, 1, __ATOMIC_RELAXED) < 0)
    return;
  depth++;
  calls_make_one();
  depth--;
  grant_check(user_data);
}

/* What lives until the function's next call, whatever thread that is on. */
static void answer(gkit_value *out) {
  static const double numbers[] = {1, 2, 3};
  if (out == NULL)
    return;
  switch (pick(4)) {
  case 0:
    *out = gkit_value_int(7);
    break;
  case 1:
    *out = gkit_value_string("seven");
    break;
  case 2:
    *out = gkit_value_vector(numbers, 3);
    break;
  default:
    *out = gkit_value_double(0.5);
  }
}

void host_update(gkit_source *source, const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples;
  (void)count;
  if (pick(64) == 0)
    pool_put(SOURCE, gkit_retain(source));
  act(user_data);
}

void host_batch(gkit_source *source, const gkit_sample *newest, size_t count,
                const gkit_batch *batch, size_t readings, void *user_data) {
  gkit_sample some[64];
  (void)source;
  (void)newest;
  (void)count;
  (void)gkit_batch_read(batch, pick(3) == 0 ? readings - 1 : (size_t)pick(4), some, pick(65));
  act(user_data);
}

void host_event(gkit_source *source, const char *id, int32_t event, const gkit_error *error,
                void *user_data) {
  (void)source;
  (void)id;
  (void)event;
  (void)error;
  act(user_data);
}

void host_sample(const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples;
  (void)count;
  act(user_data);
}

bool host_transform(const gkit_sample *in, gkit_value *out, void *user_data) {
  (void)in;
  act(user_data);
  answer(out);
  return pick(4) != 0;
}

gkit_status host_input(gkit_patch *patch, const gkit_sample *in, void *user_data) {
  gkit_value value = in->value;
  act(user_data);
  if (pick(2) == 0)
    (void)gkit_patch_publish(patch, "out", &value);
  return pick(8) == 0 ? GKIT_ERROR_PARSE : GKIT_OK;
}

gkit_status host_make(gkit_patch *patch, const gkit_dict *options, void *user_data) {
  (void)options;
  act(user_data);
  (void)gkit_patch_add_input(patch, "in", NULL, host_input, grant_new(), grant_destroy);
  (void)gkit_patch_add_output(patch, "out", NULL);
  return pick(8) == 0 ? GKIT_ERROR_USER : GKIT_OK;
}

gkit_status host_map(const gkit_value *in, gkit_value *out, void *user_data) {
  (void)in;
  act(user_data);
  answer(out);
  return pick(6) == 0 ? GKIT_ERROR_VALIDATION : GKIT_OK;
}

void host_perform(int32_t operation, const gkit_dict *query, const gkit_value *value,
                  gkit_future *reply, void *user_data) {
  (void)operation;
  (void)query;
  act(user_data);
  switch (pick(4)) {
  case 0: /* Later, by any thread. */
    pool_put(FUTURE, gkit_retain(reply));
    break;
  case 1: /* Never. */
    break;
  case 2:
    (void)gkit_future_resolve(reply, GKIT_ERROR_IO, NULL, "refused");
    break;
  default:
    (void)gkit_future_resolve(reply, GKIT_OK, value, NULL);
  }
}

bool host_retry(const gkit_error *error, uint32_t attempt, void *user_data) {
  (void)error;
  act(user_data);
  /* Seldom: retries of retries of retries go on for minutes. */
  return attempt < 3 && pick(6) == 0;
}

bool host_fallback(const gkit_error *main_error, const gkit_error *cache_error, void *user_data) {
  (void)main_error;
  (void)cache_error;
  act(user_data);
  return pick(2) == 0;
}

void host_future(gkit_future *future, void *user_data) {
  (void)gkit_future_wait(future, 0, NULL);
  act(user_data);
}

void host_log(int32_t level, const char *subsystem, const char *message, void *user_data) {
  (void)level;
  (void)subsystem;
  (void)message;
  grant_check(user_data);
}

void host_invoke(void *user_data) { act(user_data); }
