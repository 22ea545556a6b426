/* Ports that go, are told apart and fail, as seen from C. */
#include "check.h"
#include "probe.h"
#include <stdio.h>
#include <string.h>

static gkit_patch *new_patch(sim *sim, const char *type) {
  gkit_patch *patch = NULL;
  CHECK_OK(gkit_patch_new(sim->context, type, NULL, &patch));
  return patch;
}

/* Whether gkit_patch_get_info() has a text. */
static bool tells(const gkit_patch *patch, const char *text) {
  gkit_dict *info = NULL;
  CHECK_OK(gkit_patch_get_info(patch, &info));
  gkit_value value = gkit_value_dict(info);
  char *json = gkit_value_to_json(&value);
  bool found = json != NULL && strstr(json, text) != NULL;
  gkit_free(json);
  gkit_release(info);
  return found;
}

/* Whether an export has a text. */
static bool exports(gkit_patch *graph, const char *format, const char *text) {
  char *exported = NULL;
  CHECK_OK(gkit_patch_export(graph, format, &exported));
  bool found = exported != NULL && strstr(exported, text) != NULL;
  gkit_free(exported);
  return found;
}

/* L17, L18: an output that is removed or replaced is wired no more, wherever wires are told. */
static void an_output_ends_its_wires(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  for (int replaces = 0; replaces < 2; replaces++) {
    gkit_patch *graph = new_patch(&sim, "graph");
    gkit_patch *one = new_patch(&sim, "scale"), *two = new_patch(&sim, "scale");
    int64_t before = gkit_live_count("patch");
    CHECK_OK(gkit_patch_add(graph, "one", one));
    CHECK_OK(gkit_patch_add(graph, "two", two));
    CHECK_OK(gkit_patch_connect(one, "value", two, "value"));
    CHECK(tells(two, "\"wired\":true"));
    CHECK(exports(graph, "json", "one.value") && exports(graph, "dot", "->"));
    if (replaces)
      CHECK_OK(gkit_patch_add_output(one, "value", NULL));
    else
      CHECK_OK(gkit_patch_remove_port(one, "value", true));
    CHECK(!tells(two, "\"wired\":true"));
    CHECK(!exports(graph, "json", "one.value") && !exports(graph, "dot", "->"));
    CHECK(!exports(graph, "mermaid", "-->"));
    /* L46: what its type does not bring would be missing in a document. */
    CHECK_OK(gkit_patch_add_output(one, "own", NULL));
    CHECK_OK(gkit_patch_connect(one, "own", two, "value"));
    char *text = NULL;
    CHECK_INVALID(gkit_patch_export(graph, "json", &text));
    CHECK(strstr(gkit_last_error()->message, "\"one\" cannot be saved") != NULL);
    CHECK_INT(gkit_live_count("patch"), before);
    gkit_release(one);
    gkit_release(two);
    gkit_release(graph);
  }
  sim_close(&sim);
}

static gkit_status answer(gkit_patch *patch, const gkit_sample *in, void *user_data) {
  (void)patch;
  (void)user_data;
  return (gkit_status)in->value.as.integer;
}

/* L30: what a handler answers is told as it was given, be it a number of the host's own. */
static void a_status_is_told_as_it_was_given(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe probe = {.sim = &sim};
  gkit_stream *errors = NULL;
  gkit_connection *connection = NULL;
  gkit_patch *patch = new_patch(&sim, NULL);
  CHECK_OK(gkit_patch_add_input(patch, "in", "int", answer, NULL, NULL));
  CHECK_OK(gkit_patch_errors(patch, &errors));
  CHECK_OK(probe_listen(errors, &probe, &connection));
  static const struct {
    gkit_status status;
    const char *word;
  } cases[] = {{GKIT_ERROR_PERMISSION, "GKIT_ERROR_PERMISSION"},
               {GKIT_ERROR_LIMIT, "GKIT_ERROR_LIMIT"},
               {GKIT_ERROR_USER, "GKIT_ERROR_USER"},
               {GKIT_ERROR_USER - 23, "-123"},
               {INT32_MIN, "-2147483648"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    gkit_value value = gkit_value_int(cases[i].status);
    char expected[200];
    CHECK_OK(gkit_patch_set_value(patch, "in", &value));
    snprintf(expected, sizeof expected,
             "{\"port\":\"in\",\"code\":\"handlerFailed\",\"message\":\"the handler of \\\"in\\\": "
             "it answered %s\",\"status\":%d}",
             cases[i].word, (int)cases[i].status);
    CHECK_TEXT(sim_take(&sim), expected);
  }
  gkit_value text = gkit_value_string("x");
  CHECK_STATUS(gkit_patch_set_value(patch, "in", &text), GKIT_ERROR_TYPE);
  CHECK_TEXT(sim_take(&sim), "{\"port\":\"in\",\"code\":\"typeMismatch\",\"message\":\"\\\"in\\\" "
                             "takes int, not string\",\"status\":-16}");
  gkit_release(connection);
  gkit_release(errors);
  gkit_release(patch);
  sim_close(&sim);
}

/* L14: names that look alike are told apart by their bytes. */
static void names_are_compared_exactly(void) {
  static const char *names[] = {"caf\xC3\xA9", "cafe\xCC\x81"};
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_patch *patch = new_patch(&sim, NULL), *feeder = new_patch(&sim, "constant");
  for (int i = 0; i < 2; i++)
    CHECK_OK(gkit_patch_add_input(patch, names[i], NULL, NULL, NULL, NULL));
  CHECK_OK(gkit_patch_connect(feeder, "value", patch, names[0]));
  CHECK(tells(patch, "\"wired\":true") && tells(patch, "\"wired\":false"));
  CHECK_OK(gkit_patch_remove_port(patch, names[0], false));
  CHECK_STATUS(gkit_patch_remove_port(patch, names[0], false), GKIT_ERROR_NOT_FOUND);
  CHECK_OK(gkit_patch_remove_port(patch, names[1], false));
  gkit_release(feeder);
  gkit_release(patch);
  sim_close(&sim);
}

/* L36: a chain of many patches is wired, runs and ends, the last one held or not. */
static void a_long_chain_lives_and_ends(void) {
  enum { LENGTH = 20000 };
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_patch *first = new_patch(&sim, "scale"), *last = first;
  CHECK(gkit_retain(first) == first);
  for (int i = 1; i < LENGTH; i++) {
    gkit_patch *next = new_patch(&sim, "scale");
    CHECK_OK(gkit_patch_connect(last, "value", next, "value"));
    gkit_release(last);
    last = next;
  }
  probe probe = {.sim = &sim};
  gkit_stream *out = NULL;
  gkit_connection *connection = NULL;
  gkit_value one = gkit_value_double(1);
  CHECK_OK(gkit_patch_port(last, "value", true, &out));
  CHECK_OK(probe_listen(out, &probe, &connection));
  CHECK_OK(gkit_patch_set_value(first, "value", &one));
  CHECK_TEXT(sim_take(&sim), "1.0");
  gkit_release(connection);
  gkit_release(out);
  gkit_release(first);
  gkit_release(last);
  sim_close(&sim);
}

int main(void) {
  RUN(an_output_ends_its_wires);
  RUN(a_status_is_told_as_it_was_given);
  RUN(names_are_compared_exactly);
  RUN(a_long_chain_lives_and_ends);
  return check_report();
}
