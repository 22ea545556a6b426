#include "../check.h"
#include "bench.h"
#include <stdio.h>
#include <string.h>

/* Each answers a status. */

static gkit_status set_text(bench *b) { return gkit_dict_set(b->dict, "large", &b->text); }
static gkit_status set_bytes(bench *b) { return gkit_dict_set(b->dict, "large", &b->bytes); }
static gkit_status append_text(bench *b) { return gkit_dict_set(b->list, NULL, &b->text); }
static gkit_status set_name(bench *b) {
  gkit_value one = gkit_value_int(1);
  return gkit_dict_set(b->dict, b->name, &one);
}

static gkit_status copy(bench *b, const gkit_value *value) {
  gkit_value out = gkit_value_none();
  (void)b;
  gkit_status status = gkit_value_copy(value, &out);
  gkit_value_clear(&out);
  return status;
}
static gkit_status copy_text(bench *b) { return copy(b, &b->text); }
static gkit_status copy_bytes(bench *b) { return copy(b, &b->bytes); }

static gkit_status lend(bench *b) {
  gkit_value out;
  gkit_status status = set_text(b);
  return status < 0 ? status : gkit_dict_get(b->dict, "large", &out);
}
static gkit_status lend_at(bench *b) {
  gkit_value out;
  gkit_status status = append_text(b);
  return status < 0 ? status : gkit_dict_at(b->list, 0, NULL, &out);
}

static gkit_status from_json(const char *json) {
  gkit_value out = gkit_value_none();
  gkit_status status = gkit_value_from_json(json, strlen(json), &out);
  gkit_value_clear(&out);
  return status;
}
static gkit_status read_text(bench *b) { return from_json(b->json); }
static gkit_status read_array(bench *b) { return from_json(b->array); }
static gkit_status read_graph(bench *b) {
  gkit_patch *out = NULL;
  gkit_status status =
      gkit_patch_from_json(b->keep.context, b->array, strlen(b->array), &out, NULL);
  return status == GKIT_ERROR_PARSE ? GKIT_OK : status;
}

static gkit_status to_json(const gkit_value *value) {
  char *text = gkit_value_to_json(value);
  gkit_status status = text ? GKIT_OK : gkit_last_error()->code;
  gkit_free(text);
  return status;
}
static gkit_status write_text(bench *b) { return to_json(&b->text); }
static gkit_status write_bytes(bench *b) { return to_json(&b->bytes); }
/* One megabyte, sixty-four times over. */
static gkit_status write_wide(bench *b) {
  gkit_value list = gkit_value_list(b->wide);
  return to_json(&list);
}
static gkit_status format(bench *b, const gkit_value *value) {
  char text[16];
  (void)b;
  return gkit_value_format(value, NULL, text, sizeof text) > 0 ? GKIT_OK : gkit_last_error()->code;
}
static gkit_status format_text(bench *b) { return format(b, &b->text); }
static gkit_status format_bytes(bench *b) { return format(b, &b->bytes); }
static gkit_status format_wide(bench *b) {
  gkit_value list = gkit_value_list(b->wide);
  return format(b, &list);
}

static gkit_status send(bench *b) { return gkit_stream_send(b->variable, &b->text); }
static gkit_status send_and_get(bench *b) {
  gkit_sample sample;
  gkit_status status = send(b);
  return status < 0 ? status : gkit_stream_get(b->variable, &sample);
}
static gkit_status set_input(bench *b) { return gkit_patch_set_value(b->patch, "in", &b->text); }
static gkit_status publish(bench *b) { return gkit_patch_publish(b->patch, "out", &b->text); }

static gkit_status result(bench *b, gkit_status status, gkit_future *future) {
  gkit_value out;
  (void)b;
  if (status >= 0)
    status = gkit_future_wait(future, 60 * SECOND, &out);
  gkit_release(future);
  return status;
}
static gkit_status resolve(bench *b) {
  gkit_future *future = NULL;
  gkit_status status = gkit_future_new(b->keep.context, &future);
  if (status >= 0)
    status = gkit_future_resolve(future, GKIT_OK, &b->text, NULL);
  return result(b, status, future);
}
static gkit_status resolve_message(bench *b) {
  gkit_future *future = NULL;
  gkit_status status = gkit_future_new(b->keep.context, &future);
  if (status >= 0)
    status = gkit_future_resolve(future, GKIT_ERROR_IO, NULL, b->name);
  gkit_release(future);
  return status;
}
static gkit_status put(bench *b, gkit_datasource *store, const gkit_value *value) {
  gkit_future *future = NULL;
  gkit_status status = gkit_datasource_put(store, b->query, value, &future);
  return result(b, status, future);
}
static gkit_status put_memory(bench *b) { return put(b, b->memory, &b->text); }
static gkit_status put_custom(bench *b) { return put(b, b->custom, &b->text); }
static gkit_status put_mapped(bench *b) { return put(b, b->mapped, &b->text); }
static gkit_status put_and_get(bench *b, const char *type, const char *options,
                               const gkit_value *value) {
  char text[300];
  gkit_dict *given = NULL;
  gkit_datasource *store = NULL;
  gkit_future *future = NULL;
  gkit_value out = gkit_value_none();
  snprintf(text, sizeof text, options, folder);
  gkit_status status = gkit_value_from_json(text, strlen(text), &out);
  given = out.as.dict;
  if (status >= 0)
    status = gkit_datasource_open(b->keep.context, type, given, &store);
  if (status >= 0)
    status = put(b, store, value);
  if (status >= 0)
    status = gkit_datasource_get(store, b->query, &future);
  if (status >= 0)
    status = result(b, status, future);
  gkit_release(given);
  gkit_release(store);
  return status;
}
static gkit_status put_storage(bench *b) {
  return put_and_get(b, "storage", "{\"path\":\"%s/a.sqlite\"}", &b->text);
}
static gkit_status put_files(bench *b) {
  return put_and_get(b, "files", "{\"folder\":\"%s/files\"}", &b->bytes);
}
static gkit_status put_wide(bench *b) {
  gkit_value list = gkit_value_list(b->wide);
  return put_and_get(b, "storage", "{\"path\":\"%s/b.sqlite\"}", &list);
}
static gkit_status put_row(bench *b) {
  gkit_dict *row = gkit_dict_new();
  gkit_value value = gkit_value_dict(row);
  gkit_status status = gkit_dict_set(row, "v", &b->text);
  if (status >= 0)
    status = put_and_get(b, "sqlite",
                         "{\"path\":\"%s/c.sqlite\",\"table\":\"t\",\"columns\":[{\"name\":\"id\","
                         "\"type\":\"string\"},{\"name\":\"v\",\"type\":\"string\"}]}",
                         &value);
  gkit_release(row);
  return status;
}
static gkit_status open_names(bench *b) {
  gkit_stream *stream = NULL;
  gkit_source *source = NULL;
  gkit_dict *parts = NULL;
  gkit_status status = gkit_stream_new(b->keep.context, b->name, NULL, &stream);
  CHECK(status == GKIT_ERROR_LIMIT);
  CHECK_STATUS(gkit_source_open(b->keep.context, b->name, &source), GKIT_ERROR_LIMIT);
  CHECK_STATUS(gkit_id_parse(b->name, &parts), GKIT_ERROR_LIMIT);
  return status;
}
static gkit_status build_id(bench *b) {
  gkit_dict *parts = gkit_dict_new();
  char *id = NULL;
  gkit_status status = gkit_dict_set(parts, "kind", &b->text);
  if (status >= 0)
    status = gkit_id_build(parts, &id);
  gkit_free(id);
  gkit_release(parts);
  return status == GKIT_ERROR_INVALID_ARGUMENT ? GKIT_OK : status;
}

#define TRIAL(function)                                                                            \
  { #function, function, false, false }
#define STORING(function)                                                                          \
  { #function, function, true, false }
#define BOUNDED(function)                                                                          \
  { #function, function, false, true }

const trial trials[TRIALS] = {
    STORING(set_text),   STORING(set_bytes),       TRIAL(append_text),
    BOUNDED(set_name),   TRIAL(copy_text),         TRIAL(copy_bytes),
    STORING(lend),       TRIAL(lend_at),           TRIAL(read_text),
    BOUNDED(read_array), BOUNDED(read_graph),      TRIAL(write_text),
    TRIAL(write_bytes),  TRIAL(write_wide),        TRIAL(format_text),
    TRIAL(format_bytes), TRIAL(format_wide),       TRIAL(send),
    TRIAL(send_and_get), TRIAL(set_input),         TRIAL(publish),
    TRIAL(resolve),      BOUNDED(resolve_message), TRIAL(put_memory),
    TRIAL(put_custom),   TRIAL(put_mapped),        TRIAL(put_storage),
    TRIAL(put_files),    TRIAL(put_wide),          TRIAL(put_row),
    BOUNDED(open_names), TRIAL(build_id),
};
