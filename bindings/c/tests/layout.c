/* Sizes, offsets and numbers that never change. */
#include "check.h"
#include <string.h>

#define OFFSET(type, field, expected) CHECK_INT(offsetof(type, field), expected)

static void frozen_structs(void) {
  CHECK_INT(sizeof(gkit_value), 40);
  OFFSET(gkit_value, type, 0);
  OFFSET(gkit_value, count, 4);
  OFFSET(gkit_value, as, 8);
  CHECK_INT(sizeof(gkit_sample), 80);
  OFFSET(gkit_sample, time_ns, 0);
  OFFSET(gkit_sample, boot_ns, 8);
  OFFSET(gkit_sample, sequence, 16);
  OFFSET(gkit_sample, source, 24);
  OFFSET(gkit_sample, property, 28);
  OFFSET(gkit_sample, status, 32);
  OFFSET(gkit_sample, flags, 36);
  OFFSET(gkit_sample, value, 40);
  CHECK_INT(sizeof(gkit_status), 4);
  if (sizeof(void *) != 8)
    return;
  CHECK_INT(sizeof(gkit_column), 32);
  OFFSET(gkit_column, data, 0);
  OFFSET(gkit_column, stride, 8);
  OFFSET(gkit_column, rows, 16);
  OFFSET(gkit_column, type, 24);
  OFFSET(gkit_column, count, 28);
  CHECK_INT(sizeof(gkit_error), 16);
  OFFSET(gkit_error, code, 0);
  OFFSET(gkit_error, sys_errno, 4);
  OFFSET(gkit_error, message, 8);
}

/* These may grow at their end; what is there stays where it is. */
static void growing_structs(void) {
  if (sizeof(void *) != 8)
    return;
  OFFSET(gkit_context_options, struct_size, 0);
  OFFSET(gkit_context_options, mode, 8);
  OFFSET(gkit_context_options, flags, 12);
  OFFSET(gkit_context_options, allow, 16);
  OFFSET(gkit_source_info, id, 8);
  OFFSET(gkit_source_info, kind, 16);
  OFFSET(gkit_source_info, name, 24);
  OFFSET(gkit_source_info, availability, 32);
  OFFSET(gkit_source_info, number, 36);
  OFFSET(gkit_source_info, property_count, 40);
  OFFSET(gkit_source_info, reason, 44);
  OFFSET(gkit_source_info, reason_text, 48);
  OFFSET(gkit_source_info, remedy, 56);
  OFFSET(gkit_source_info, min_interval_ns, 64);
  OFFSET(gkit_source_info, default_interval_ns, 72);
  OFFSET(gkit_source_info, label, 80);
  OFFSET(gkit_source_info, backend, 88);
  OFFSET(gkit_source_info, state, 96);
  OFFSET(gkit_source_info, sys_errno, 100);
  OFFSET(gkit_property_info, key, 8);
  OFFSET(gkit_property_info, name, 16);
  OFFSET(gkit_property_info, unit, 24);
  OFFSET(gkit_property_info, components, 32);
  OFFSET(gkit_property_info, type, 40);
  OFFSET(gkit_property_info, reporting_mode, 44);
  OFFSET(gkit_property_info, flags, 48);
  OFFSET(gkit_property_info, minimum, 56);
  OFFSET(gkit_property_info, maximum, 64);
  OFFSET(gkit_property_info, resolution, 72);
  OFFSET(gkit_rates, asked_ns, 8);
  OFFSET(gkit_rates, granted_ns, 16);
  OFFSET(gkit_rates, measured_ns, 24);
  OFFSET(gkit_rates, skipped, 32);
  OFFSET(gkit_rates, dropped, 40);
  OFFSET(gkit_rates, reason, 48);
  OFFSET(gkit_reader_options, capacity, 8);
  OFFSET(gkit_reader_options, overflow, 16);
  OFFSET(gkit_reader_stats, queued, 8);
  OFFSET(gkit_reader_stats, delivered, 16);
  OFFSET(gkit_reader_stats, dropped, 24);
  CHECK_INT(sizeof(gkit_context_options), 24);
  CHECK_INT(sizeof(gkit_source_info), 104);
  CHECK_INT(sizeof(gkit_property_info), 80);
  CHECK_INT(sizeof(gkit_rates), 56);
  CHECK_INT(sizeof(gkit_reader_options), 24);
  CHECK_INT(sizeof(gkit_reader_stats), 32);
}

/* R1: the first and the last of each list; between them they count. */
static void numbers(void) {
  CHECK_INT(GKIT_SAMPLE_OK, 0);
  CHECK_INT(GKIT_SAMPLE_FAILED, 5);
  CHECK_INT(GKIT_FLAG_IS_NEW, 1);
  CHECK_INT(GKIT_FLAG_LOW_ACCURACY, 8);
  CHECK_INT(GKIT_AVAILABILITY_AVAILABLE, 0);
  CHECK_INT(GKIT_AVAILABILITY_UNAVAILABLE, 4);
  CHECK_INT(GKIT_REASON_AVAILABLE, 0);
  CHECK_INT(GKIT_REASON_POWERED_OFF, 5);
  CHECK_INT(GKIT_REASON_FAILED, 11);
  CHECK_INT(GKIT_EVENT_ADDED, 0);
  CHECK_INT(GKIT_EVENT_PERMISSION_REQUESTED, 6);
  CHECK_INT(GKIT_EVENT_LOST, 7);
  CHECK_INT(GKIT_REPORTING_CONTINUOUS, 0);
  CHECK_INT(GKIT_REPORTING_STATIC, 3);
  CHECK_INT(GKIT_PROPERTY_WRITABLE, 1);
  CHECK_INT(GKIT_PROPERTY_DERIVED, 16);
  CHECK_INT(GKIT_OVERFLOW_DROP_OLDEST, 0);
  CHECK_INT(GKIT_OVERFLOW_BLOCK, 2);
  CHECK_INT(GKIT_STATE_IDLE, 0);
  CHECK_INT(GKIT_STATE_UPDATING, 2);
  CHECK_INT(GKIT_LOG_TRACE, 0);
  CHECK_INT(GKIT_LOG_ERROR, 5);
  CHECK_INT(GKIT_MODE_THREAD, 0);
  CHECK_INT(GKIT_MODE_HOST, 1);
  CHECK(GKIT_COLUMN_TIME == 0xFFFFFFFF);
  CHECK(GKIT_COLUMN_BOOT == 0xFFFFFFFE);
  CHECK_INT(GKIT_TYPE_NONE, 0);
  CHECK_INT(GKIT_TYPE_LIST, 9);
}

static void version(void) {
  CHECK_INT(gkit_version(),
            GKIT_VERSION_MAJOR << 16 | GKIT_VERSION_MINOR << 8 | GKIT_VERSION_PATCH);
  CHECK_TEXT(gkit_version_string(), GKIT_VERSION_STRING);
}

/* R16 */
static void features(void) {
  CHECK(gkit_has_feature("sim"));
  CHECK(gkit_has_feature("local"));
  CHECK(gkit_has_feature("ip"));
  CHECK(gkit_has_feature("iio"));
  CHECK(gkit_has_feature("dbus"));
  CHECK(gkit_has_feature("alsa"));
  CHECK(gkit_has_feature("mqtt"));
  CHECK(!gkit_has_feature("time travel"));
  CHECK(!gkit_has_feature(""));
  CHECK(!gkit_has_feature(NULL));
}

int main(void) {
  RUN(frozen_structs);
  RUN(growing_structs);
  RUN(numbers);
  RUN(version);
  RUN(features);
  return check_report();
}
