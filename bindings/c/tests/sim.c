#define _POSIX_C_SOURCE 200809L
#include "sim.h"
#include "check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const reasons[] = {
    "available",          "searching",  "requiresPermission", "permissionDenied",
    "restrictedByPolicy", "poweredOff", "serviceNotRunning",  "unsupportedByKernel",
    "noHardware",         "busy",       "disconnected",       "failed",
};
static const char *const statuses[] = {"ok",         "noData",      "stale",
                                       "permission", "unsupported", "error"};

bool sim_write_script(char *path, const char *script) {
  int file = mkstemp(path);
  ssize_t length = (ssize_t)strlen(script);
  bool written = file >= 0 && write(file, script, (size_t)length) == length;
  if (file >= 0)
    close(file);
  return written;
}

bool sim_open_as(sim *sim, const char *script, uint32_t mode, const char *parameters) {
  char path[] = "/tmp/gatheredkit-XXXXXX";
  char uri[256];
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  sim->context = NULL;
  sim->key = "free";
  sim->journal[0] = '\0';
  options.mode = mode;
  if (!CHECK(sim_write_script(path, script)))
    return false;
  snprintf(uri, sizeof uri, "sim:file=%s%s", path, parameters);
  CHECK_OK(gkit_context_open(uri, &options, &sim->context));
  unlink(path);
  return CHECK(sim->context != NULL);
}

bool sim_open(sim *sim, const char *script) {
  return sim_open_as(sim, script, GKIT_MODE_HOST, "&clock=manual");
}

void sim_close(sim *sim) {
  CHECK_OK(gkit_context_close(sim->context));
  gkit_release(sim->context);
  sim->context = NULL;
}

gkit_source *sim_source(sim *sim, const char *id) {
  gkit_source *source = NULL;
  if (CHECK_OK(gkit_source_open(sim->context, id, &source))) {
    CHECK_OK(gkit_source_listen(source, sim_on_update, sim, NULL, NULL));
    CHECK_OK(gkit_source_listen_events(source, sim_on_event, sim, NULL, NULL));
  }
  return source;
}

gkit_status sim_seek(sim *sim, int64_t position_ns) {
  return gkit_context_seek(sim->context, position_ns);
}

const char *sim_take(sim *sim) {
  memcpy(sim->taken, sim->journal, sizeof sim->taken);
  sim->journal[0] = '\0';
  return sim->taken;
}

void sim_write(sim *sim, const char *word) {
  size_t length = strlen(sim->journal);
  snprintf(sim->journal + length, sizeof sim->journal - length, "%s%s", length ? " " : "", word);
}

void sim_on_update(gkit_source *source, const gkit_sample *samples, size_t count, void *user_data) {
  sim *world = user_data;
  uint32_t wanted = sim_property(source, world->key);
  for (size_t i = 0; i < count; i++) {
    char text[64];
    if (samples[i].property != wanted)
      continue;
    if (samples[i].status == GKIT_SAMPLE_OK)
      gkit_value_format(&samples[i].value, NULL, text, sizeof text);
    else
      snprintf(text, sizeof text, "%s",
               samples[i].status <= GKIT_SAMPLE_FAILED ? statuses[samples[i].status] : "?");
    sim_write(world, text);
  }
}

void sim_on_event(gkit_source *source, const char *source_id, int32_t event,
                  const gkit_error *error, void *user_data) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  char word[64];
  (void)source_id;
  switch (event) {
  case GKIT_EVENT_STARTED:
    sim_write(user_data, "started");
    break;
  case GKIT_EVENT_STOPPED:
    sim_write(user_data, error ? "stopped(error)" : "stopped");
    break;
  case GKIT_EVENT_FAILED:
    sim_write(user_data, error ? "failed" : "failed(without error)");
    break;
  case GKIT_EVENT_PERMISSION_REQUESTED:
    sim_write(user_data, "asked");
    break;
  case GKIT_EVENT_AVAILABILITY_CHANGED:
    gkit_source_get_info(source, &info);
    snprintf(word, sizeof word, "availability(%s)",
             info.reason <= GKIT_REASON_FAILED ? reasons[info.reason] : "?");
    sim_write(user_data, word);
    break;
  default:
    sim_write(user_data, "?");
  }
}

void sim_on_destroy(void *user_data) { ++*(int *)user_data; }

uint32_t sim_property(const gkit_source *source, const char *key) {
  int32_t index = gkit_source_find_property(source, key);
  return index < 0 ? UINT32_MAX : (uint32_t)index;
}

gkit_sample sim_value(const gkit_source *source, const char *key) {
  gkit_sample sample;
  memset(&sample, 0, sizeof sample);
  sample.status = UINT32_MAX;
  CHECK_OK(gkit_source_get_value(source, sim_property(source, key), &sample));
  return sample;
}

uint32_t sim_property_count(const gkit_source *source) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  CHECK_OK(gkit_source_get_info(source, &info));
  return info.property_count;
}
