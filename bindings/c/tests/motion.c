/* Motion at a hundred readings a second: whole columns, frames over batches, sessions of different
 * intervals on one sensor, and readers that are too small. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <math.h>
#include <string.h>
#include <time.h>

#define PERIOD (10 * MILLISECOND)

/* A board whose sensor plays fifty records, a hundred a second; tests run in their own folder. */
#define LIVE_BOARD "local:root=../../../Tests/Fixtures/machines/motion-board"
#define BOARD LIVE_BOARD "&clock=manual"

typedef struct world {
  gkit_context *context;
  gkit_source *source;
  gkit_reader *reader;
  uint32_t width, acceleration;
} world;

static gkit_reader *reader_of(gkit_context *context, gkit_source *source, size_t capacity) {
  gkit_reader_options options = GKIT_READER_OPTIONS_INIT;
  gkit_reader *reader = NULL;
  options.capacity = capacity;
  CHECK_OK(gkit_reader_new(context, &options, &reader));
  CHECK_OK(gkit_reader_add(reader, source));
  return reader;
}

static bool open_world(world *self, const char *uri, const char *id, size_t capacity) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  memset(self, 0, sizeof *self);
  options.mode = GKIT_MODE_HOST;
  if (!CHECK_OK(gkit_context_open(uri, &options, &self->context)))
    return false;
  CHECK_OK(gkit_source_open(self->context, id, &self->source));
  self->width = sim_property_count(self->source);
  self->acceleration = sim_property(self->source, "acceleration");
  self->reader = reader_of(self->context, self->source, capacity * self->width);
  return true;
}

static void close_world(world *self) {
  gkit_release(self->reader);
  gkit_release(self->source);
  CHECK_OK(gkit_context_close(self->context));
  gkit_release(self->context);
}

static void seek_ms(const world *self, int64_t position) {
  CHECK_OK(gkit_context_seek(self->context, position * MILLISECOND));
}

static const void *row(const gkit_column *column, size_t index) {
  return (const char *)column->data + index * column->stride;
}

static gkit_column column_of(const gkit_frame *frame, uint32_t property) {
  gkit_column column;
  memset(&column, 0, sizeof column);
  CHECK_OK(gkit_frame_column(frame, property, &column));
  return column;
}

static gkit_frame *next_frame(gkit_reader *reader) {
  gkit_frame *frame = NULL;
  CHECK_OK(gkit_reader_next_frame(reader, NULL, 0, &frame));
  return frame;
}

/* The boot times of a frame: so many rows, each so long after the one before. */
static void check_times(const gkit_frame *frame, size_t rows, int64_t first, int64_t step) {
  gkit_column boot = column_of(frame, GKIT_COLUMN_BOOT);
  gkit_column time = column_of(frame, GKIT_COLUMN_TIME);
  CHECK_INT(boot.rows, rows);
  CHECK_INT(time.rows, rows);
  for (size_t i = 0; i < boot.rows && i < time.rows; i++) {
    CHECK_INT(*(const int64_t *)row(&boot, i), first + (int64_t)i * step);
    CHECK_INT(*(const int64_t *)row(&time, i) - *(const int64_t *)row(&boot, i),
              INT64_C(1700000000) * SECOND);
  }
}

/* R9: one frame is all that was queued; a vector is a column of its components, side by side. */
static void whole_columns(void) {
  world world;
  if (!open_world(&world, "sim:phone&clock=manual", "accelerometer", 200))
    return;
  CHECK_OK(gkit_source_start(world.source, PERIOD));
  seek_ms(&world, 1000);
  gkit_frame *frame = next_frame(world.reader);
  check_times(frame, 101, 0, PERIOD);
  gkit_column vectors = column_of(frame, world.acceleration);
  CHECK_INT(vectors.type, GKIT_TYPE_VECTOR);
  CHECK_INT(vectors.count, 3);
  CHECK_INT(vectors.rows, 101);
  CHECK_INT(vectors.stride, 3 * sizeof(double));
  for (size_t i = 0; i < vectors.rows; i++) {
    const double *a = row(&vectors, i);
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    CHECK(length > 5 && length < 15);
  }
  gkit_column status;
  if (CHECK_OK(gkit_frame_status(frame, world.acceleration, &status))) {
    CHECK_INT(status.rows, 101);
    for (size_t i = 0; i < status.rows; i++)
      CHECK_INT(*(const uint32_t *)row(&status, i), GKIT_SAMPLE_OK);
  }
  CHECK(memcmp(row(&vectors, 0), row(&vectors, 100), 3 * sizeof(double)) != 0);
  gkit_release(frame);
  close_world(&world);
}

/* A frame holds what came since the one before, however it was dispatched. */
static void frames_over_batches(void) {
  world world;
  gkit_frame *frame = NULL;
  if (!open_world(&world, "sim:phone&clock=manual", "accelerometer", 400))
    return;
  CHECK_OK(gkit_source_start(world.source, PERIOD));
  for (int64_t position = 0; position <= 990; position += 90)
    seek_ms(&world, position);
  frame = next_frame(world.reader);
  check_times(frame, 100, 0, PERIOD);
  gkit_release(frame);
  CHECK_STATUS(gkit_reader_next_frame(world.reader, world.source, 0, &frame), GKIT_ERROR_TIMEOUT);
  seek_ms(&world, 2000);
  frame = next_frame(world.reader);
  check_times(frame, 101, 1000 * MILLISECOND, PERIOD);
  gkit_release(frame);
  close_world(&world);
}

/* I5, L14: sessions are private; V8: a jump of the sequence is what was thinned out. */
static void sessions_of_two_intervals(void) {
  world world;
  gkit_source *slow = NULL;
  if (!open_world(&world, "sim:phone&clock=manual", "accelerometer", 200))
    return;
  CHECK_OK(gkit_source_open(world.context, "accelerometer", &slow));
  gkit_reader *slow_reader = reader_of(world.context, slow, 4096);
  CHECK_OK(gkit_source_start(world.source, PERIOD));
  CHECK_OK(gkit_source_start(slow, 5 * PERIOD));
  seek_ms(&world, 1000);
  gkit_frame *all = next_frame(world.reader);
  gkit_frame *some = next_frame(slow_reader);
  check_times(all, 101, 0, PERIOD);
  check_times(some, 21, 0, 5 * PERIOD);
  gkit_column fast_rows = column_of(all, world.acceleration);
  gkit_column slow_rows = column_of(some, world.acceleration);
  for (size_t i = 0; i < slow_rows.rows && 5 * i < fast_rows.rows; i++)
    CHECK(memcmp(row(&slow_rows, i), row(&fast_rows, 5 * i), 3 * sizeof(double)) == 0);
  gkit_sample before = sim_value(slow, "acceleration");
  seek_ms(&world, 1050);
  CHECK_INT(sim_value(slow, "acceleration").sequence, before.sequence + 5);
  gkit_release(all);
  gkit_release(some);
  gkit_release(slow_reader);
  gkit_release(slow);
  close_world(&world);
}

/* Rule 15: a reader without room keeps the newest whole readings and counts the rest. */
static void a_small_room(void) {
  world world;
  gkit_reader_stats stats = GKIT_READER_STATS_INIT;
  if (!open_world(&world, "sim:phone&clock=manual", "accelerometer", 10))
    return;
  CHECK_OK(gkit_source_start(world.source, PERIOD));
  seek_ms(&world, 1000);
  CHECK_OK(gkit_reader_get_stats(world.reader, &stats));
  CHECK_INT(stats.queued, 10 * world.width);
  CHECK_INT(stats.dropped, 91 * world.width);
  gkit_frame *frame = next_frame(world.reader);
  check_times(frame, 10, 910 * MILLISECOND, PERIOD);
  gkit_release(frame);
  CHECK_OK(gkit_reader_get_stats(world.reader, &stats));
  CHECK_INT(stats.delivered, 10 * world.width);
  seek_ms(&world, 2000);
  gkit_sample samples[64];
  int64_t count = gkit_reader_read(world.reader, samples, world.width, 0);
  CHECK_INT(count, world.width);
  for (int64_t i = 0; i < count && i < 64; i++)
    CHECK((samples[i].flags & GKIT_FLAG_GAP_BEFORE) != 0);
  close_world(&world);
}

typedef struct batches {
  uint32_t width, acceleration;
  int64_t last_ns;
  uint64_t last_sequence;
  long calls, rows, largest;
} batches;

/* An update is one call with the samples of one or more readings, in time order. */
static void on_batch(gkit_source *source, const gkit_sample *samples, size_t count,
                     void *user_data) {
  batches *seen = user_data;
  long rows = (long)(count / seen->width);
  (void)source;
  CHECK_INT(count % seen->width, 0);
  seen->calls++;
  seen->rows += rows;
  seen->largest = rows > seen->largest ? rows : seen->largest;
  for (size_t i = 0; i < count; i++) {
    CHECK_INT(samples[i].property, i % seen->width);
    if (samples[i].property != seen->acceleration || samples[i].status != GKIT_SAMPLE_OK)
      continue;
    /* The first record is dated at the start, as the refreshes before it are. */
    CHECK(samples[i].boot_ns > seen->last_ns || samples[i].boot_ns == 0);
    CHECK(samples[i].sequence > seen->last_sequence);
    seen->last_ns = samples[i].boot_ns;
    seen->last_sequence = samples[i].sequence;
  }
}

/* I6: the sensor's own rate brings every sample, a slower session the first of each of its own
   periods; nothing is averaged or repeated. */
static void rows_of_a_buffer(void) {
  world world;
  gkit_source *slow = NULL;
  batches seen = {0, 0, -1, 0, 0, 0, 0};
  if (!open_world(&world, BOARD, "accelerometer|iio:device0", 200))
    return;
  seen.width = world.width;
  seen.acceleration = world.acceleration;
  CHECK_OK(gkit_source_open(world.context, "accelerometer|iio:device0", &slow));
  gkit_reader *slow_reader = reader_of(world.context, slow, 4096);
  CHECK_OK(gkit_source_listen(world.source, on_batch, &seen, NULL, NULL));
  CHECK_OK(gkit_source_start(world.source, PERIOD));
  CHECK_OK(gkit_source_start(slow, 5 * PERIOD));
  seek_ms(&world, 480);
  gkit_frame *all = next_frame(world.reader);
  gkit_frame *some = next_frame(slow_reader);
  gkit_column fast = column_of(all, world.acceleration), boot = column_of(all, GKIT_COLUMN_BOOT);
  gkit_column slower = column_of(some, world.acceleration);
  CHECK(fast.rows >= 48);
  CHECK(slower.rows >= 9 && slower.rows <= 12);
  for (size_t i = 2; i < boot.rows; i++)
    CHECK(*(const int64_t *)row(&boot, i) > *(const int64_t *)row(&boot, i - 1));
  CHECK_INT(seen.rows, fast.rows);
  size_t at = 0;
  for (size_t i = 0; i < slower.rows; i++) {
    while (at < fast.rows && memcmp(row(&slower, i), row(&fast, at), 3 * sizeof(double)) != 0)
      at++;
    CHECK(at < fast.rows);
  }
  CHECK_TEXT(sim_value(world.source, "acquisition").value.as.string, "stream");
  gkit_release(all);
  gkit_release(some);
  gkit_release(slow_reader);
  gkit_release(slow);
  close_world(&world);
}

/* A host that comes late gets all rows that wait in one call; a reader is filled meanwhile. */
static void a_batch(void) {
  world world;
  gkit_reader_stats stats = GKIT_READER_STATS_INIT;
  batches seen = {0, 0, -1, 0, 0, 0, 0};
  const struct timespec nap = {0, 20 * MILLISECOND};
  if (!open_world(&world, LIVE_BOARD, "accelerometer|iio:device0", 200))
    return;
  seen.width = world.width;
  seen.acceleration = world.acceleration;
  CHECK_OK(gkit_source_listen(world.source, on_batch, &seen, NULL, NULL));
  CHECK_OK(gkit_source_start(world.source, PERIOD));
  for (int64_t spent = 0; spent < PATIENCE && stats.queued < 20 * world.width;
       spent += nap.tv_nsec) {
    nanosleep(&nap, NULL);
    CHECK_OK(gkit_reader_get_stats(world.reader, &stats));
  }
  CHECK(stats.queued >= 20 * world.width);
  CHECK_INT(seen.calls, 0);
  CHECK(gkit_context_dispatch(world.context, 0) > 0);
  CHECK(seen.largest >= 10);
  CHECK(seen.rows >= (long)(stats.queued / world.width));
  close_world(&world);
}

int main(void) {
  RUN(whole_columns);
  RUN(frames_over_batches);
  RUN(sessions_of_two_intervals);
  RUN(a_small_room);
  RUN(rows_of_a_buffer);
  RUN(a_batch);
  return check_report();
}
