#include "calls.h"
#include <string.h>

static const char *const ports[] = {"in", "out", "a", "value", "interval", NULL};
static const char *const names[] = {"one", "two", "three", NULL};

static void random_gkit_patch_new(void) {
  static const char *const types[] = {"graph",    "scale",    "low_pass", "source",  "clock",
                                      "constant", "throttle", "format",   "combine", "record",
                                      "mine",     "nothing",  NULL};
  static const char *const options[] = {"{}",
                                        "{\"value\":1}",
                                        "{\"interval\":0.002}",
                                        "{\"kind\":\"memory\"}",
                                        "{\"format\":\"{a}\"}",
                                        "{\"target\":\"kept\"}",
                                        NULL};
  gkit_patch *patch = NULL;
  const char *type = pick(3) == 0 ? NULL : pick_text(types);
  if (gkit_patch_new(pool_get(CONTEXT), type, pick_options(options), &patch) < 0)
    return;
  for (int i = 0; ports[i] != NULL; i++) {
    gkit_stream *port = NULL;
    if (gkit_patch_port(patch, ports[i], false, &port) >= 0)
      calls_bound(port);
    gkit_release(port);
  }
  pool_put(PATCH, patch);
}

static void random_gkit_patch_register(void) {
  (void)gkit_patch_register(pool_get(CONTEXT), "mine", host_make, grant_new(), grant_destroy);
}

static void random_gkit_patch_list_types(void) {
  gkit_dict *types = NULL;
  if (gkit_patch_list_types(pool_get(CONTEXT), &types) >= 0)
    pool_put(DICT, types);
}

static void random_gkit_patch_get_info(void) {
  gkit_dict *info = NULL;
  if (gkit_patch_get_info(pool_get(PATCH), &info) >= 0)
    pool_put(DICT, info);
}

static void random_gkit_patch_add_input(void) {
  (void)gkit_patch_add_input(pool_get(PATCH), pick_text(ports), pick(2) == 0 ? NULL : "double",
                             pick(4) == 0 ? NULL : host_input, grant_new(), grant_destroy);
}

static void random_gkit_patch_add_output(void) {
  (void)gkit_patch_add_output(pool_get(PATCH), pick_text(ports), NULL);
}

static void random_gkit_patch_remove_port(void) {
  (void)gkit_patch_remove_port(pool_get(PATCH), pick_text(ports), pick(2) == 0);
}

static void random_gkit_patch_port(void) {
  gkit_stream *stream = NULL;
  if (gkit_patch_port(pool_get(PATCH), pick_text(ports), pick(2) == 0, &stream) < 0)
    return;
  calls_bound(stream);
  pool_put(STREAM, stream);
}

static void random_gkit_patch_set_value(void) {
  gkit_value value = pick_value();
  (void)gkit_patch_set_value(pool_get(PATCH), pick_text(ports), &value);
}

static void random_gkit_patch_publish(void) {
  gkit_value value = pick_value();
  (void)gkit_patch_publish(pool_get(PATCH), pick_text(ports), &value);
}

static void random_gkit_patch_set_input(void) {
  gkit_stream *stream = pick(6) == 0 ? NULL : pool_get(STREAM);
  (void)gkit_patch_set_input(pool_get(PATCH), pick_text(ports), stream);
}

static void random_gkit_patch_errors(void) {
  gkit_stream *stream = NULL;
  if (gkit_patch_errors(pool_get(PATCH), &stream) >= 0)
    pool_put(STREAM, stream);
}

static void random_gkit_patch_add(void) {
  const char *name = pick(3) == 0 ? NULL : pick_text(names);
  (void)gkit_patch_add(pool_get(PATCH), name, pool_get(PATCH));
}

static void random_gkit_patch_find(void) {
  gkit_patch *patch = NULL;
  if (gkit_patch_find(pool_get(PATCH), pick_text(names), &patch) >= 0)
    pool_put(PATCH, patch);
}

static void random_gkit_patch_remove(void) {
  (void)gkit_patch_remove(pool_get(PATCH), pick_text(names));
}

static void random_gkit_patch_offer(void) {
  (void)gkit_patch_offer(pool_get(PATCH), pick_text(ports), "one.in", pick(2) == 0);
}

static void random_gkit_patch_export(void) {
  char *text = NULL;
  if (gkit_patch_export(pool_get(PATCH), pick(2) == 0 ? "json" : "dot", &text) >= 0)
    gkit_free(text);
}

static void random_gkit_patch_from_json(void) {
  static const char *const texts[] = {
      "{\"format\":\"gatheredkit.graph\",\"version\":1,\"patches\":["
      "{\"name\":\"one\",\"type\":\"source\",\"options\":{\"kind\":\"memory\"}},"
      "{\"name\":\"two\",\"type\":\"scale\"}],"
      "\"wires\":[{\"from\":\"one.available\",\"to\":\"two.value\"}]}",
      "{\"format\":\"gatheredkit.graph\",\"version\":1,\"patches\":[]}", "{", NULL};
  const char *text = pick_text(texts);
  gkit_patch *patch = NULL;
  gkit_dict *problems = NULL;
  if (gkit_patch_from_json(pool_get(CONTEXT), text, strlen(text), &patch, &problems) >= 0)
    pool_put(PATCH, patch);
  if (problems != NULL)
    pool_put(DICT, problems);
}

const call patch_calls[] = {{"gkit_patch_new", random_gkit_patch_new, 10},
                            RARE(gkit_patch_register),
                            RARE(gkit_patch_list_types),
                            CALL(gkit_patch_get_info),
                            CALL(gkit_patch_add_input),
                            CALL(gkit_patch_add_output),
                            CALL(gkit_patch_remove_port),
                            CALL(gkit_patch_port),
                            CALL(gkit_patch_set_value),
                            CALL(gkit_patch_publish),
                            CALL(gkit_patch_set_input),
                            CALL(gkit_patch_errors),
                            CALL(gkit_patch_add),
                            CALL(gkit_patch_find),
                            CALL(gkit_patch_remove),
                            CALL(gkit_patch_offer),
                            CALL(gkit_patch_export),
                            CALL(gkit_patch_from_json),
                            END};
