#define _GNU_SOURCE
#include "CLinux.h"
#include <string.h>

#include <linux/membarrier.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

unsigned clinux_forks;

static void count_child(void) { __atomic_fetch_add(&clinux_forks, 1, __ATOMIC_RELAXED); }

/* With the program or the library, so that no call has to see to it. */
__attribute__((constructor)) static void count_forks(void) {
  pthread_atfork(NULL, NULL, count_child);
}

void clinux_name_thread(const char *name) {
  char cut[16];
  snprintf(cut, sizeof cut, "%s", name);
  pthread_setname_np(pthread_self(), cut);
}

bool clinux_barrier_prepare(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void clinux_barrier(void) {
  /* A prepared process is never refused. */
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/* On x86-64 in the block of thread-local variables that needs no call to find: it has room also
   where the library is opened late. On ARM libraries opened before use that room up, and the loader
   would then refuse this one. */
#if defined(__x86_64__)
#define AT_A_FIXED_PLACE __attribute__((tls_model("initial-exec")))
#else
#define AT_A_FIXED_PLACE
#endif
static __thread AT_A_FIXED_PLACE int callback_depth;

int clinux_callback_depth(int change) { return callback_depth += change; }

static __thread clinux_error last_error = {0, 0, ""};
static __thread char last_message[1024];

const clinux_error *clinux_last_error(void) { return &last_error; }

void clinux_set_last_error(int32_t code, int32_t sys_errno, const char *message, size_t length) {
  if (length >= sizeof last_message) {
    length = sizeof last_message - 1;
    while (length > 0 && ((unsigned char)message[length] & 0xC0) == 0x80)
      length--;
  }
  memcpy(last_message, message, length);
  last_message[length] = '\0';
  last_error.code = code;
  last_error.sys_errno = sys_errno;
  last_error.message = last_message;
}
