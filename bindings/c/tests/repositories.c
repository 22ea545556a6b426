/* Decorators with functions of the host, and repositories. */
#include "check.h"
#include "keep.h"
#include <stdio.h>
#include <string.h>

/* A store of the host's own that fails as told, and what was asked of it. */
typedef struct mock {
  char text[KEEP_WORDS]; /* First: keep_say() of a user_data. */
  gkit_status fails;
  int failures, destroyed, attempt;
  int64_t answer;
} mock;

static void on_destroy(void *user_data) { ((mock *)user_data)->destroyed++; }

static void on_perform(int32_t operation, const gkit_dict *query, const gkit_value *value,
                       gkit_future *reply, void *user_data) {
  static const char *words[] = {"", "get", "get_all", "put", "put_all", "delete"};
  mock *mock = user_data;
  gkit_value answer = gkit_value_int(mock->answer);
  (void)query;
  keep_say(mock->text, words[operation]);
  if (mock->failures != 0) {
    if (mock->failures > 0)
      mock->failures--;
    CHECK_OK(gkit_future_resolve(reply, mock->fails, NULL, "as told"));
  } else {
    CHECK_OK(gkit_future_resolve(reply, GKIT_OK, value ? value : &answer, NULL));
  }
}

static gkit_datasource *mocked(keep *keep, mock *mock) {
  gkit_datasource *source = NULL;
  CHECK_OK(gkit_datasource_new_custom(keep->context, on_perform, mock, on_destroy, &source));
  return source;
}

static gkit_status add_one(const gkit_value *in, gkit_value *out, void *user_data) {
  keep_say(user_data, "out");
  if (in->type != GKIT_TYPE_INT)
    return GKIT_ERROR_USER - 1;
  *out = gkit_value_int(in->as.integer + 1);
  return GKIT_OK;
}

static gkit_status take_one(const gkit_value *in, gkit_value *out, void *user_data) {
  keep_say(user_data, "in");
  if (in->type != GKIT_TYPE_INT)
    return GKIT_ERROR_VALIDATION;
  *out = gkit_value_int(in->as.integer - 1);
  return GKIT_OK;
}

/* L38: mapped each way once; a status of ours is the error, any other is PARSE. */
static void values_are_mapped_both_ways(uint32_t mode) {
  keep keep;
  if (!keep_open(&keep, mode))
    return;
  mock mock = {.text = ""};
  gkit_datasource *memory = keep_store(&keep, "memory", NULL), *mapped = NULL;
  CHECK_INVALID(gkit_datasource_map(memory, add_one, NULL, &mock, on_destroy, &mapped));
  CHECK_INT(mock.destroyed, 1);
  CHECK_OK(gkit_datasource_map(memory, add_one, take_one, &mock, on_destroy, &mapped));
  CHECK_TEXT(keep_do(mapped, GKIT_OPERATION_PUT, keep_id("a"), "5"), "5");
  CHECK_TEXT(keep_take(mock.text), "in out");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, keep_id("a"), NULL), "4");
  CHECK_TEXT(keep_do(mapped, GKIT_OPERATION_PUT_ALL, keep_id("b"), "[1,2]"), "[1,2]");
  CHECK_TEXT(keep_take(mock.text), "in in out out");
  CHECK_TEXT(keep_do(mapped, GKIT_OPERATION_PUT, keep_id("a"), "\"x\""), "VALIDATION");
  CHECK_TEXT(keep_take(mock.text), "in");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_PUT, keep_id("a"), "\"x\""), "\"x\"");
  CHECK_TEXT(keep_do(mapped, GKIT_OPERATION_GET, keep_id("a"), NULL), "PARSE");
  keep_take(mock.text);
  CHECK_TEXT(keep_do(mapped, GKIT_OPERATION_DELETE, keep_id("a"), NULL), "null");
  CHECK_TEXT(keep_take(mock.text), "");
  gkit_release(memory);
  CHECK_INT(gkit_live_count("datasource"), 2);
  gkit_release(mapped);
  CHECK_INT(gkit_live_count("datasource"), 0);
  keep_close(&keep);
  /* A call that has just been answered may hold the functions a moment longer. */
  CHECK_INT(mock.destroyed, 2);
}

static void values_are_mapped(void) {
  values_are_mapped_both_ways(GKIT_MODE_HOST);
  values_are_mapped_both_ways(GKIT_MODE_THREAD);
}

static gkit_status below_ten(const gkit_value *in, gkit_value *out, void *user_data) {
  CHECK(out == NULL);
  keep_say(user_data, "check");
  return in->as.integer < 10 ? GKIT_OK : GKIT_ERROR_USER;
}

/* L40: a bad value read is VALIDATION; with validate_put it is never written. */
static void values_are_checked(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  mock mock = {.text = ""};
  gkit_datasource *memory = keep_store(&keep, "memory", NULL), *read = NULL, *both = NULL;
  gkit_dict *options = keep_dict("{\"validate_put\":true,\"empty_list_is_valid\":false}");
  CHECK_OK(gkit_datasource_validate(memory, NULL, below_ten, &mock, NULL, &read));
  CHECK_OK(gkit_datasource_validate(memory, options, below_ten, &mock, NULL, &both));
  CHECK_TEXT(keep_do(read, GKIT_OPERATION_PUT, keep_id("a"), "10"), "10");
  CHECK_TEXT(keep_do(read, GKIT_OPERATION_GET, keep_id("a"), NULL), "VALIDATION");
  CHECK_TEXT(keep_do(both, GKIT_OPERATION_PUT, keep_id("b"), "10"), "VALIDATION");
  CHECK_TEXT(keep_do(memory, GKIT_OPERATION_GET, keep_id("b"), NULL), "NOT_FOUND missing b");
  CHECK_TEXT(keep_do(read, GKIT_OPERATION_PUT_ALL, keep_id("c"), "[]"), "[]");
  CHECK_TEXT(keep_do(read, GKIT_OPERATION_GET_ALL, keep_id("c"), NULL), "[]");
  CHECK_TEXT(keep_do(both, GKIT_OPERATION_GET_ALL, keep_id("c"), NULL), "VALIDATION");
  gkit_release(options);
  gkit_release(memory);
  gkit_release(read);
  gkit_release(both);
  keep_close(&keep);
}

static bool until_three(const gkit_error *error, uint32_t attempt, void *user_data) {
  mock *mock = user_data;
  CHECK_STATUS(error->code, mock->fails);
  CHECK_TEXT(error->message, "as told");
  CHECK_INT(attempt, ++mock->attempt);
  return attempt < 3;
}

/* L42: at most n further attempts, as long as the function agrees, with pauses by the clock. */
static void failed_calls_are_made_again(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  mock mock = {.text = "", .fails = GKIT_ERROR_IO, .failures = 2, .answer = 1};
  gkit_datasource *source = mocked(&keep, &mock), *retry = NULL, *patient = NULL, *asking = NULL;
  gkit_dict *options = keep_dict("{\"retries\":5}");
  CHECK_OK(gkit_datasource_retry(source, options, NULL, NULL, NULL, &retry));
  CHECK_OK(gkit_datasource_retry(source, options, until_three, &mock, NULL, &asking));
  gkit_release(options);
  CHECK_TEXT(keep_do(retry, GKIT_OPERATION_GET, keep_id("a"), NULL), "1");
  CHECK_TEXT(keep_take(mock.text), "get get get");
  mock.failures = -1;
  CHECK_TEXT(keep_do(retry, GKIT_OPERATION_GET, keep_id("a"), NULL), "IO");
  CHECK_TEXT(keep_take(mock.text), "get get get get get get");
  CHECK_TEXT(keep_do(asking, GKIT_OPERATION_GET, keep_id("a"), NULL), "IO");
  CHECK_TEXT(keep_take(mock.text), "get get get");
  mock.fails = GKIT_ERROR_CANCELLED;
  CHECK_TEXT(keep_do(retry, GKIT_OPERATION_GET, keep_id("a"), NULL), "CANCELLED");
  CHECK_TEXT(keep_take(mock.text), "get");
  mock.fails = GKIT_ERROR_IO;
  mock.failures = 1;
  options = keep_dict("{\"delay_ns\":1000000000}");
  CHECK_OK(gkit_datasource_retry(source, options, NULL, NULL, NULL, &patient));
  gkit_release(options);
  gkit_future *future = keep_ask(patient, GKIT_OPERATION_GET, keep_id("a"), NULL);
  CHECK_OK(gkit_context_seek(keep.context, SECOND - 1));
  CHECK_TEXT(keep_result(future, 0), "TIMEOUT");
  CHECK_TEXT(keep_take(mock.text), "get");
  CHECK_OK(gkit_context_seek(keep.context, SECOND));
  CHECK_TEXT(keep_result(future, 0), "1");
  gkit_release(future);
  options = keep_dict("{\"retries\":-1}");
  gkit_release(patient);
  CHECK_INVALID(gkit_datasource_retry(source, options, NULL, NULL, NULL, &patient));
  CHECK(patient == NULL);
  gkit_release(options);
  gkit_release(source);
  gkit_release(retry);
  gkit_release(asking);
  keep_close(&keep);
}

/* L43, L44: served again until it is as old as the limit; L41: joined parts. */
static void answers_are_kept_for_a_while(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  mock mock = {.text = "", .answer = 1};
  gkit_datasource *source = mocked(&keep, &mock), *cache = NULL, *reads = NULL;
  gkit_dict *options = keep_dict("{\"expiry_ns\":1000000000}");
  CHECK_OK(gkit_datasource_wrap(source, "cache", options, &cache));
  gkit_release(options);
  CHECK_TEXT(keep_do(cache, GKIT_OPERATION_GET, keep_id("a"), NULL), "1");
  CHECK_OK(gkit_context_seek(keep.context, SECOND - 1));
  mock.answer = 2;
  CHECK_TEXT(keep_do(cache, GKIT_OPERATION_GET, keep_id("a"), NULL), "1");
  CHECK_OK(gkit_context_seek(keep.context, SECOND));
  CHECK_TEXT(keep_do(cache, GKIT_OPERATION_GET, keep_id("a"), NULL), "2");
  CHECK_TEXT(keep_take(mock.text), "get get");
  CHECK_INVALID(gkit_datasource_assemble(NULL, NULL, NULL, &reads));
  CHECK_OK(gkit_datasource_assemble(cache, NULL, NULL, &reads));
  CHECK_TEXT(keep_do(reads, GKIT_OPERATION_GET, keep_id("a"), NULL), "2");
  CHECK_TEXT(keep_do(reads, GKIT_OPERATION_PUT, keep_id("a"), "3"), "NOT_IMPLEMENTED");
  gkit_release(reads);
  gkit_release(cache);
  gkit_release(source);
  keep_close(&keep);
}

static bool agree(const gkit_error *main_error, const gkit_error *cache_error, void *user_data) {
  keep_say(user_data, gkit_status_name(main_error->code));
  keep_say(user_data, gkit_status_name(cache_error->code));
  return ((mock *)user_data)->answer != 0;
}

static const char *by(const char *route) {
  static char text[200];
  snprintf(text, sizeof text, "{\"type\":\"id\",\"id\":\"a\",\"route\":\"%s\"}", route);
  return text;
}

/* L46 to L49: which store is asked, in which order, and what a fallback does. */
static void a_repository_follows_its_route(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  mock main_mock = {.text = "", .fails = GKIT_ERROR_IO, .answer = 7}, judge = {.text = ""};
  gkit_datasource *source = mocked(&keep, &main_mock), *repository = NULL;
  gkit_datasource *memory = keep_store(&keep, "memory", NULL);
  CHECK_OK(
      gkit_repository_new(source, memory, NULL, below_ten, agree, &judge, on_destroy, &repository));
  /* L47: a miss asks main once and fills the cache; a hit asks main nothing. */
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, keep_id("a"), NULL), "7");
  CHECK_TEXT(keep_take(main_mock.text), "get");
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, keep_id("a"), NULL), "7");
  CHECK_TEXT(keep_take(main_mock.text), "");
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, by("main"), NULL), "7");
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_PUT, by("cache"), "12"), "12");
  CHECK_TEXT(keep_take(main_mock.text), "get");
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, by("cache"), NULL), "VALIDATION");
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, by("cache_ignoring_validity"), NULL), "12");
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, by("odd"), NULL), "INVALID_ARGUMENT");
  CHECK_TEXT(keep_take(main_mock.text), "");
  /* L49: main fails after a miss. */
  keep_take(judge.text);
  main_mock.failures = -1;
  judge.answer = 0;
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, by("cache_sync"), NULL), "IO");
  CHECK_TEXT(keep_take(judge.text), "check GKIT_ERROR_IO GKIT_ERROR_VALIDATION");
  judge.answer = 1;
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, by("cache_sync"), NULL), "12");
  CHECK_TEXT(keep_do(repository, GKIT_OPERATION_GET, by("default"), NULL), "IO");
  /* L48: the second store fails, and the error names the first. */
  gkit_future *future = keep_ask(repository, GKIT_OPERATION_PUT, by("cache_sync"), "3");
  gkit_dict *error = NULL;
  gkit_value completed, name;
  CHECK_STATUS(gkit_future_wait(future, PATIENCE, NULL), GKIT_ERROR_IO);
  if (CHECK_OK(gkit_future_get_error(future, &error)) &&
      CHECK_OK(gkit_dict_get(error, "completed", &completed)) &&
      CHECK_OK(gkit_dict_at(completed.as.dict, 0, NULL, &name)))
    CHECK_TEXT(name.as.string, "cache");
  gkit_release(error);
  gkit_release(future);
  gkit_release(source);
  gkit_release(memory);
  gkit_release(repository);
  CHECK_INT(judge.destroyed, 1);
  CHECK_INT(main_mock.destroyed, 1);
  keep_close(&keep);
}

int main(void) {
  RUN(values_are_mapped);
  RUN(values_are_checked);
  RUN(failed_calls_are_made_again);
  RUN(answers_are_kept_for_a_while);
  RUN(a_repository_follows_its_route);
  return check_report();
}
