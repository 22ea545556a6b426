/* What all threads share: handles of every type, and what host functions were given. */
#ifndef POOL_H
#define POOL_H

#include <gatheredkit.h>

typedef enum kind {
  CONTEXT,
  SOURCE,
  CONNECTION,
  CONNECTOR,
  READER,
  FRAME,
  STREAM,
  PATCH,
  DATASOURCE,
  FUTURE,
  DICT,
  SINK,
  KINDS
} kind;

/* Seeds the calling thread's dice. */
void pool_seed(uint64_t seed);
/* A random number below a limit. */
uint32_t pick(uint32_t below);
/* One of several texts, the last being NULL. */
const char *pick_text(const char *const *texts);

/* Some handle of a type, which any other thread may release at any moment; rarely NULL, one of
   another type, or one that never was. */
void *pool_get(kind kind);
/* Puts a handle that is the caller's into a random place, and releases what was there. */
void pool_put(kind kind, void *handle);
/* Empties a random place, releasing what is there. */
void pool_drop(kind kind);
/* Releases everything, and from then on what is put here: functions of the host may still run. */
void pool_close(void);

/* What a registration is given as user_data, and its destroy function: the process ends if that is
   called twice, or if a function is called with what was destroyed. */
void *grant_new(void);
void grant_check(void *grant);
void grant_destroy(void *grant);
/* How many have not been destroyed. */
int64_t grant_count(void);

#endif
