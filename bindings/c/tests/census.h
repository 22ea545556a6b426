/* What a process has at a moment: objects, threads and descriptors. */
#ifndef CENSUS_H
#define CENSUS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct census {
  int64_t objects;
  int threads, descriptors;
} census;

/* Threads that are ending are not counted. */
census census_take(void);
/* Whether all is again as it was. Threads of the library's own may still be on their way out, so
   this waits for them, for a minute at most. */
bool census_returns(census before);
/* Whether there are no more threads than before, at once. Where an emulator tells of the end of a
   thread before it ends it (GKIT_TEST_SLOW), this waits for a second at most. */
bool census_threads_ended(census before);

#endif
