/* Futures: results, consumers, waiting, cancelling, and data sources of the host's own. */
#include "check.h"
#include "keep.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* What consumers and functions did, as one line of words. */
typedef struct heard {
  char text[KEEP_WORDS]; /* First: keep_say() of a user_data. */
  gkit_context *context;
  gkit_future *kept, *other;
  gkit_status status;
  int destroyed;
} heard;

static void on_destroy(void *user_data) { ((heard *)user_data)->destroyed++; }
static void on_result(gkit_future *future, void *user_data) {
  keep_say(user_data, keep_result(future, 0));
}

static void on_second(gkit_future *future, void *user_data) {
  (void)future;
  keep_say(user_data, "second");
}

static gkit_future *new_future(keep *keep) {
  gkit_future *future = NULL;
  CHECK_OK(gkit_future_new(keep->context, &future));
  return future;
}

/* L51: the first resolution wins; R7: get_error tells all of it. */
static void the_first_resolution_wins(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  gkit_future *future = new_future(&keep);
  gkit_value one = gkit_value_string("one"), value;
  gkit_dict *error = NULL;
  CHECK_STATUS(gkit_future_get_error(future, &error), GKIT_ERROR_NO_DATA);
  CHECK_STATUS(gkit_future_wait(future, 0, &value), GKIT_ERROR_TIMEOUT);
  CHECK_OK(gkit_future_resolve(future, GKIT_OK, &one, NULL));
  CHECK_STATUS(gkit_future_resolve(future, GKIT_ERROR_IO, NULL, "late"), GKIT_ERROR_EXISTS);
  /* R2: lent as long as the future lives, and the same each time (L52). */
  CHECK_OK(gkit_future_wait(future, -1, &value));
  CHECK_OK(gkit_future_wait(future, 0, &one));
  CHECK(value.as.string == one.as.string);
  CHECK_TEXT(value.as.string, "one");
  CHECK_OK(gkit_future_get_error(future, &error));
  CHECK(gkit_dict_get(error, "code", &value) == GKIT_OK && value.as.integer == 0);
  gkit_release(error);
  gkit_release(future);
  future = new_future(&keep);
  CHECK_OK(gkit_future_resolve(future, GKIT_ERROR_USER - 5, NULL, "mine"));
  CHECK_STATUS(gkit_future_wait(future, 0, NULL), GKIT_ERROR_USER - 5);
  CHECK_TEXT(gkit_last_error()->message, "mine");
  gkit_release(future);
  /* R19 */
  gkit_datasource *memory = keep_store(&keep, "memory", NULL);
  future = keep_ask(memory, GKIT_OPERATION_GET, keep_id("a"), NULL);
  CHECK_STATUS(gkit_future_resolve(future, GKIT_OK, NULL, NULL), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(future);
  gkit_release(memory);
  keep_close(&keep);
}

static void on_meddle(gkit_future *future, void *user_data) {
  heard *heard = user_data;
  keep_say(heard->text, "first");
  CHECK_STATUS(gkit_future_resolve(future, GKIT_OK, NULL, NULL), GKIT_ERROR_EXISTS);
  gkit_future_cancel(future);
  CHECK_OK(gkit_future_then(future, on_second, heard, on_destroy));
  keep_say(heard->text, "end");
}

/* L52, L54: each once, in order, never inside each other; section 6: on the loop, outside
   callbacks, before the call returns. */
static void consumers_are_called_in_order(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  heard heard = {.text = ""};
  gkit_future *future = new_future(&keep);
  gkit_value one = gkit_value_int(1);
  CHECK_OK(gkit_future_then(future, on_meddle, &heard, on_destroy));
  CHECK_OK(gkit_future_then(future, on_result, &heard, on_destroy));
  CHECK_TEXT(keep_take(heard.text), "");
  CHECK_OK(gkit_future_resolve(future, GKIT_OK, &one, NULL));
  while (gkit_context_dispatch(keep.context, 0) > 0) {
  }
  CHECK_TEXT(keep_take(heard.text), "first end 1 second");
  CHECK_OK(gkit_future_then(future, on_result, &heard, on_destroy));
  CHECK_TEXT(keep_take(heard.text), "1");
  CHECK_INT(heard.destroyed, 4);
  CHECK_INVALID(gkit_future_then(future, NULL, &heard, on_destroy));
  CHECK_INT(heard.destroyed, 5);
  gkit_release(future);
  CHECK_INT(gkit_live_count("future"), 0);
  keep_close(&keep);
}

/* L60: a pending future without a reference is freed, its consumers destroyed once, not called. */
static void an_abandoned_future_is_freed(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  heard heard = {.text = ""};
  gkit_future *future = new_future(&keep);
  CHECK_OK(gkit_future_then(future, on_result, &heard, on_destroy));
  gkit_release(future);
  CHECK_INT(gkit_live_count("future"), 0);
  CHECK_INT(heard.destroyed, 1);
  CHECK_TEXT(keep_take(heard.text), "");
  keep_close(&keep);
}

/* A source that keeps its reply, and hears when its caller no longer waits. */
static void on_perform(int32_t operation, const gkit_dict *query, const gkit_value *value,
                       gkit_future *reply, void *user_data) {
  heard *heard = user_data;
  gkit_value text;
  CHECK_OK(gkit_dict_get(query, "type", &text));
  keep_say(heard->text, text.as.string);
  CHECK_STATUS(gkit_dict_get(query, "route", &text), GKIT_ERROR_NOT_FOUND);
  if (operation == GKIT_OPERATION_GET) {
    heard->kept = gkit_retain(reply);
    CHECK_OK(gkit_future_then(reply, on_result, heard, on_destroy));
  } else if (operation == GKIT_OPERATION_PUT) {
    CHECK(value != NULL);
    CHECK_OK(gkit_future_resolve(reply, GKIT_OK, value, NULL));
  }
}

static gkit_datasource *custom(keep *keep, heard *heard) {
  gkit_datasource *source = NULL;
  CHECK_OK(gkit_datasource_new_custom(keep->context, on_perform, heard, on_destroy, &source));
  return source;
}

/* Section 4: answered at once, later, or not at all. */
static void a_custom_source_answers_now_or_later(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  heard heard = {.text = ""};
  gkit_datasource *source = custom(&keep, &heard);
  gkit_value one = gkit_value_int(1);
  CHECK_TEXT(keep_do(source, GKIT_OPERATION_PUT, "{\"type\":\"id\",\"id\":1,\"route\":\"main\"}",
                     "{\"a\":[1]}"),
             "{\"a\":[1]}");
  CHECK_TEXT(keep_take(heard.text), "id");
  CHECK_TEXT(keep_do(source, GKIT_OPERATION_DELETE, keep_id("a"), NULL), "CANCELLED");
  gkit_future *future = keep_ask(source, GKIT_OPERATION_GET, keep_id("a"), NULL);
  CHECK_TEXT(keep_result(future, 0), "TIMEOUT");
  keep_take(heard.text);
  CHECK_OK(gkit_future_resolve(heard.kept, GKIT_OK, &one, NULL));
  CHECK_TEXT(keep_take(heard.text), "1");
  gkit_release(heard.kept);
  CHECK_TEXT(keep_result(future, 0), "1");
  gkit_release(future);
  /* L60: the retained reply is released unresolved. */
  future = keep_ask(source, GKIT_OPERATION_GET, keep_id("a"), NULL);
  gkit_release(heard.kept);
  CHECK_TEXT(keep_result(future, 0), "CANCELLED");
  gkit_release(future);
  /* L59: cancelling tells the producer once. */
  keep_take(heard.text);
  future = keep_ask(source, GKIT_OPERATION_GET, keep_id("a"), NULL);
  gkit_future_cancel(future);
  gkit_future_cancel(future);
  CHECK_TEXT(keep_take(heard.text), "id CANCELLED");
  CHECK_STATUS(gkit_future_resolve(heard.kept, GKIT_OK, &one, NULL), GKIT_ERROR_EXISTS);
  gkit_release(heard.kept);
  gkit_release(future);
  gkit_release(source);
  CHECK_INT(gkit_live_count("future"), 0);
  CHECK_INT(gkit_live_count("datasource"), 0);
  CHECK_INT(heard.destroyed, 4);
  keep_close(&keep);
}

static void *resolve_later(void *user_data) {
  gkit_value two = gkit_value_int(2);
  CHECK_OK(gkit_future_resolve(((heard *)user_data)->kept, GKIT_OK, &two, NULL));
  gkit_release(((heard *)user_data)->kept);
  return NULL;
}

/* L58: waiting on the loop thread dispatches; L60: a released future's consumer is called. */
static void waiting_dispatches(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  heard heard = {.text = ""};
  pthread_t thread;
  gkit_datasource *source = custom(&keep, &heard);
  gkit_future *future = keep_ask(source, GKIT_OPERATION_GET, keep_id("a"), NULL);
  gkit_future *other = gkit_retain(future);
  keep_take(heard.text);
  CHECK_OK(gkit_future_then(future, on_result, &heard, on_destroy));
  CHECK_INT(pthread_create(&thread, NULL, resolve_later, &heard), 0);
  CHECK_TEXT(keep_result(future, PATIENCE), "2");
  pthread_join(thread, NULL);
  gkit_release(future);
  gkit_release(other);
  CHECK_OK(gkit_context_flush(keep.context, PATIENCE));
  CHECK_TEXT(keep_take(heard.text), "2 2");
  gkit_release(source);
  CHECK_INT(gkit_live_count("future"), 0);
  keep_close(&keep);
}

static void wait_inside(void *user_data) {
  heard *heard = user_data;
  heard->status = gkit_future_wait(heard->other, -1, NULL);
  gkit_future_wait(heard->kept, 1000000, NULL);
  keep_say(heard->text, gkit_status_name(gkit_last_error()->code));
}

/* L58: what needs the loop is not waited for inside a callback; what does not is. */
static void waiting_inside_a_callback(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  heard heard = {.text = ""};
  gkit_datasource *source = custom(&keep, &heard);
  heard.other = keep_ask(source, GKIT_OPERATION_GET, keep_id("a"), NULL);
  gkit_future *reply = heard.kept;
  heard.kept = new_future(&keep);
  keep_take(heard.text);
  CHECK_OK(gkit_context_invoke(keep.context, wait_inside, &heard, NULL));
  while (gkit_context_dispatch(keep.context, 0) > 0) {
  }
  CHECK_STATUS(heard.status, GKIT_ERROR_WRONG_THREAD);
  CHECK_TEXT(keep_take(heard.text), "GKIT_ERROR_TIMEOUT");
  gkit_release(reply);
  gkit_release(heard.kept);
  gkit_release(heard.other);
  gkit_release(source);
  keep_close(&keep);
}

/* R17, L59: closing the context cancels what is pending, and those who wait hear of it. */
static void closing_cancels(uint32_t mode) {
  keep keep;
  if (!keep_open(&keep, mode))
    return;
  heard heard = {.text = ""};
  gkit_datasource *source = custom(&keep, &heard);
  gkit_future *asked = keep_ask(source, GKIT_OPERATION_GET, keep_id("a"), NULL);
  gkit_future *own = new_future(&keep);
  CHECK_OK(gkit_context_flush(keep.context, -1));
  keep_take(heard.text);
  CHECK_OK(gkit_future_then(own, on_result, &heard, on_destroy));
  CHECK_OK(gkit_context_close(keep.context));
  CHECK_TEXT(keep_take(heard.text), "CANCELLED CANCELLED");
  /* That of the data source, too, whose handle is held. */
  CHECK_INT(heard.destroyed, 3);
  CHECK_TEXT(keep_result(own, -1), "CANCELLED");
  CHECK_TEXT(keep_result(asked, -1), "CANCELLED");
  CHECK_STATUS(gkit_future_then(own, on_result, &heard, on_destroy), GKIT_ERROR_CLOSED);
  CHECK_INT(heard.destroyed, 4);
  gkit_future *late = NULL;
  CHECK_STATUS(gkit_future_new(keep.context, &late), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_datasource_get(source, NULL, &late), GKIT_ERROR_CLOSED);
  gkit_release(heard.kept);
  gkit_release(own);
  gkit_release(asked);
  gkit_release(source);
  CHECK_INT(heard.destroyed, 4);
  gkit_release(keep.context);
}

static void closing_cancels_in_both_modes(void) {
  closing_cancels(GKIT_MODE_HOST);
  closing_cancels(GKIT_MODE_THREAD);
}

int main(void) {
  RUN(the_first_resolution_wins);
  RUN(consumers_are_called_in_order);
  RUN(an_abandoned_future_is_freed);
  RUN(a_custom_source_answers_now_or_later);
  RUN(waiting_dispatches);
  RUN(waiting_inside_a_callback);
  RUN(closing_cancels_in_both_modes);
  return check_report();
}
