/* Recorded rows as Arrow: C API 12. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include "tape.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static tape recording;

#define SCRIPT                                                                                     \
  "0 add battery|BAT0\n0 set battery|BAT0/level 0.5\n0 set battery|BAT0/state \"discharging\"\n"   \
  "0 add accelerometer|a\n0 set accelerometer|a/acceleration 1,2,-3.5\n"                           \
  "1.5 set battery|BAT0/level 0.25\n2.5 absent battery|BAT0/level noData\n"

/* Records three seconds of a battery, an accelerometer and a stream. */
static void recorded(void) {
  sim sim;
  gkit_stream *ticks = NULL;
  if (!sim_open(&sim, SCRIPT))
    return;
  gkit_sink *sink = tape_record(&recording, sim.context, "");
  gkit_source *battery = sim_source(&sim, "battery|BAT0");
  gkit_source *motion = sim_source(&sim, "accelerometer|a");
  CHECK_OK(gkit_sink_add_source(sink, battery));
  CHECK_OK(gkit_sink_add_source(sink, motion));
  CHECK_OK(gkit_stream_new(sim.context, "signal", NULL, &ticks));
  CHECK_OK(gkit_sink_add_stream(sink, ticks, "ticks"));
  CHECK_OK(gkit_source_start(battery, SECOND));
  CHECK_OK(gkit_source_start(motion, SECOND));
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  for (int64_t number = 40; number < 43; number++) {
    gkit_value value = gkit_value_int(number);
    CHECK_OK(gkit_stream_send(ticks, &value));
  }
  CHECK_OK(gkit_sink_close(sink));
  gkit_release(ticks);
  gkit_release(battery);
  gkit_release(motion);
  gkit_release(sink);
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

/* What the metadata of a field says of a key; "" for nothing. */
static const char *told(const struct ArrowSchema *field, const char *key) {
  static char text[2][80];
  const char *at = field->metadata;
  int32_t pairs = 0, length = 0;
  if (at == NULL)
    return "";
  memcpy(&pairs, at, sizeof pairs);
  at += sizeof pairs;
  for (int32_t i = 0; i < 2 * pairs; i++) {
    memcpy(&length, at, sizeof length);
    at += sizeof length;
    snprintf(text[i % 2], sizeof text[0], "%.*s", (int)length, at);
    at += length;
    if (i % 2 == 1 && strcmp(text[0], key) == 0)
      return text[1];
  }
  return "";
}

static bool valid(const struct ArrowArray *array, int64_t row) {
  const uint8_t *bits = array->buffers[0];
  return bits == NULL || (bits[row / 8] >> row % 8 & 1);
}

enum { ROWS = 6 };

/* Some rows of the battery, the first of which has a number: what the script says. */
static void check_rows(const struct ArrowArray *batch, int64_t level, int64_t state,
                       int64_t first) {
  const double expected[ROWS] = {0.5, 0.5, 0.25, 0.25, 0, 0};
  const int64_t halves[ROWS] = {0, 2, 3, 4, 5, 6};
  const int64_t *times = batch->children[0]->buffers[1], *boots = batch->children[1]->buffers[1];
  const double *levels = batch->children[level]->buffers[1];
  const int32_t *starts = batch->children[state]->buffers[1];
  const char *words = batch->children[state]->buffers[2];
  if (!CHECK(first + batch->length <= ROWS))
    return;
  for (int64_t i = 0; i < batch->length; i++) {
    CHECK_INT(boots[i], halves[first + i] * (SECOND / 2));
    CHECK_INT(times[i], INT64_C(1700000000) * SECOND + boots[i]);
    CHECK_INT(valid(batch->children[level], i), first + i < 4);
    CHECK(first + i >= 4 || levels[i] == expected[first + i]);
    CHECK_INT(starts[i + 1] - starts[i], 11);
    CHECK_INT(memcmp(words + starts[i], "discharging", 11), 0);
  }
}

/* The rows of a battery: what it is, and each value. */
static void columns(void) {
  gkit_context *context = tape_replay(&recording, NULL);
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray batch;
  CHECK_OK(gkit_context_export_arrow(context, "battery", &stream));
  /* The stream outlives its context. */
  gkit_context_close(context);
  gkit_release(context);
  CHECK_INT(stream.get_schema(&stream, &schema), 0);
  CHECK_TEXT(schema.format, "+s");
  CHECK_TEXT(told(&schema, "source"), "battery|BAT0");
  CHECK_TEXT(schema.children[0]->name, "time");
  CHECK_TEXT(schema.children[0]->format, "tsn:UTC");
  CHECK_INT(schema.children[0]->flags, 0);
  CHECK_TEXT(schema.children[1]->name, "boot");
  CHECK_TEXT(schema.children[1]->format, "l");
  int64_t level = column(&schema, "level"), state = column(&schema, "state");
  CHECK_TEXT(schema.children[level]->format, "g");
  CHECK_INT(schema.children[level]->flags, ARROW_FLAG_NULLABLE);
  CHECK_TEXT(told(schema.children[level], "range"), "0.0,1.0");
  CHECK_TEXT(told(schema.children[level], "key"), "level");
  CHECK_TEXT(schema.children[state]->format, "u");
  CHECK_TEXT(told(schema.children[state], "type"), "enum");
  CHECK(strstr(told(schema.children[state], "words"), "discharging") != NULL);

  /* What happened between two rows ends a block. */
  int64_t row = 0;
  struct ArrowArray moved = {0};
  CHECK_INT(stream.get_next(&stream, &batch), 0);
  while (batch.release != NULL) {
    CHECK_INT(batch.n_children, schema.n_children);
    CHECK_INT(batch.n_buffers, 1);
    check_rows(&batch, level, state, row);
    row += batch.length;
    /* A child that is moved away lives on by itself. */
    if (moved.release)
      moved.release(&moved);
    moved = *batch.children[level];
    batch.children[level]->release = NULL;
    batch.release(&batch);
    CHECK(batch.release == NULL);
    CHECK_INT(stream.get_next(&stream, &batch), 0);
  }
  CHECK_INT(row, ROWS);
  CHECK_INT(moved.null_count, 2);
  moved.release(&moved);
  CHECK(moved.release == NULL);
  stream.release(&stream);
  CHECK(stream.release == NULL);
  schema.release(&schema);
  CHECK(schema.release == NULL);
}

/* Vectors are lists of a fixed size; a stream is one column. */
static void vectors_and_streams(void) {
  gkit_context *context = tape_replay(&recording, NULL);
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray batch;
  CHECK_OK(gkit_context_export_arrow(context, "accelerometer|a", &stream));
  CHECK_INT(stream.get_schema(&stream, &schema), 0);
  int64_t place = column(&schema, "acceleration");
  CHECK_TEXT(schema.children[place]->format, "+w:3");
  CHECK_TEXT(told(schema.children[place], "components"), "x,y,z");
  CHECK_TEXT(told(schema.children[place], "unit"), "m/s2");
  CHECK_TEXT(schema.children[place]->children[0]->format, "g");
  CHECK_INT(stream.get_next(&stream, &batch), 0);
  const struct ArrowArray *list = batch.children[place];
  const double *numbers = list->children[0]->buffers[1];
  CHECK_INT(list->children[0]->length, 3 * batch.length);
  CHECK(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == -3.5);
  batch.release(&batch);
  schema.release(&schema);
  stream.release(&stream);

  CHECK_OK(gkit_context_export_arrow(context, "ticks", &stream));
  CHECK_INT(stream.get_schema(&stream, &schema), 0);
  CHECK_TEXT(told(&schema, "stream"), "ticks");
  CHECK_INT(schema.n_children, 3);
  CHECK_TEXT(schema.children[2]->name, "value");
  CHECK_TEXT(schema.children[2]->format, "l");
  CHECK_INT(stream.get_next(&stream, &batch), 0);
  CHECK_INT(batch.length, 3);
  CHECK_INT(((const int64_t *)batch.children[2]->buffers[1])[2], 42);
  CHECK(batch.children[2]->buffers[0] == NULL);
  /* Whatever is left is released with its owner. */
  schema.release(&schema);
  batch.release(&batch);
  stream.release(&stream);
  gkit_context_close(context);
  CHECK_STATUS(gkit_context_export_arrow(context, "ticks", &stream), GKIT_ERROR_CLOSED);
  gkit_release(context);
}

/* A recording that cannot be read any more is an errno and a sentence. */
static void failing(void) {
  gkit_context *context = tape_replay(&recording, NULL);
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  CHECK_INVALID(gkit_context_export_arrow(context, "battery", NULL));
  CHECK_INVALID(gkit_context_export_arrow(context, NULL, &stream));
  CHECK_STATUS(gkit_context_export_arrow(context, "batery", &stream), GKIT_ERROR_NOT_FOUND);
  CHECK(strstr(gkit_last_error()->message, "battery") != NULL);
  CHECK_OK(gkit_context_export_arrow(context, "battery", &stream));
  CHECK_INT(stream.get_next(&stream, NULL), EINVAL);
  CHECK_INT(truncate(recording.path, 100), 0);
  /* What is cut off is damaged, and passed over. */
  CHECK_INT(stream.get_next(&stream, &batch), 0);
  CHECK(batch.release == NULL);
  stream.release(&stream);
  gkit_context_close(context);
  gkit_release(context);
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_STATUS(gkit_context_export_arrow(sim.context, "memory", &stream), GKIT_ERROR_NOT_SUPPORTED);
  sim_close(&sim);
}

/* Rule 18: what was exported before a fork is dead in the child, and goes on in the parent. */
static void forked(void) {
  gkit_context *context = tape_replay(&recording, NULL);
  struct ArrowArrayStream stream;
  struct ArrowArray batch;
  int status = -1;
  CHECK_OK(gkit_context_export_arrow(context, "battery", &stream));
  pid_t child = fork();
  if (child == 0) {
    bool is_dead = stream.get_next(&stream, &batch) == EBADF &&
                   strstr(stream.get_last_error(&stream), "fork") != NULL;
    stream.release(&stream);
    _exit(is_dead && stream.release == NULL ? 0 : 1);
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK_INT(status, 0);
  CHECK_INT(stream.get_next(&stream, &batch), 0);
  CHECK(batch.release != NULL);
  batch.release(&batch);
  stream.release(&stream);
  gkit_context_close(context);
  gkit_release(context);
}

int main(void) {
  if (!tape_make(&recording))
    return 1;
  RUN(recorded);
  RUN(columns);
  RUN(vectors_and_streams);
  RUN(forked);
  RUN(failing);
  tape_remove(&recording);
  return check_report();
}
