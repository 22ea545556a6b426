/* R9, R5, R13: readers and frames. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <math.h>
#include <poll.h>

typedef struct world {
  sim sim;
  gkit_source *source;
  gkit_reader *reader;
  uint32_t width;
} world;

static bool open_world(world *self, size_t capacity, uint32_t overflow) {
  gkit_reader_options options = GKIT_READER_OPTIONS_INIT;
  self->source = NULL;
  self->reader = NULL;
  if (!sim_open(&self->sim, MEMORY "1.5 set memory|machine/free 6\n"))
    return false;
  options.capacity = capacity;
  options.overflow = overflow;
  CHECK_OK(gkit_source_open(self->sim.context, "memory", &self->source));
  CHECK_OK(gkit_reader_new(self->sim.context, &options, &self->reader));
  CHECK_OK(gkit_reader_add(self->reader, self->source));
  self->width = sim_property_count(self->source);
  return true;
}

static void close_world(world *self) {
  gkit_release(self->reader);
  gkit_release(self->source);
  sim_close(&self->sim);
}

static gkit_reader_stats stats_of(const gkit_reader *reader) {
  gkit_reader_stats stats = GKIT_READER_STATS_INIT;
  CHECK_OK(gkit_reader_get_stats(reader, &stats));
  return stats;
}

static bool readable(int fd) {
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  return poll(&entry, 1, 0) == 1;
}

static void samples_in_order(void) {
  world world;
  gkit_sample samples[256];
  if (!open_world(&world, 0, GKIT_OVERFLOW_DROP_OLDEST))
    return;
  CHECK_INT(gkit_reader_read(world.reader, samples, 256, 0), 0);
  CHECK_INT(gkit_reader_read(world.reader, samples, 256, MILLISECOND), 0);
  CHECK(!readable(gkit_reader_fd(world.reader)));
  CHECK_OK(gkit_source_start(world.source, SECOND));
  CHECK_OK(sim_seek(&world.sim, 2 * SECOND));
  CHECK(readable(gkit_reader_fd(world.reader)));
  CHECK_INT(stats_of(world.reader).queued, 3 * world.width);
  CHECK_INT(gkit_reader_read(world.reader, samples, 1, -1), 1);
  CHECK_INT(samples[0].property, 0);
  CHECK_INT(gkit_reader_read(world.reader, samples, 256, 0), 3 * world.width - 1);
  CHECK_INT(samples[0].property, 1);
  for (uint32_t i = 1; i < 3 * world.width - 1 && i < 256; i++)
    CHECK(samples[i].boot_ns >= samples[i - 1].boot_ns || samples[i].status != GKIT_SAMPLE_OK);
  CHECK_INT(stats_of(world.reader).queued, 0);
  CHECK_INT(stats_of(world.reader).delivered, 3 * world.width);
  CHECK_INT(stats_of(world.reader).dropped, 0);
  CHECK(!readable(gkit_reader_fd(world.reader)));
  close_world(&world);
}

/* R9: one frame = all rows queued of one source. */
static void frames(void) {
  world world;
  gkit_frame *frame = NULL;
  gkit_column column;
  if (!open_world(&world, 0, GKIT_OVERFLOW_DROP_OLDEST))
    return;
  CHECK_STATUS(gkit_reader_next_frame(world.reader, NULL, 0, &frame), GKIT_ERROR_TIMEOUT);
  CHECK_OK(gkit_source_start(world.source, SECOND));
  CHECK_OK(sim_seek(&world.sim, 2 * SECOND));
  if (CHECK_OK(gkit_reader_next_frame(world.reader, NULL, 0, &frame))) {
    CHECK_OK(gkit_frame_column(frame, GKIT_COLUMN_BOOT, &column));
    CHECK_INT(column.rows, 3);
    for (size_t i = 0; i < column.rows; i++)
      CHECK_INT(*(const int64_t *)((const char *)column.data + i * column.stride), i * SECOND);
    CHECK_OK(gkit_frame_column(frame, sim_property(world.source, "free"), &column));
    CHECK_INT(column.type, GKIT_TYPE_INT);
    CHECK_INT(column.rows, 3);
    if (column.rows == 3) {
      CHECK_INT(*(const int64_t *)column.data, 5);
      CHECK_INT(*(const int64_t *)((const char *)column.data + 2 * column.stride), 6);
    }
    uint32_t dirty = sim_property(world.source, "dirty");
    CHECK_OK(gkit_frame_column(frame, dirty, &column));
    CHECK(column.rows == 3 && *(const int64_t *)column.data == 0);
    CHECK_OK(gkit_frame_status(frame, dirty, &column));
    CHECK(column.rows == 3 && *(const uint32_t *)column.data == GKIT_SAMPLE_NO_DATA);
    CHECK_OK(gkit_frame_column(frame, sim_property(world.source, "pressure_some_avg10"), &column));
    CHECK(column.rows == 3 && isnan(*(const double *)column.data));
    CHECK_INVALID(gkit_frame_column(frame, world.width, &column));
    CHECK_INVALID(gkit_frame_status(frame, world.width, &column));
    CHECK_INVALID(gkit_frame_column(frame, 0, NULL));
  }
  gkit_release(frame);
  CHECK_STATUS(gkit_reader_next_frame(world.reader, world.source, 0, &frame), GKIT_ERROR_TIMEOUT);
  CHECK(frame == NULL);
  close_world(&world);
}

/* Rule 15: what is lost is counted, whichever end it is lost at. */
static void overflow(uint32_t how) {
  world world;
  gkit_sample samples[64];
  if (!open_world(&world, 10, how))
    return;
  CHECK_OK(gkit_source_start(world.source, SECOND));
  CHECK_OK(sim_seek(&world.sim, 4 * SECOND));
  gkit_reader_stats stats = stats_of(world.reader);
  CHECK(stats.queued <= 10);
  CHECK(stats.queued > 0);
  CHECK_INT(stats.queued + stats.dropped, 5 * world.width);
  CHECK_INT(gkit_reader_read(world.reader, samples, 64, 0), stats.queued);
  if (how == GKIT_OVERFLOW_DROP_OLDEST)
    CHECK_INT(samples[stats.queued - 1].property, world.width - 1);
  else
    CHECK_INT(samples[0].property, 0);
  close_world(&world);
}

static void drop_oldest(void) { overflow(GKIT_OVERFLOW_DROP_OLDEST); }

static void drop_newest(void) { overflow(GKIT_OVERFLOW_DROP_NEWEST); }

static bool all_flagged(const gkit_sample *samples, int64_t count) {
  bool flagged = count > 0;
  for (int64_t i = 0; i < count; i++)
    flagged = flagged && (samples[i].flags & GKIT_FLAG_GAP_BEFORE) != 0;
  return flagged;
}

static bool none_flagged(const gkit_sample *samples, int64_t count) {
  bool flagged = false;
  for (int64_t i = 0; i < count; i++)
    flagged = flagged || (samples[i].flags & GKIT_FLAG_GAP_BEFORE) != 0;
  return count > 0 && !flagged;
}

/* R9, sources L18: a full reader that blocks holds up itself only, and tells what it lost. */
static void blocks_itself_only(void) {
  world world;
  gkit_sample samples[1024];
  gkit_rates rates = GKIT_RATES_INIT;
  gkit_reader *other = NULL;
  gkit_source *listening = NULL;
  gkit_reader_options options = GKIT_READER_OPTIONS_INIT;
  if (!sim_open(&world.sim, MEMORY "2.5 set memory|machine/free 6\n"))
    return;
  listening = sim_source(&world.sim, "memory");
  world.source = listening;
  world.width = sim_property_count(listening);
  /* Room for one reading and a bit. */
  options.capacity = world.width + 1;
  options.overflow = GKIT_OVERFLOW_BLOCK;
  CHECK_OK(gkit_reader_new(world.sim.context, &options, &world.reader));
  CHECK_OK(gkit_reader_new(world.sim.context, NULL, &other));
  CHECK_OK(gkit_reader_add(world.reader, world.source));
  CHECK_OK(gkit_reader_add(other, world.source));
  CHECK_OK(gkit_source_start(world.source, SECOND));
  for (int64_t second = 0; second <= 4; second++)
    CHECK_OK(sim_seek(&world.sim, second * SECOND));
  CHECK_TEXT(sim_take(&world.sim), "started 5 5 5 6 6");
  CHECK_OK(gkit_source_get_rates(world.source, &rates));
  CHECK_INT(rates.skipped, 0);
  CHECK_INT(rates.dropped, 0);
  CHECK_INT(stats_of(other).queued, 5 * world.width);
  CHECK_INT(stats_of(other).dropped, 0);
  CHECK(none_flagged(samples, gkit_reader_read(other, samples, 1024, 0)));
  /* The first is kept, the newest waits behind it. */
  CHECK_INT(stats_of(world.reader).queued, world.width);
  CHECK_INT(stats_of(world.reader).dropped, 3 * world.width);
  uint32_t free_bytes = sim_property(world.source, "free");
  CHECK_INT(gkit_reader_read(world.reader, samples, 1024, 0), world.width);
  CHECK_INT(samples[free_bytes].boot_ns, 0);
  CHECK(none_flagged(samples, world.width));
  CHECK(readable(gkit_reader_fd(world.reader)));
  CHECK_INT(gkit_reader_read(world.reader, samples, 1024, 0), world.width);
  CHECK_INT(samples[free_bytes].boot_ns, 4 * SECOND);
  CHECK_INT(samples[free_bytes].value.as.integer, 6);
  CHECK((samples[free_bytes].flags & GKIT_FLAG_IS_NEW) != 0);
  CHECK(all_flagged(samples, world.width));
  CHECK_INT(gkit_reader_read(world.reader, samples, 1024, 0), 0);
  /* With room again there is nothing to tell. */
  CHECK_OK(sim_seek(&world.sim, 5 * SECOND));
  CHECK_INT(gkit_reader_read(world.reader, samples, 1024, 0), world.width);
  CHECK(none_flagged(samples, world.width));
  CHECK_INT(stats_of(world.reader).delivered, 3 * world.width);
  CHECK_INT(stats_of(world.reader).dropped, 3 * world.width);
  gkit_release(other);
  close_world(&world);
}

/* R9: of a reading larger than the reader what fits is kept, for gkit_reader_read only. */
static void larger_than_the_reader(uint32_t how) {
  world world;
  gkit_sample samples[64];
  gkit_frame *frame = NULL;
  if (!open_world(&world, 10, how))
    return;
  CHECK_OK(gkit_source_start(world.source, SECOND));
  CHECK_OK(sim_seek(&world.sim, 0));
  CHECK_INT(stats_of(world.reader).queued, 10);
  CHECK_INT(stats_of(world.reader).dropped, world.width - 10);
  CHECK_STATUS(gkit_reader_next_frame(world.reader, NULL, 0, &frame), GKIT_ERROR_TIMEOUT);
  CHECK_INT(gkit_reader_read(world.reader, samples, 64, 0), 10);
  CHECK_OK(sim_seek(&world.sim, SECOND));
  CHECK_INT(gkit_reader_read(world.reader, samples, 64, 0), 10);
  CHECK(all_flagged(samples, 10));
  close_world(&world);
}

static void larger_than_a_reader_that_drops(void) {
  larger_than_the_reader(GKIT_OVERFLOW_DROP_NEWEST);
}

static void larger_than_a_reader_that_blocks(void) { larger_than_the_reader(GKIT_OVERFLOW_BLOCK); }

/* R13: the reader keeps its source. */
static void keeps_its_source(void) {
  world world;
  gkit_sample samples[64];
  if (!open_world(&world, 0, GKIT_OVERFLOW_DROP_OLDEST))
    return;
  CHECK_OK(gkit_source_start(world.source, SECOND));
  gkit_release(world.source);
  world.source = NULL;
  CHECK_INT(gkit_live_count("source"), 1);
  CHECK_OK(sim_seek(&world.sim, 0));
  CHECK_INT(gkit_reader_read(world.reader, samples, 64, 0), world.width);
  gkit_release(world.reader);
  world.reader = NULL;
  CHECK_INT(gkit_live_count("source"), 0);
  close_world(&world);
}

/* R17, R5 */
static void refused(void) {
  world world;
  sim other;
  gkit_source *foreign = NULL;
  gkit_sample sample;
  gkit_frame *frame = NULL;
  if (!open_world(&world, 0, GKIT_OVERFLOW_DROP_OLDEST))
    return;
  if (sim_open(&other, MEMORY)) {
    CHECK_OK(gkit_source_open(other.context, "memory", &foreign));
    CHECK_INVALID(gkit_reader_add(world.reader, foreign));
    gkit_release(foreign);
    sim_close(&other);
  }
  CHECK_INVALID(gkit_reader_read(world.reader, NULL, 1, 0));
  CHECK_OK(gkit_context_close(world.sim.context));
  CHECK_STATUS(gkit_reader_read(world.reader, &sample, 1, 0), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_reader_next_frame(world.reader, NULL, 0, &frame), GKIT_ERROR_CLOSED);
  close_world(&world);
}

int main(void) {
  RUN(samples_in_order);
  RUN(frames);
  RUN(drop_oldest);
  RUN(drop_newest);
  RUN(blocks_itself_only);
  RUN(larger_than_a_reader_that_drops);
  RUN(larger_than_a_reader_that_blocks);
  RUN(keeps_its_source);
  RUN(refused);
  return check_report();
}
