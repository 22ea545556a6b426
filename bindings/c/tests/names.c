/* The names of the numbers of every list but the statuses': C API R21. */
#include "check.h"
#include <string.h>

#define NAMED(function, constant) CHECK_TEXT(function(constant), #constant)

static void values_and_samples(void) {
  NAMED(gkit_value_type_name, GKIT_TYPE_NONE);
  NAMED(gkit_value_type_name, GKIT_TYPE_TIME);
  NAMED(gkit_value_type_name, GKIT_TYPE_LIST);
  NAMED(gkit_sample_status_name, GKIT_SAMPLE_OK);
  NAMED(gkit_sample_status_name, GKIT_SAMPLE_FAILED);
  NAMED(gkit_sample_flag_name, GKIT_FLAG_IS_NEW);
  NAMED(gkit_sample_flag_name, GKIT_FLAG_REPLAYED);
  NAMED(gkit_sample_flag_name, GKIT_FLAG_LOW_ACCURACY);
}

static void sources(void) {
  NAMED(gkit_availability_name, GKIT_AVAILABILITY_AVAILABLE);
  NAMED(gkit_availability_name, GKIT_AVAILABILITY_UNAVAILABLE);
  NAMED(gkit_reason_name, GKIT_REASON_AVAILABLE);
  NAMED(gkit_reason_name, GKIT_REASON_FAILED);
  NAMED(gkit_source_state_name, GKIT_STATE_IDLE);
  NAMED(gkit_source_state_name, GKIT_STATE_UPDATING);
  NAMED(gkit_event_type_name, GKIT_EVENT_ADDED);
  NAMED(gkit_event_type_name, GKIT_EVENT_LOST);
  NAMED(gkit_reporting_name, GKIT_REPORTING_CONTINUOUS);
  NAMED(gkit_reporting_name, GKIT_REPORTING_STATIC);
  NAMED(gkit_property_flag_name, GKIT_PROPERTY_WRITABLE);
  NAMED(gkit_property_flag_name, GKIT_PROPERTY_DERIVED);
}

static void others(void) {
  NAMED(gkit_mode_name, GKIT_MODE_THREAD);
  NAMED(gkit_mode_name, GKIT_MODE_HOST);
  NAMED(gkit_style_name, GKIT_STYLE_PEOPLE);
  NAMED(gkit_style_name, GKIT_STYLE_MACHINE);
  NAMED(gkit_overflow_name, GKIT_OVERFLOW_DROP_OLDEST);
  NAMED(gkit_overflow_name, GKIT_OVERFLOW_BLOCK);
  NAMED(gkit_log_level_name, GKIT_LOG_TRACE);
  NAMED(gkit_log_level_name, GKIT_LOG_ERROR);
  NAMED(gkit_operation_name, GKIT_OPERATION_GET);
  NAMED(gkit_operation_name, GKIT_OPERATION_DELETE_ALL);
  NAMED(gkit_future_flag_name, GKIT_FUTURE_ONLY);
}

/* A text that is no constant's name. */
static void nameless(const char *name) {
  if (CHECK(name != NULL))
    CHECK(strncmp(name, "GKIT_", 5) != 0 && strstr(name, "without a name") != NULL);
}

/* Numbers of a newer library, and such as none will have; several flags are not one. */
static void unknown_numbers(void) {
  static const int32_t numbers[] = {INT32_MIN, -1, 77, INT32_MAX};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const uint32_t bits = (uint32_t)numbers[i];
    nameless(gkit_value_type_name(bits));
    nameless(gkit_mode_name(bits));
    nameless(gkit_sample_status_name(bits));
    nameless(gkit_sample_flag_name(bits));
    nameless(gkit_availability_name(numbers[i]));
    nameless(gkit_reason_name(bits));
    nameless(gkit_source_state_name(bits));
    nameless(gkit_event_type_name(numbers[i]));
    nameless(gkit_reporting_name(numbers[i]));
    nameless(gkit_property_flag_name(bits));
    nameless(gkit_style_name(bits));
    nameless(gkit_overflow_name(bits));
    nameless(gkit_log_level_name(numbers[i]));
    nameless(gkit_operation_name(numbers[i]));
    nameless(gkit_future_flag_name(bits));
  }
  nameless(gkit_sample_flag_name(0));
  nameless(gkit_sample_flag_name(GKIT_FLAG_IS_NEW | GKIT_FLAG_GAP_BEFORE));
  nameless(gkit_operation_name(0));
}

int main(void) {
  RUN(values_and_samples);
  RUN(sources);
  RUN(others);
  RUN(unknown_numbers);
  return check_report();
}
