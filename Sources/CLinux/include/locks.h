/* One lock and one way to wait, of a futex word each. They remember no thread, so that a fork's
   child may use what was free when it was made; pthread's own and Swift's do not promise that. */
#ifndef CLINUX_LOCKS_H
#define CLINUX_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* Takes the lock of a word that is 0 when free. A thread that holds it must not take it again. */
void clinux_lock(uint32_t *word);
void clinux_unlock(uint32_t *word);

/* Who waits for a change of what a lock guards. All zero at first. */
typedef struct {
  uint32_t changes;
  uint32_t waiters;
} clinux_waiting;

/* Unlocks, waits for the next clinux_wake, and locks again; false when a moment on CLOCK_MONOTONIC,
   in nanoseconds, came first. A negative moment never comes. Wakes for no reason at times. */
bool clinux_wait(clinux_waiting *waiting, uint32_t *word, int64_t moment);
/* Wakes all that wait. The change is made under the lock, and this is called after it. */
void clinux_wake(clinux_waiting *waiting);

/* The same for one of many changes. Between clinux_gather_wakes and clinux_end_wakes the calling
   thread gathers the wakes and sends them together, at the latest before it sleeps itself.
   Elsewhere it is clinux_wake. */
void clinux_wake_together(clinux_waiting *waiting);
void clinux_gather_wakes(void);
/* Wakes all that were gathered. It may be called at any time. */
void clinux_send_wakes(void);
void clinux_end_wakes(void);

/* -- the order of locks, checked in debug builds. A thread takes a lock only of a higher rank than
      those it holds; otherwise, and when it holds the lock already, the process ends with both
      places on standard error. */
typedef struct {
  const void *word;
  const char *file;
  uint32_t line;
  uint8_t rank;
} clinux_held_lock;

void clinux_check_lock(clinux_held_lock taken);
void clinux_forget_lock(const void *word);
/* Ends the process if the calling thread holds a lock of a higher rank than `rank`, apart from
   `word`, and says what it was about to do. */
void clinux_check_no_lock(const void *word, uint8_t rank, const char *what);

#endif
