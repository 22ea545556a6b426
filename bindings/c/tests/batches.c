/* A listener that reads an update from its batch gets the same samples as other listeners. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A board whose sensor plays fifty records, a hundred a second; tests run in their own folder. */
#define BOARD "local:root=../../../Tests/Fixtures/machines/motion-board"

enum { MOST = 4096 };

/* What the listener before got. */
typedef struct update {
  size_t count;
  gkit_sample samples[MOST];
  long calls;
  size_t largest;
} update;

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
                      void *user_data) {
  update *seen = user_data;
  (void)source;
  seen->count = count < MOST ? count : MOST;
  memcpy(seen->samples, samples, seen->count * sizeof *samples);
}

static void on_batch(gkit_source *source, const gkit_sample *newest, size_t count,
                     const gkit_batch *batch, size_t readings, void *user_data) {
  update *seen = user_data;
  gkit_sample *all = calloc(readings * count, sizeof *all), *one = calloc(count, sizeof *one);
  size_t size = count * sizeof *all;
  (void)source;
  seen->calls++;
  seen->largest = readings > seen->largest ? readings : seen->largest;
  if (all == NULL || one == NULL || !CHECK(seen->count == readings * count))
    goto done;
  CHECK_INT(gkit_batch_read(batch, 0, all, readings * count), readings * count);
  CHECK(memcmp(all, seen->samples, readings * size) == 0);
  CHECK(memcmp(newest, all + (readings - 1) * count, size) == 0);
  for (size_t i = 0; i < readings; i++) {
    CHECK_INT(gkit_batch_read(batch, i, one, count), count);
    CHECK(memcmp(one, all + i * count, size) == 0);
  }
  CHECK_INT(gkit_batch_read(batch, 0, one, count - 1), 0);
  CHECK_STATUS(gkit_batch_read(batch, readings, one, count), GKIT_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(gkit_batch_read(NULL, 0, one, count), GKIT_ERROR_INVALID_ARGUMENT);
  CHECK_STATUS(gkit_batch_read(batch, 0, NULL, count), GKIT_ERROR_INVALID_ARGUMENT);
done:
  free(one);
  free(all);
}

static gkit_context *open_context(const char *uri) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  gkit_context *context = NULL;
  options.mode = GKIT_MODE_HOST;
  CHECK_OK(gkit_context_open(uri, &options, &context));
  return context;
}

/* One reading is a batch of one. */
static void one_reading(void) {
  update *seen = calloc(1, sizeof *seen);
  gkit_context *context = open_context("sim:laptop&clock=manual");
  gkit_source *source = NULL;
  CHECK_OK(gkit_source_open(context, "device_metadata", &source));
  CHECK_OK(gkit_source_listen(source, on_update, seen, NULL, NULL));
  CHECK_OK(gkit_source_listen_batches(source, on_batch, seen, NULL, NULL));
  CHECK_STATUS(gkit_source_listen_batches(source, NULL, NULL, NULL, NULL),
               GKIT_ERROR_INVALID_ARGUMENT);
  CHECK_OK(gkit_source_update_values(source, -1));
  CHECK_INT(seen->calls, 1);
  CHECK_INT(seen->largest, 1);
  gkit_release(source);
  CHECK_OK(gkit_context_close(context));
  gkit_release(context);
  free(seen);
}

/* A host that comes late gets all rows that wait in one update; so often that they are joined. */
static void rows_that_wait(void) {
  update *seen = calloc(1, sizeof *seen);
  gkit_reader_stats stats = GKIT_READER_STATS_INIT;
  gkit_reader *reader = NULL;
  gkit_source *source = NULL;
  const struct timespec nap = {0, 20 * MILLISECOND};
  gkit_context *context = open_context(BOARD);
  CHECK_OK(gkit_source_open(context, "accelerometer|iio:device0", &source));
  size_t width = sim_property_count(source);
  CHECK_OK(gkit_reader_new(context, NULL, &reader));
  CHECK_OK(gkit_reader_add(reader, source));
  CHECK_OK(gkit_source_listen(source, on_update, seen, NULL, NULL));
  CHECK_OK(gkit_source_listen_batches(source, on_batch, seen, NULL, NULL));
  CHECK_OK(gkit_source_start(source, 10 * MILLISECOND));
  CHECK(gkit_context_dispatch(context, 0) > 0);
  for (int64_t spent = 0; spent < PATIENCE && stats.queued < 40 * width; spent += nap.tv_nsec) {
    nanosleep(&nap, NULL);
    CHECK_OK(gkit_reader_get_stats(reader, &stats));
  }
  long before = seen->calls;
  CHECK(gkit_context_dispatch(context, 0) > 0);
  CHECK(seen->calls > before);
  CHECK(seen->largest >= 10);
  gkit_release(reader);
  gkit_release(source);
  CHECK_OK(gkit_context_close(context));
  gkit_release(context);
  free(seen);
}

int main(void) {
  RUN(one_reading);
  RUN(rows_that_wait);
  return check_report();
}
