/* Patches as objects: how many there are, which handle names one, and what is announced of one. */
#include "check.h"
#include "probe.h"
#include <stdlib.h>
#include <string.h>

static gkit_patch *new_patch(sim *sim, const char *type) {
  gkit_patch *patch = NULL;
  CHECK_OK(gkit_patch_new(sim->context, type, NULL, &patch));
  return patch;
}

/* R16: patches that only a graph or a wire keeps are counted, and a patch counts once. */
static void living_patches_are_counted(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  int64_t all = gkit_live_count(NULL);
  gkit_patch *graph = new_patch(&sim, "graph"), *child = new_patch(&sim, "norm");
  gkit_patch *feed = new_patch(&sim, "constant"), *found = NULL;
  CHECK_INT(gkit_live_count("patch"), 3);
  CHECK_OK(gkit_patch_add(graph, "n", child));
  CHECK_OK(gkit_patch_connect(feed, "value", child, "vector"));
  gkit_release(child);
  gkit_release(feed);
  CHECK_INT(gkit_live_count("patch"), 3);
  CHECK_OK(gkit_patch_find(graph, "n", &found));
  CHECK_INT(gkit_live_count("patch"), 3);
  CHECK_INT(gkit_live_count(NULL) - all, 3);
  CHECK_OK(gkit_patch_remove(graph, "n"));
  gkit_release(graph);
  CHECK_INT(gkit_live_count("patch"), 2);
  gkit_release(found);
  CHECK_INT(gkit_live_count("patch"), 0);
  sim_close(&sim);
}

typedef struct seen {
  gkit_patch *patch;
  int calls;
  bool releases;
} seen;

static gkit_status look(gkit_patch *patch, const gkit_sample *in, void *user_data) {
  seen *seen = user_data;
  gkit_dict *info = NULL;
  (void)in;
  seen->patch = patch;
  seen->calls++;
  if (seen->releases)
    gkit_release(patch);
  CHECK_OK(gkit_patch_get_info(patch, &info));
  gkit_release(info);
  return GKIT_OK;
}

/* Rule 5: a handler is lent the host's own handle, and one of its own where the host has none. */
static void a_handler_is_lent_the_handle_of_its_patch(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  seen seen = {NULL, 0, false};
  gkit_value one = gkit_value_int(1);
  gkit_patch *graph = new_patch(&sim, "graph"), *patch = new_patch(&sim, NULL), *found = NULL;
  CHECK_OK(gkit_patch_add_input(patch, "in", NULL, look, &seen, NULL));
  CHECK_OK(gkit_patch_add(graph, "p", patch));
  CHECK_OK(gkit_patch_offer(graph, "in", "p.in", false));
  CHECK_OK(gkit_patch_set_value(patch, "in", &one));
  CHECK(seen.patch == patch);
  CHECK_OK(gkit_patch_find(graph, "p", &found));
  CHECK(found == patch);
  gkit_release(found);
  /* The host may let go inside: the handle lives until the handler returns. */
  seen.releases = true;
  CHECK_OK(gkit_patch_set_value(patch, "in", &one));
  seen.releases = false;
  CHECK_INVALID(gkit_patch_set_value(patch, "in", &one));
  CHECK_OK(gkit_patch_set_value(graph, "in", &one));
  CHECK_INT(seen.calls, 3);
  CHECK(seen.patch != patch);
  CHECK_INVALID(gkit_patch_set_value(seen.patch, "in", &one));
  CHECK_OK(gkit_patch_find(graph, "p", &found));
  CHECK_OK(gkit_patch_set_value(graph, "in", &one));
  CHECK(seen.patch == found);
  gkit_release(found);
  gkit_release(graph);
  CHECK_INT(gkit_live_count("patch"), 0);
  sim_close(&sim);
}

static gkit_status add_ports(gkit_patch *patch, const gkit_dict *options, void *user_data) {
  (void)options;
  return gkit_patch_add_input(patch, "in", NULL, look, user_data, NULL);
}

/* The same for a patch whose maker added the ports. */
static void a_made_patch_has_one_handle(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  seen seen = {NULL, 0, false};
  gkit_value one = gkit_value_int(1);
  CHECK_OK(gkit_patch_register(sim.context, "looker", add_ports, &seen, NULL));
  gkit_patch *patch = new_patch(&sim, "looker");
  CHECK_OK(gkit_patch_set_value(patch, "in", &one));
  CHECK(seen.patch == patch);
  gkit_release(patch);
  sim_close(&sim);
}

/* Publishes what it receives, and answers what that call did; or something of its own. */
static gkit_status echo(gkit_patch *patch, const gkit_sample *in, void *user_data) {
  gkit_status own = *(gkit_status *)user_data;
  gkit_status status = gkit_patch_publish(patch, "out", &in->value);
  return status < 0 && own < 0 ? own : status;
}

/* L34: one error event for a cascade that is stopped; L30: a failure of another kind is its own. */
static void a_stopped_cascade_is_announced_once(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_status own = GKIT_OK;
  probe probe = {.sim = &sim};
  gkit_stream *errors = NULL, *out = NULL;
  gkit_connection *connection = NULL;
  gkit_value one = gkit_value_int(1), limit = gkit_value_int(50);
  gkit_patch *patch = new_patch(&sim, NULL);
  CHECK_OK(gkit_patch_add_input(patch, "in", NULL, echo, &own, NULL));
  CHECK_OK(gkit_patch_add_output(patch, "out", NULL));
  CHECK_OK(gkit_patch_connect(patch, "out", patch, "in"));
  CHECK_OK(gkit_patch_port(patch, "out", true, &out));
  CHECK_OK(gkit_stream_set_option(out, "cascade_limit", &limit));
  CHECK_OK(gkit_patch_errors(patch, &errors));
  CHECK_OK(probe_listen(errors, &probe, &connection));
  CHECK_OK(gkit_patch_set_value(patch, "in", &one));
  CHECK_INT(probe.calls, 1);
  CHECK_BEGINS(sim_take(&sim), "{\"port\":\"out\",\"code\":\"cascadeLimit\",");
  CHECK_OK(gkit_patch_set_value(patch, "in", &one));
  CHECK_INT(probe.calls, 2);
  own = GKIT_ERROR_IO;
  CHECK_OK(gkit_patch_set_value(patch, "in", &one));
  CHECK_INT(probe.calls, 4);
  CHECK(strstr(sim_take(&sim), "handlerFailed") != NULL);
  gkit_release(connection);
  gkit_release(errors);
  gkit_release(out);
  gkit_release(patch);
  sim_close(&sim);
}

/* L18: a withdrawn port takes along who subscribed or was wired by way of the graph. */
static void a_withdrawn_port_takes_its_subscribers_along(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim, .name = "graph"}, b = {.sim = &sim, .name = "child"};
  probe c = {.sim = &sim, .name = "wired"};
  gkit_stream *offered = NULL, *own = NULL, *behind = NULL;
  gkit_connection *first = NULL, *second = NULL, *third = NULL;
  gkit_value one = gkit_value_double(1), two = gkit_value_double(2);
  gkit_patch *graph = new_patch(&sim, "graph"), *child = new_patch(&sim, "constant");
  gkit_patch *next = new_patch(&sim, "scale");
  CHECK_OK(gkit_patch_add(graph, "c", child));
  CHECK_OK(gkit_patch_offer(graph, "out", "c.value", true));
  CHECK_OK(gkit_patch_port(graph, "out", true, &offered));
  CHECK_OK(gkit_patch_port(child, "value", true, &own));
  CHECK_OK(gkit_patch_port(next, "value", true, &behind));
  CHECK_OK(gkit_patch_connect(graph, "out", next, "value"));
  CHECK_OK(probe_listen(offered, &a, &first));
  CHECK_OK(probe_listen(own, &b, &second));
  CHECK_OK(probe_listen(behind, &c, &third));
  CHECK_OK(gkit_patch_set_value(child, "value", &one));
  CHECK_TEXT(sim_take(&sim), "graph=1.0 child=1.0 wired=1.0");
  CHECK_OK(gkit_patch_remove_port(graph, "out", true));
  CHECK_INT(a.destroyed, 1);
  CHECK_OK(gkit_patch_set_value(child, "value", &two));
  CHECK_TEXT(sim_take(&sim), "child=2.0");
  CHECK_STATUS(gkit_patch_set_input(next, "value", offered), GKIT_ERROR_NOT_FOUND);
  gkit_release(first);
  gkit_release(second);
  gkit_release(third);
  gkit_release(offered);
  gkit_release(own);
  gkit_release(behind);
  gkit_release(graph);
  gkit_release(child);
  gkit_release(next);
  sim_close(&sim);
}

int main(void) {
  RUN(living_patches_are_counted);
  RUN(a_handler_is_lent_the_handle_of_its_patch);
  RUN(a_made_patch_has_one_handle);
  RUN(a_stopped_cascade_is_announced_once);
  RUN(a_withdrawn_port_takes_its_subscribers_along);
  return check_report();
}
