#define _GNU_SOURCE
#include "locks.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The states of a lock's word. With WAITED some thread may sleep, and unlocking wakes one. */
enum { FREE, HELD, WAITED };

/* A wait until a moment on CLOCK_MONOTONIC; EAGAIN at once if the word has another value. */
static int futex_wait(uint32_t *word, uint32_t value, const struct timespec *moment) {
  long answer = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, moment, NULL,
                        FUTEX_BITSET_MATCH_ANY);
  return answer == 0 ? 0 : errno;
}

static void futex_wake(uint32_t *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* The words whose sleepers a thread has not woken yet. What they were part of may be gone when they
   are: nothing is read from it, and a wake for no reason is allowed. Few: each thread has room for
   them in what a program must have to spare when it loads the library, and usually one waits. */
enum { MOST_GATHERED = 4 };
static _Thread_local uint32_t *gathered[MOST_GATHERED];
static _Thread_local unsigned gathered_count;
static _Thread_local bool is_gathering;

void clinux_gather_wakes(void) { is_gathering = true; }

void clinux_send_wakes(void) {
  int saved = errno;
  while (gathered_count > 0)
    futex_wake(gathered[--gathered_count], INT_MAX);
  errno = saved;
}

void clinux_end_wakes(void) {
  is_gathering = false;
  clinux_send_wakes();
}

static void lock_slowly(uint32_t *word) {
  clinux_send_wakes();
  /* Other threads may still be asleep, so the word stays WAITED. */
  while (__atomic_exchange_n(word, WAITED, __ATOMIC_ACQUIRE) != FREE)
    futex_wait(word, WAITED, NULL);
}

void clinux_lock(uint32_t *word) {
  uint32_t expected = FREE;
  int saved;
  if (__atomic_compare_exchange_n(word, &expected, HELD, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  saved = errno;
  lock_slowly(word);
  errno = saved;
}

void clinux_unlock(uint32_t *word) {
  int saved;
  if (__atomic_exchange_n(word, FREE, __ATOMIC_RELEASE) != WAITED)
    return;
  saved = errno;
  futex_wake(word, 1);
  errno = saved;
}

bool clinux_wait(clinux_waiting *waiting, uint32_t *word, int64_t moment) {
  struct timespec limit = {.tv_sec = moment / 1000000000, .tv_nsec = moment % 1000000000};
  uint32_t seen = __atomic_load_n(&waiting->changes, __ATOMIC_SEQ_CST);
  int failure;
  __atomic_fetch_add(&waiting->waiters, 1, __ATOMIC_SEQ_CST);
  clinux_unlock(word);
  clinux_send_wakes();
  failure = futex_wait(&waiting->changes, seen, moment < 0 ? NULL : &limit);
  clinux_lock(word);
  __atomic_fetch_sub(&waiting->waiters, 1, __ATOMIC_SEQ_CST);
  return failure != ETIMEDOUT;
}

void clinux_wake(clinux_waiting *waiting) {
  int saved = errno;
  /* A thread that saw the state before its change announced itself under the lock, so it is seen
     here; its wait ends at once if the count has moved on. */
  __atomic_fetch_add(&waiting->changes, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&waiting->waiters, __ATOMIC_SEQ_CST) > 0)
    futex_wake(&waiting->changes, INT_MAX);
  errno = saved;
}

void clinux_wake_together(clinux_waiting *waiting) {
  if (!is_gathering) {
    clinux_wake(waiting);
    return;
  }
  __atomic_fetch_add(&waiting->changes, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&waiting->waiters, __ATOMIC_SEQ_CST) == 0)
    return;
  if (gathered_count == MOST_GATHERED)
    clinux_send_wakes();
  gathered[gathered_count++] = &waiting->changes;
}

/* -- the order of locks */

/* More than there are ranks, of which each is held once. */
enum { MOST_HELD = 12 };
static _Thread_local clinux_held_lock held[MOST_HELD];
static _Thread_local unsigned held_count;

/* Prints what the calling thread was about to do, and the lock that forbids it, and ends the
   process. */
static void refuse(const char *what, const clinux_held_lock *taken, const clinux_held_lock *other) {
  if (taken)
    fprintf(stderr, "gatheredkit: %s at %s:%u (rank %u), with a lock taken at %s:%u (rank %u)\n",
            what, taken->file, taken->line, taken->rank, other->file, other->line, other->rank);
  else
    fprintf(stderr, "gatheredkit: a thread %s, with a lock taken at %s:%u (rank %u)\n", what,
            other->file, other->line, other->rank);
  abort();
}

void clinux_check_lock(clinux_held_lock taken) {
  for (unsigned i = 0; i < held_count && i < MOST_HELD; i++) {
    if (held[i].word == taken.word)
      refuse("a lock is taken again", &taken, &held[i]);
    if (held[i].rank >= taken.rank)
      refuse("a lock is taken against the order", &taken, &held[i]);
  }
  if (held_count < MOST_HELD)
    held[held_count] = taken;
  held_count++;
}

void clinux_forget_lock(const void *word) {
  unsigned known = held_count < MOST_HELD ? held_count : MOST_HELD;
  unsigned place = known;
  while (place > 0 && held[place - 1].word != word)
    place--;
  held_count--;
  if (place == 0)
    return;
  for (; place < known; place++)
    held[place - 1] = held[place];
}

void clinux_check_no_lock(const void *word, uint8_t rank, const char *what) {
  for (unsigned i = 0; i < held_count && i < MOST_HELD; i++)
    if (held[i].word != word && held[i].rank > rank)
      refuse(what, NULL, &held[i]);
}
