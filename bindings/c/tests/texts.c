/* Live rows as text: C API 12. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/gkit-texts-XXXXXX";

#define SCRIPT                                                                                     \
  "0 add battery|BAT0\n0 set battery|BAT0/level 0.5\n0 set battery|BAT0/state \"discharging\"\n"   \
  "1.5 set battery|BAT0/level 0.25\n2.5 absent battery|BAT0/level noData file gone\n"

static gkit_dict *option(const char *key, const char *text) {
  gkit_dict *options = gkit_dict_new();
  gkit_value value = gkit_value_string("overwrite");
  CHECK_OK(gkit_dict_set(options, "existing", &value));
  value = gkit_value_string(text);
  if (key)
    CHECK_OK(gkit_dict_set(options, key, &value));
  return options;
}

/* Six rows of a battery in three seconds. */
static void recorded_as(const char *format, const char *layout) {
  sim sim;
  gkit_dict *options = option(layout ? "layout" : NULL, layout ? layout : "");
  gkit_sink *sink = NULL;
  if (!sim_open(&sim, SCRIPT))
    return;
  CHECK_OK(gkit_sink_open(sim.context, format, path, options, &sink));
  gkit_source *battery = sim_source(&sim, "battery|BAT0");
  CHECK_OK(gkit_sink_add_source(sink, battery));
  CHECK_OK(gkit_source_start(battery, SECOND));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_OK(gkit_sink_flush(sink, PATIENCE));
  CHECK_OK(gkit_sink_close(sink));
  CHECK_OK(gkit_sink_close(sink));
  gkit_release(battery);
  gkit_release(sink);
  gkit_release(options);
  sim_close(&sim);
}

static const char *content(const char *file) {
  static char text[1 << 16];
  FILE *opened = fopen(file, "rb");
  size_t count = opened ? fread(text, 1, sizeof text - 1, opened) : 0;
  text[count] = '\0';
  if (opened)
    fclose(opened);
  return text;
}

/* How often a text is found. */
static int occurrences(const char *text, const char *word) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
    count++;
  return count;
}

static void texts(void) {
  recorded_as("csv", NULL);
  CHECK_BEGINS(content(path), "time,level,");
  CHECK_INT(occurrences(content(path), "\r\n"), 7);
  CHECK_INT(occurrences(content(path), "\r\n2023-11-14T22:13:22Z,0.25,"), 1);
  CHECK_INT(occurrences(content(path), "\r\n2023-11-14T22:13:23Z,,"), 1);
  recorded_as("csv", "long");
  CHECK_BEGINS(content(path), "time,source,property,value,status\r\n");
  CHECK_INT(occurrences(content(path), ",battery|BAT0,state,discharging,ok\r\n"), 6);
  CHECK_INT(occurrences(content(path), "Z,battery|BAT0,level,,noData\r\n"), 2);
  recorded_as("jsonl", NULL);
  CHECK_BEGINS(content(path), "{\"id\":\"battery|BAT0\",\"time_ns\":1700000000000000000,");
  CHECK_INT(occurrences(content(path), "\"event\":\"started\""), 1);
  CHECK_INT(occurrences(content(path), "\"level\":{\"value\":0.5,\"unit\":\"1\""), 2);
  CHECK_INT(occurrences(content(path), "\"level\":{\"value\":null,"), 2);
}

/* What a text has no use for is refused, and a wide one takes a single source. */
static void refused(void) {
  sim sim;
  gkit_sink *sink = NULL;
  gkit_dict *options = option("layout", "square");
  gkit_value value = gkit_value_int(1);
  if (!sim_open(&sim, SCRIPT))
    return;
  CHECK_INVALID(gkit_sink_open(sim.context, "csv", path, options, &sink));
  CHECK_INVALID(gkit_sink_open(sim.context, "jsonl", path, options, &sink));
  gkit_release(options);
  options = option(NULL, NULL);
  CHECK_OK(gkit_dict_set(options, "rotate_bytes", &value));
  CHECK_INVALID(gkit_sink_open(sim.context, "csv", path, options, &sink));
  gkit_release(options);
  CHECK_STATUS(gkit_sink_open(sim.context, "csv", path, NULL, &sink), GKIT_ERROR_EXISTS);
  options = option(NULL, NULL);
  CHECK_OK(gkit_sink_open(sim.context, "csv", path, options, &sink));
  gkit_sink *second = NULL;
  CHECK_STATUS(gkit_sink_open(sim.context, "csv", path, options, &second), GKIT_ERROR_BUSY);
  gkit_source *source = sim_source(&sim, "battery|BAT0");
  CHECK_OK(gkit_sink_add_source(sink, source));
  CHECK_INVALID(gkit_sink_add_source(sink, source));
  CHECK_OK(gkit_sink_close(sink));
  CHECK_STATUS(gkit_sink_flush(sink, 0), GKIT_ERROR_CLOSED);
  gkit_release(source);
  gkit_release(sink);
  gkit_release(options);
  sim_close(&sim);
}

int main(void) {
  int file = mkstemp(path);
  if (file < 0)
    return 1;
  close(file);
  RUN(texts);
  RUN(refused);
  unlink(path);
  return check_report();
}
