#include "probe.h"
#include "check.h"
#include <stdio.h>
#include <string.h>

void probe_on_sample(const gkit_sample *samples, size_t count, void *user_data) {
  probe *self = user_data;
  char word[512];
  self->calls++;
  CHECK_INT(count, 1);
  CHECK_INT(self->destroyed, 0);
  CHECK(gkit_context_is_current(self->sim->context));
  char *text = gkit_value_to_json(&samples->value);
  snprintf(word, sizeof word, "%s%s%s%s%s", samples->flags & GKIT_FLAG_IS_NEW ? "" : "~",
           samples->status == GKIT_SAMPLE_OK ? "" : "!", self->name ? self->name : "",
           self->name ? "=" : "", text ? text : "?");
  gkit_free(text);
  sim_write(self->sim, word);
}

void probe_on_destroy(void *user_data) { ((probe *)user_data)->destroyed++; }

gkit_status probe_listen(gkit_stream *stream, probe *probe, gkit_connection **out) {
  return gkit_stream_subscribe(stream, NULL, 0, probe_on_sample, probe, probe_on_destroy, out);
}

gkit_stream *probe_signal(sim *sim) {
  gkit_stream *stream = NULL;
  CHECK_OK(gkit_signal_new(sim->context, &stream));
  return stream;
}

gkit_stream *probe_publink(sim *sim) {
  gkit_stream *stream = NULL;
  CHECK_OK(gkit_publink_new(sim->context, &stream));
  return stream;
}

gkit_stream *probe_variable(sim *sim, int64_t value) {
  gkit_stream *stream = NULL;
  gkit_value initial = gkit_value_int(value);
  CHECK_OK(gkit_variable_new(sim->context, &initial, &stream));
  return stream;
}

static gkit_dict *parsed(const char *json) {
  gkit_value value;
  if (json == NULL || !CHECK_OK(gkit_value_from_json(json, strlen(json), &value)))
    return NULL;
  return value.as.dict;
}

gkit_stream *probe_apply(gkit_stream *stream, const char *op, const char *arguments) {
  gkit_stream *out = NULL;
  gkit_dict *dict = parsed(arguments);
  CHECK_OK(gkit_stream_apply(stream, op, dict, &out));
  if (dict)
    gkit_release(dict);
  return out;
}

gkit_stream *probe_combine(gkit_stream *a, gkit_stream *b, const char *op) {
  gkit_stream *both[] = {a, b}, *out = NULL;
  CHECK_OK(gkit_stream_combine(both, b ? 2 : 1, op, &out));
  return out;
}

gkit_status probe_send(gkit_stream *stream, int64_t value) {
  gkit_value sent = gkit_value_int(value);
  return gkit_stream_send(stream, &sent);
}

gkit_status probe_send_json(gkit_stream *stream, const char *json) {
  gkit_value value;
  if (!CHECK_OK(gkit_value_from_json(json, strlen(json), &value)))
    return GKIT_ERROR;
  gkit_status status = gkit_stream_send(stream, &value);
  gkit_value_clear(&value);
  return status;
}

const char *probe_get(gkit_stream *stream) {
  static char text[512];
  gkit_sample sample;
  if (!CHECK_OK(gkit_stream_get(stream, &sample)))
    return "";
  CHECK_INT(sample.flags & GKIT_FLAG_IS_NEW, 0);
  char *json = gkit_value_to_json(&sample.value);
  snprintf(text, sizeof text, "%s%s", sample.status == GKIT_SAMPLE_OK ? "" : "!", json);
  gkit_free(json);
  return text;
}
