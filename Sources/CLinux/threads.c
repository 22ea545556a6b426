#define _GNU_SOURCE
#include "CLinux.h"

#include <pthread.h>
#include <stdio.h>
#include <stdatomic.h>

static atomic_uint generation;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void count_child(void) {
  atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
}

static void install(void) { pthread_atfork(NULL, NULL, count_child); }

unsigned clinux_fork_generation(void) {
  pthread_once(&once, install);
  return atomic_load_explicit(&generation, memory_order_relaxed);
}

void clinux_name_thread(const char *name) {
  char cut[16];
  snprintf(cut, sizeof cut, "%s", name);
  pthread_setname_np(pthread_self(), cut);
}

static __thread int callback_depth;

int clinux_callback_depth(int change) { return callback_depth += change; }
