/* Recordings as text, and frames as record batches: C API R25 and R27. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include "tape.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static tape recording;

#define SCRIPT                                                                                     \
  "0 add battery|BAT0\n0 set battery|BAT0/level 0.5\n0 set battery|BAT0/state \"discharging\"\n"   \
  "0 add accelerometer|a\n0 set accelerometer|a/acceleration 1,2,-3.5\n"                           \
  "1.5 absent battery|BAT0/level noData\n"

typedef struct progress {
  int calls, destroyed;
  int64_t rows, all;
  bool is_given_up;
} progress;

static bool on_progress(int64_t rows, int64_t all, void *user_data) {
  progress *seen = user_data;
  CHECK(rows >= seen->rows && rows <= all);
  seen->calls++;
  seen->rows = rows;
  seen->all = all;
  return !seen->is_given_up;
}

static void on_end(void *user_data) { ((progress *)user_data)->destroyed++; }

static const char *target(const char *name) {
  static char path[80];
  snprintf(path, sizeof path, "%s/%s", recording.folder, name);
  return path;
}

/* An export with options as JSON; NULL for none. */
static gkit_status export_text(gkit_context *context, const char *format, const char *path,
                               const char *json, progress *seen) {
  gkit_value options = gkit_value_none();
  if (json != NULL)
    CHECK_OK(gkit_value_from_json(json, strlen(json), &options));
  gkit_status status =
      gkit_context_export_text(context, format, path, json == NULL ? NULL : options.as.dict,
                               seen ? on_progress : NULL, seen, seen ? on_end : NULL);
  gkit_value_clear(&options);
  return status;
}

/* The file, read whole; its lines are counted. */
static const char *written(const char *path, int *lines) {
  static char text[1 << 16];
  FILE *file = fopen(path, "r");
  size_t length = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
  if (file != NULL)
    fclose(file);
  text[length] = 0;
  *lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
    ++*lines;
  return text;
}

static void recorded(void) {
  sim sim;
  if (!sim_open(&sim, SCRIPT))
    return;
  gkit_sink *sink = tape_record(&recording, sim.context, "");
  gkit_source *battery = sim_source(&sim, "battery|BAT0");
  gkit_source *motion = sim_source(&sim, "accelerometer|a");
  CHECK_OK(gkit_sink_add_source(sink, battery));
  CHECK_OK(gkit_sink_add_source(sink, motion));
  CHECK_OK(gkit_source_start(battery, SECOND));
  CHECK_OK(gkit_source_start(motion, SECOND));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_OK(gkit_sink_close(sink));
  gkit_release(battery);
  gkit_release(motion);
  gkit_release(sink);
  sim_close(&sim);
}

static void csv_and_json_lines(void) {
  gkit_context *context = tape_replay(&recording, NULL);
  struct stat facts;
  progress seen = {0};
  int lines;
  const char *path = target("walk.csv");
  CHECK_OK(export_text(context, "csv", path, "{\"sources\":[\"accelerometer\"]}", &seen));
  CHECK(seen.calls > 0);
  CHECK_INT(seen.rows, 4);
  CHECK_INT(seen.all, 4);
  CHECK_INT(seen.destroyed, 1);
  CHECK_INT(stat(path, &facts), 0);
  CHECK_INT(facts.st_mode & 0777, 0600);
  const char *text = written(path, &lines);
  CHECK_INT(lines, 5);
  CHECK_BEGINS(text, "time,acceleration.x,acceleration.y,acceleration.z,");
  CHECK(strstr(text, "\n2023-11-14T22:13:21Z,1,2,-3.5,") != NULL);

  /* Of several sources a line a value; without a function to tell. */
  CHECK_STATUS(export_text(context, "csv", path, NULL, NULL), GKIT_ERROR_EXISTS);
  CHECK_OK(export_text(context, "csv", path, "{\"existing\":\"overwrite\"}", NULL));
  text = written(path, &lines);
  CHECK_BEGINS(text, "time,source,property,value,status\r\n");
  CHECK(strstr(text, ",battery|BAT0,level,0.5,ok\r\n") != NULL);
  CHECK(strstr(text, ",battery|BAT0,level,,noData\r\n") != NULL);

  CHECK_OK(export_text(context, "jsonl", target("walk.jsonl"), NULL, NULL));
  text = written(target("walk.jsonl"), &lines);
  CHECK(strstr(text, "\"id\":\"battery|BAT0\",\"time_ns\":1700000001000000000,\"values\"") != NULL);
  CHECK(strstr(text, "\"event\":\"started\"") != NULL);
  CHECK_INT(gkit_context_position(context, NULL), 0);
  unlink(target("walk.jsonl"));
  unlink(target("walk.csv"));
  gkit_context_close(context);
  gkit_release(context);
}

static void refused(void) {
  gkit_context *context = tape_replay(&recording, NULL);
  const char *path = target("walk.txt");
  progress seen = {.is_given_up = true};
  CHECK_STATUS(export_text(context, "jsonl", path, NULL, &seen), GKIT_ERROR_CANCELLED);
  CHECK_INT(seen.destroyed, 1);
  CHECK_STATUS(export_text(context, "parquet", path, NULL, &seen), GKIT_ERROR_NOT_FOUND);
  CHECK_INT(seen.destroyed, 2);
  CHECK_STATUS(export_text(context, "csv", path, "{\"sources\":[\"batery\"]}", NULL),
               GKIT_ERROR_NOT_FOUND);
  CHECK_INVALID(export_text(context, "csv", path, "{\"sources\":\"battery\"}", NULL));
  CHECK_INVALID(export_text(context, "csv", path, "{\"sources\":[1]}", NULL));
  CHECK_INVALID(export_text(context, "csv", path, "{\"existing\":\"append\"}", NULL));
  CHECK_INVALID(export_text(context, "csv", path, "{\"layout\":\"deep\"}", NULL));
  CHECK_INVALID(export_text(context, "csv", path, "{\"layout\":\"wide\"}", NULL));
  CHECK_INVALID(export_text(context, "jsonl", path, "{\"layout\":\"wide\"}", NULL));
  CHECK_INVALID(export_text(context, NULL, path, NULL, NULL));
  CHECK_INVALID(export_text(context, "csv", NULL, NULL, NULL));
  CHECK_STATUS(export_text(context, "csv", "/no/such/folder/walk.csv", NULL, NULL), GKIT_ERROR_IO);
  gkit_context_close(context);
  CHECK_STATUS(export_text(context, "csv", path, NULL, NULL), GKIT_ERROR_CLOSED);
  gkit_release(context);
  CHECK_INVALID(export_text(NULL, "csv", path, NULL, NULL));
  CHECK_INT(access(path, F_OK), -1);
  CHECK_INT(access(target("walk.txt.part"), F_OK), -1);
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_STATUS(export_text(sim.context, "csv", path, NULL, NULL), GKIT_ERROR_NOT_SUPPORTED);
  sim_close(&sim);
}

/* The place of a column, by its name. */
static int64_t column(const struct ArrowSchema *schema, const char *name) {
  for (int64_t i = 0; i < schema->n_children; i++)
    if (strcmp(schema->children[i]->name, name) == 0)
      return i;
  CHECK_TEXT("no column", name);
  return 0;
}

static void frames(void) {
  sim sim;
  gkit_reader *reader = NULL;
  gkit_frame *frame = NULL;
  struct ArrowSchema schema;
  struct ArrowArray rows;
  if (!sim_open(&sim, SCRIPT))
    return;
  gkit_source *battery = sim_source(&sim, "battery|BAT0");
  CHECK_OK(gkit_reader_new(sim.context, NULL, &reader));
  CHECK_OK(gkit_reader_add(reader, battery));
  CHECK_OK(gkit_source_start(battery, SECOND));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_OK(gkit_reader_next_frame(reader, battery, 0, &frame));
  CHECK_INVALID(gkit_frame_export_arrow(frame, NULL, &rows));
  CHECK_INVALID(gkit_frame_export_arrow(frame, &schema, NULL));
  CHECK_INVALID(gkit_frame_export_arrow(NULL, &schema, &rows));
  CHECK_OK(gkit_frame_export_arrow(frame, &schema, &rows));
  /* It is a copy. */
  gkit_release(frame);
  gkit_release(reader);
  gkit_release(battery);
  sim_close(&sim);
  CHECK_TEXT(schema.format, "+s");
  CHECK_INT(schema.n_children, rows.n_children);
  CHECK_TEXT(schema.children[0]->name, "time");
  CHECK_TEXT(schema.children[1]->name, "boot");
  CHECK_INT(rows.length, 5);
  int64_t level = column(&schema, "level"), state = column(&schema, "state");
  CHECK_TEXT(schema.children[level]->format, "g");
  CHECK_INT(rows.children[level]->null_count, 3);
  const uint8_t *valid = rows.children[level]->buffers[0];
  const double *levels = rows.children[level]->buffers[1];
  CHECK_INT(valid[0], 3);
  CHECK(levels[0] == 0.5 && levels[1] == 0.5);
  const int32_t *starts = rows.children[state]->buffers[1];
  CHECK(rows.children[state]->buffers[0] == NULL);
  CHECK_INT(starts[5], 5 * 11);
  CHECK_INT(memcmp(rows.children[state]->buffers[2], "discharging", 11), 0);
  const int64_t *boots = rows.children[1]->buffers[1];
  CHECK_INT(boots[4], 3 * SECOND);
  schema.release(&schema);
  CHECK(schema.release == NULL);
  rows.release(&rows);
  CHECK(rows.release == NULL);
}

int main(void) {
  if (!tape_make(&recording))
    return 1;
  RUN(recorded);
  RUN(csv_and_json_lines);
  RUN(refused);
  RUN(frames);
  tape_remove(&recording);
  return check_report();
}
