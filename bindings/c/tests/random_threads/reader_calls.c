#include "calls.h"

static void random_gkit_reader_new(void) {
  gkit_reader_options options = GKIT_READER_OPTIONS_INIT;
  gkit_reader *reader = NULL;
  options.capacity = pick(3) * 40;
  options.overflow = pick(3);
  if (gkit_reader_new(pool_get(CONTEXT), &options, &reader) >= 0)
    pool_put(READER, reader);
}

static void random_gkit_reader_add(void) {
  (void)gkit_reader_add(pool_get(READER), pool_get(SOURCE));
}

static void random_gkit_reader_fd(void) { (void)gkit_reader_fd(pool_get(READER)); }

static void random_gkit_reader_read(void) {
  gkit_sample samples[16];
  (void)gkit_reader_read(pool_get(READER), samples, 16, pick_timeout());
}

static void random_gkit_reader_next_frame(void) {
  gkit_frame *frame = NULL;
  gkit_source *source = pick(2) == 0 ? NULL : pool_get(SOURCE);
  if (gkit_reader_next_frame(pool_get(READER), source, pick_timeout(), &frame) >= 0)
    pool_put(FRAME, frame);
}

static void random_gkit_reader_get_stats(void) {
  gkit_reader_stats stats = GKIT_READER_STATS_INIT;
  (void)gkit_reader_get_stats(pool_get(READER), &stats);
}

static void random_gkit_frame_status(void) {
  gkit_column column;
  (void)gkit_frame_status(pool_get(FRAME), pick(20), &column);
}

static void random_gkit_frame_column(void) {
  gkit_column column;
  (void)gkit_frame_column(pool_get(FRAME), pick(20), &column);
}

static void random_gkit_frame_export_arrow(void) {
  struct ArrowSchema schema;
  struct ArrowArray rows;
  if (gkit_frame_export_arrow(pool_get(FRAME), &schema, &rows) < 0)
    return;
  schema.release(&schema);
  rows.release(&rows);
}

const call reader_calls[] = {
    CALL(gkit_reader_new),         CALL(gkit_reader_add),
    RARE(gkit_reader_fd),          {"gkit_reader_read", random_gkit_reader_read, 8},
    CALL(gkit_reader_next_frame),  CALL(gkit_reader_get_stats),
    CALL(gkit_frame_status),       CALL(gkit_frame_column),
    CALL(gkit_frame_export_arrow), END};
