#include "ours.h"

#include "measure.h"

#include <stdio.h>

void must(gkit_status status) {
  if (status < 0)
    give_up("fleet", gkit_last_error()->message);
}

gkit_context *opened(const char *uri) {
  gkit_context *context = NULL;
  must(gkit_context_open(uri, NULL, &context));
  return context;
}

gkit_source *source_of(gkit_context *context, const char *id) {
  gkit_source *source = NULL;
  must(gkit_source_open(context, id, &source));
  return source;
}

gkit_sink *publisher(gkit_context *context, int port, const char *device, const option *options) {
  char uri[64];
  gkit_dict *settings = gkit_dict_new();
  gkit_value name = gkit_value_string(device);
  must(gkit_dict_set(settings, "device", &name));
  for (; options->name != NULL; options++) {
    gkit_value number = gkit_value_int(options->number);
    must(gkit_dict_set(settings, options->name, &number));
  }
  snprintf(uri, sizeof uri, "mqtt:127.0.0.1:%d", port);
  gkit_sink *sink = NULL;
  must(gkit_sink_open(context, "mqtt", uri, settings, &sink));
  gkit_release(settings);
  return sink;
}

double told_by(const gkit_sink *sink, const char *key) {
  gkit_dict *info = NULL;
  gkit_value value;
  must(gkit_sink_get_info(sink, &info));
  must(gkit_dict_get(info, key, &value));
  double number = (double)value.as.integer;
  gkit_release(info);
  return number;
}
