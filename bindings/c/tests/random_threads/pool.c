#include "pool.h"
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 12, LIVE = 0x11fe, DEAD = 0xdead };

static void *places[KINDS][PLACES];
static __thread uint64_t dice;
static int64_t grants;
static bool is_closed;

void pool_seed(uint64_t seed) { dice = seed * UINT64_C(0x9E3779B97F4A7C15) + 1; }

uint32_t pick(uint32_t below) {
  dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(dice >> 33) % below;
}

const char *pick_text(const char *const *texts) {
  uint32_t count = 0;
  while (texts[count] != NULL)
    count++;
  return texts[pick(count)];
}

void *pool_get(kind kind) {
  uint32_t odd = pick(200);
  if (odd == 0)
    return NULL;
  if (odd == 1)
    kind = (enum kind)pick(KINDS);
  if (odd == 2)
    return (void *)(uintptr_t)dice;
  return __atomic_load_n(&places[kind][pick(PLACES)], __ATOMIC_ACQUIRE);
}

static void replace(kind kind, uint32_t place, void *handle) {
  gkit_release(__atomic_exchange_n(&places[kind][place], handle, __ATOMIC_SEQ_CST));
}

void pool_put(kind kind, void *handle) {
  /* Few contexts: each has threads. */
  uint32_t place = pick(kind == CONTEXT ? 3 : PLACES);
  replace(kind, place, handle);
  /* Either this sees that the pool is closed, or `pool_close` sees the handle. */
  if (__atomic_load_n(&is_closed, __ATOMIC_SEQ_CST))
    replace(kind, place, NULL);
}

void pool_drop(kind kind) { replace(kind, pick(PLACES), NULL); }

void pool_close(void) {
  __atomic_store_n(&is_closed, true, __ATOMIC_SEQ_CST);
  for (int kind = 0; kind < KINDS; kind++)
    for (uint32_t place = 0; place < PLACES; place++)
      replace((enum kind)kind, place, NULL);
}

void *grant_new(void) {
  uint64_t *grant = malloc(sizeof *grant);
  if (grant == NULL)
    abort();
  __atomic_store_n(grant, LIVE, __ATOMIC_RELEASE);
  __atomic_add_fetch(&grants, 1, __ATOMIC_ACQ_REL);
  return grant;
}

static void expect_live(void *grant, const char *what) {
  if (__atomic_load_n((uint64_t *)grant, __ATOMIC_ACQUIRE) == LIVE)
    return;
  fprintf(stderr, "%s with user_data that was destroyed\n", what);
  abort();
}

void grant_check(void *grant) { expect_live(grant, "a function was called"); }

void grant_destroy(void *grant) {
  expect_live(grant, "destroy was called");
  __atomic_store_n((uint64_t *)grant, DEAD, __ATOMIC_RELEASE);
  __atomic_sub_fetch(&grants, 1, __ATOMIC_ACQ_REL);
  free(grant);
}

int64_t grant_count(void) { return __atomic_load_n(&grants, __ATOMIC_ACQUIRE); }
