#include "streams.h"

#include <valgrind/callgrind.h>

void start_counting(void) { CALLGRIND_TOGGLE_COLLECT; }

void stop_counting(const char *label) {
  CALLGRIND_TOGGLE_COLLECT;
  CALLGRIND_DUMP_STATS_AT(label);
}
