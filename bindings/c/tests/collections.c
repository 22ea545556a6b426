/* Streams 2.7 as seen from C: lists and sets that tell how they change, and the list of sources. */
#include "check.h"
#include "probe.h"
#include <string.h>

static gkit_stream *new_stream(sim *sim, const char *type, const char *options) {
  gkit_value value = gkit_value_none();
  gkit_stream *stream = NULL;
  CHECK_OK(gkit_value_from_json(options, strlen(options), &value));
  CHECK_OK(gkit_stream_new(sim->context, type, value.as.dict, &stream));
  gkit_value_clear(&value);
  return stream;
}

static gkit_status modify(gkit_stream *stream, const char *json) {
  gkit_value value = gkit_value_none();
  CHECK_OK(gkit_value_from_json(json, strlen(json), &value));
  gkit_status status = gkit_stream_modify(stream, value.as.dict);
  gkit_value_clear(&value);
  return status;
}

/* L87 to L91: each call is one change, and what does not fit is refused. */
static void lists(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim}, b = {.sim = &sim};
  gkit_connection *first = NULL, *second = NULL;
  gkit_stream *list = new_stream(&sim, "list", "{\"value\":[1,2]}");
  gkit_stream *changes = probe_apply(list, "changes", NULL);
  CHECK_OK(probe_listen(list, &a, &first));
  CHECK_TEXT(sim_take(&sim), "~[1,2]");
  CHECK_OK(probe_listen(changes, &b, &second));
  gkit_connection_disconnect(first);
  CHECK_OK(modify(list, "{\"at\":1,\"remove\":1,\"insert\":[5]}"));
  CHECK_TEXT(sim_take(&sim),
             "{\"count\":2,\"modifications\":[{\"kind\":\"replace\",\"at\":1,\"old\":[2],"
             "\"new\":[5]}]}");
  CHECK_OK(modify(list, "{\"count\":2,\"modifications\":[{\"at\":0,\"old\":[1],\"new\":[]}]}"));
  CHECK_TEXT(probe_get(list), "[5]");
  CHECK_INVALID(modify(list, "{\"count\":2,\"modifications\":[]}"));
  CHECK_INVALID(modify(list, "{\"at\":2}"));
  CHECK_STATUS(modify(list, "{\"insert\":1}"), GKIT_ERROR_TYPE);
  CHECK_OK(probe_send_json(list, "[3,1]"));
  gkit_stream *sum = probe_apply(list, "sum", NULL);
  CHECK_TEXT(probe_get(sum), "4");
  gkit_release(sum);
  gkit_stream *sorted = probe_apply(list, "sorted", NULL);
  CHECK_TEXT(probe_get(sorted), "[1,3]");
  CHECK_STATUS(modify(sorted, "{\"remove\":1}"), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(first);
  gkit_release(second);
  gkit_release(sorted);
  gkit_release(changes);
  gkit_release(list);
  sim_close(&sim);
}

/* L85, L88: sets tell what has gone and come. */
static void sets(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim};
  gkit_connection *connection = NULL;
  gkit_stream *set = new_stream(&sim, "set", "{\"value\":[\"a\",\"b\"]}");
  gkit_stream *changes = probe_apply(set, "changes", NULL);
  CHECK_OK(probe_listen(changes, &a, &connection));
  CHECK_OK(modify(set, "{\"insert\":[\"b\",\"c\"],\"remove\":[\"a\"]}"));
  CHECK_TEXT(sim_take(&sim), "{\"removed\":[\"a\"],\"inserted\":[\"c\"]}");
  CHECK_TEXT(probe_get(set), "[\"b\",\"c\"]");
  CHECK_INVALID(modify(set, "{\"removed\":[\"a\"]}"));
  gkit_release(connection);
  gkit_release(changes);
  gkit_release(set);
  sim_close(&sim);
}

/* L101, L102: the instances of a kind. */
static void sources(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_stream *list = new_stream(&sim, "sources", "{\"kind\":\"memory\"}");
  gkit_stream *count = probe_apply(list, "count", NULL);
  CHECK_TEXT(probe_get(count), "1");
  CHECK_STATUS(modify(list, "{\"remove\":1}"), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_STATUS(probe_send(list, 1), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(count);
  gkit_release(list);
  sim_close(&sim);
}

int main(void) {
  RUN(lists);
  RUN(sets);
  RUN(sources);
  return check_report();
}
