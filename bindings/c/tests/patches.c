/* Patches as seen from C: ports, handlers, wires, graphs and documents. */
#include "check.h"
#include "probe.h"
#include <string.h>

static gkit_patch *new_patch(sim *sim, const char *type) {
  gkit_patch *patch = NULL;
  CHECK_OK(gkit_patch_new(sim->context, type, NULL, &patch));
  return patch;
}

/* Publishes twice the number on "out"; refuses what is negative. */
static gkit_status twice(gkit_patch *patch, const gkit_sample *in, void *user_data) {
  gkit_value out = gkit_value_int(in->value.as.integer * 2);
  (void)user_data;
  if (in->value.as.integer < 0)
    return GKIT_ERROR_VALIDATION;
  CHECK_OK(gkit_patch_publish(patch, "out", &out));
  return GKIT_OK;
}

static gkit_patch *doubler(sim *sim, int *destroyed) {
  gkit_patch *patch = new_patch(sim, NULL);
  CHECK_OK(gkit_patch_add_input(patch, "in", "int", twice, destroyed, sim_on_destroy));
  CHECK_OK(gkit_patch_add_output(patch, "out", NULL));
  return patch;
}

/* A wire carries each value once; ports are streams; what fails is told on errors. */
static void wires(void) {
  sim sim;
  int destroyed = 0;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim, .name = "out"}, b = {.sim = &sim, .name = "error"};
  gkit_connection *first = NULL, *second = NULL;
  gkit_stream *out = NULL, *errors = NULL, *in = NULL;
  gkit_value three = gkit_value_int(3), minus = gkit_value_int(-1);
  gkit_value text = gkit_value_string("x");
  gkit_patch *x = doubler(&sim, &destroyed), *y = doubler(&sim, &destroyed);
  CHECK_OK(gkit_patch_connect(x, "out", y, "in"));
  CHECK_OK(gkit_patch_port(y, "out", true, &out));
  CHECK_OK(gkit_patch_errors(y, &errors));
  CHECK_OK(probe_listen(out, &a, &first));
  CHECK_OK(probe_listen(errors, &b, &second));
  CHECK_OK(gkit_patch_set_value(x, "in", &three));
  CHECK_TEXT(sim_take(&sim), "out=12");
  CHECK_TEXT(probe_get(out), "12");
  CHECK_OK(gkit_patch_port(y, "in", false, &in));
  CHECK_OK(gkit_stream_send(in, &three));
  CHECK_TEXT(sim_take(&sim), "out=6");
  CHECK_STATUS(gkit_stream_send(in, &text), GKIT_ERROR_TYPE);
  CHECK_STATUS(gkit_patch_set_value(x, "in", &text), GKIT_ERROR_TYPE);
  CHECK_STATUS(gkit_patch_set_value(x, "im", &three), GKIT_ERROR_NOT_FOUND);
  CHECK_STATUS(gkit_patch_publish(x, "in", &three), GKIT_ERROR_NOT_FOUND);
  sim_take(&sim);
  CHECK_OK(gkit_patch_set_value(y, "in", &minus));
  CHECK_BEGINS(sim_take(&sim), "error={\"port\":\"in\",\"code\":\"handlerFailed\",");
  CHECK_OK(gkit_patch_set_input(y, "in", NULL));
  CHECK_OK(gkit_patch_set_value(x, "in", &three));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_INVALID(gkit_patch_add_input(x, "", NULL, twice, &destroyed, sim_on_destroy));
  CHECK_INT(destroyed, 1);
  CHECK_INVALID(gkit_patch_add_input(x, "a", "number", NULL, NULL, NULL));
  CHECK_OK(gkit_patch_remove_port(x, "in", false));
  CHECK_INT(destroyed, 2);
  CHECK_STATUS(gkit_patch_remove_port(x, "in", false), GKIT_ERROR_NOT_FOUND);
  gkit_release(in);
  CHECK_STATUS(gkit_patch_port(x, "in", false, &in), GKIT_ERROR_NOT_FOUND);
  gkit_release(first);
  gkit_release(second);
  gkit_release(errors);
  gkit_release(out);
  gkit_release(x);
  gkit_release(y);
  CHECK_INT(destroyed, 3);
  sim_close(&sim);
}

/* An input follows any stream, its last value first. */
static void streams_into_patches(void) {
  sim sim, other;
  int destroyed = 0;
  if (!sim_open(&sim, MEMORY) || !sim_open(&other, MEMORY))
    return;
  probe a = {.sim = &sim};
  gkit_connection *connection = NULL;
  gkit_stream *variable = probe_variable(&sim, 4), *out = NULL, *foreign = probe_signal(&other);
  gkit_patch *x = doubler(&sim, &destroyed);
  CHECK_OK(gkit_patch_port(x, "out", true, &out));
  CHECK_OK(probe_listen(out, &a, &connection));
  CHECK_OK(gkit_patch_set_input(x, "in", variable));
  CHECK_INVALID(gkit_patch_set_input(x, "in", foreign));
  CHECK_OK(gkit_context_flush(sim.context, -1));
  CHECK_OK(probe_send(variable, 5));
  CHECK_OK(gkit_context_flush(sim.context, -1));
  CHECK_TEXT(sim_take(&sim), "8 10");
  gkit_release(connection);
  gkit_release(out);
  gkit_release(x);
  gkit_release(variable);
  gkit_release(foreign);
  CHECK_INT(destroyed, 1);
  sim_close(&other);
  sim_close(&sim);
}

static gkit_status make_doubler(gkit_patch *patch, const gkit_dict *options, void *user_data) {
  ++*(int *)user_data;
  CHECK(gkit_dict_count(options) <= 1);
  if (gkit_dict_count(options) == 1)
    return GKIT_ERROR_INVALID_ARGUMENT;
  CHECK_OK(gkit_patch_add_input(patch, "in", "int", twice, NULL, NULL));
  return gkit_patch_add_output(patch, "out", "int");
}

/* Types of the host's own, graphs, and documents there and back. */
static void graphs(void) {
  sim sim;
  int made = 0, destroyed = 0;
  if (!sim_open(&sim, MEMORY))
    return;
  char *text = NULL, *again = NULL;
  gkit_patch *child = NULL, *found = NULL, *loaded = NULL;
  gkit_dict *problems = NULL, *info = NULL, *types = NULL, *bad = gkit_dict_new();
  gkit_value one = gkit_value_int(1);
  gkit_patch *graph = new_patch(&sim, "graph"), *plain = new_patch(&sim, NULL);
  CHECK_OK(gkit_patch_register(sim.context, "doubler", make_doubler, &made, NULL));
  CHECK_STATUS(
      gkit_patch_register(sim.context, "doubler", make_doubler, &destroyed, sim_on_destroy),
      GKIT_ERROR_EXISTS);
  CHECK_INT(destroyed, 1);
  CHECK_OK(gkit_patch_new(sim.context, "doubler", NULL, &child));
  CHECK_INT(made, 1);
  CHECK_OK(gkit_dict_set(bad, "x", &one));
  CHECK_INVALID(gkit_patch_new(sim.context, "doubler", bad, &found));
  CHECK_STATUS(gkit_patch_new(sim.context, "doublr", NULL, &found), GKIT_ERROR_NOT_FOUND);
  CHECK_OK(gkit_patch_list_types(sim.context, &types));
  CHECK(gkit_dict_count(types) > 2);
  CHECK_OK(gkit_patch_add(graph, "d", child));
  CHECK_STATUS(gkit_patch_add(graph, "e", child), GKIT_ERROR_EXISTS);
  CHECK_STATUS(gkit_patch_add(graph, "d", plain), GKIT_ERROR_EXISTS);
  CHECK_INVALID(gkit_patch_add(graph, "1", plain));
  CHECK_STATUS(gkit_patch_add(plain, "d", graph), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_OK(gkit_patch_offer(graph, "number", "d.in", false));
  CHECK_STATUS(gkit_patch_offer(graph, "other", "d.on", false), GKIT_ERROR_NOT_FOUND);
  CHECK_STATUS(gkit_patch_offer(plain, "other", "d.in", false), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_OK(gkit_patch_find(graph, "d", &found));
  CHECK_STATUS(gkit_patch_find(plain, "d", &loaded), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_OK(gkit_patch_get_info(found, &info));
  gkit_value name;
  CHECK_OK(gkit_dict_get(info, "name", &name));
  CHECK_TEXT(name.as.string, "d");
  CHECK_OK(gkit_patch_export(graph, "json", &text));
  CHECK_STATUS(gkit_patch_export(graph, "svg", &again), GKIT_ERROR_NOT_FOUND);
  CHECK_STATUS(gkit_patch_export(plain, "json", &again), GKIT_ERROR_NOT_SUPPORTED);
  CHECK_OK(gkit_patch_from_json(sim.context, text, strlen(text), NULL, &problems));
  CHECK_INT(gkit_dict_count(problems), 0);
  gkit_release(problems);
  CHECK_OK(gkit_patch_from_json(sim.context, text, strlen(text), &loaded, NULL));
  CHECK_OK(gkit_patch_export(loaded, "json", &again));
  CHECK_TEXT(again, text);
  gkit_free(again);
  CHECK_OK(gkit_patch_export(loaded, "dot", &again));
  CHECK_BEGINS(again, "digraph");
  gkit_free(again);
  gkit_free(text);
  gkit_release(child);
  CHECK_STATUS(gkit_patch_from_json(sim.context, "{]", 2, &child, &problems), GKIT_ERROR_PARSE);
  CHECK(gkit_dict_count(problems) > 0);
  CHECK(child == NULL);
  gkit_release(problems);
  CHECK_STATUS(gkit_patch_from_json(sim.context, "{}", 2, NULL, NULL), GKIT_ERROR_VALIDATION);
  CHECK_OK(gkit_patch_remove(graph, "d"));
  CHECK_STATUS(gkit_patch_remove(graph, "d"), GKIT_ERROR_NOT_FOUND);
  gkit_release(found);
  gkit_release(loaded);
  gkit_release(graph);
  gkit_release(plain);
  gkit_release(bad);
  gkit_release(info);
  gkit_release(types);
  sim_close(&sim);
}

/* After the close everything answers CLOSED, and destroy has run. */
static void closed(void) {
  sim sim;
  int destroyed = 0;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_value one = gkit_value_int(1);
  gkit_patch *patch = doubler(&sim, &destroyed), *other = NULL;
  CHECK_OK(gkit_patch_register(sim.context, "x", make_doubler, &destroyed, sim_on_destroy));
  CHECK_OK(gkit_context_close(sim.context));
  CHECK_INT(destroyed, 2);
  CHECK_STATUS(gkit_patch_set_value(patch, "in", &one), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_patch_add_output(patch, "o", NULL), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_patch_new(sim.context, NULL, NULL, &other), GKIT_ERROR_CLOSED);
  gkit_release(patch);
  sim_close(&sim);
}

int main(void) {
  RUN(wires);
  RUN(streams_into_patches);
  RUN(graphs);
  RUN(closed);
  return check_report();
}
