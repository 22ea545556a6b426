/* R20: what a host hands over or asks for is refused where there is no memory for it, and nothing
   has changed; nothing ends the process. Each case runs in a process of its own, whose address
   space is as large as it is then and so many megabytes more. */
#define _DEFAULT_SOURCE
#include "check.h"
#include "memory_limits/bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

size_t large = 40 * MEGABYTE;
char folder[] = "/tmp/gatheredkit-memory-XXXXXX";

/* Allows so many megabytes more than there are now. */
static void allow(long more) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld", &pages) != 1)
    abort();
  fclose(file);
  rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)more * MEGABYTE;
  if (setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) != 0)
    abort();
}

enum { DONE = 0, REFUSED = 10, WRONG_STATUS = 1, NOT_STORED = 2, CHANGED = 3 };

/* Shared by all processes. */
static bench shared;

static int run(const trial *trial, long more) {
  bench_open(&shared);
  if (more >= 0)
    allow(more);
  gkit_status status = trial->run(&shared);
  size_t count = gkit_dict_count(shared.dict);
  if (status >= 0)
    return trial->stores && count != 1 ? NOT_STORED : DONE;
  if (status != GKIT_ERROR_NO_MEMORY && status != GKIT_ERROR_LIMIT) {
    fprintf(stderr, "%s\n", gkit_last_error()->message);
    return WRONG_STATUS;
  }
  /* What is lent is refused behind what was stored. */
  return count != 0 && strcmp(trial->name, "lend") != 0 ? CHANGED : REFUSED;
}

static bool can_limit(void) {
#if defined(__SANITIZE_ADDRESS__)
  return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return false;
#endif
#endif
  /* Valgrind needs its own memory. */
  return getenv("GKIT_TEST_SLOW") == NULL;
}

/* Runs a case in a process of its own. */
static void try_out(const trial *trial, long more) {
  int status = -1;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    _exit(run(trial, more));
  CHECK(waitpid(child, &status, 0) == child);
  int outcome = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  /* Where there is memory it is done, and where there is none it is not. */
  bool is_well = outcome == REFUSED || outcome == DONE;
  if (more < 0 && !trial->is_bounded)
    is_well = outcome == DONE;
  if (trial->is_bounded && can_limit())
    is_well = outcome == REFUSED;
  if (more == 6)
    is_well = outcome == REFUSED;
  if (!CHECK(is_well))
    fprintf(stderr, "%s with %ld MB ended with %x\n", trial->name, more, status);
}

static void nothing_ends_the_process(void) {
  int step = getenv("GKIT_TEST_SLOW") != NULL ? 8 : 1;
  for (int i = 0; i < TRIALS; i += step) {
    try_out(&trials[i], -1);
    if (!can_limit())
      continue;
    /* None, enough for many of them, and something between that is another for each. */
    try_out(&trials[i], 6);
    try_out(&trials[i], 30 + i * 37 % 260);
    try_out(&trials[i], 300);
  }
}

int main(void) {
  if (!CHECK(mkdtemp(folder) != NULL))
    return check_report();
  /* Without a limit it need not be much. */
  if (!can_limit())
    large = 2 * MEGABYTE;
  bench_fill(&shared);
  /* Its processes are forked before there is anything of the library. */
  nothing_ends_the_process();
  keep_remove(folder);
  return check_report();
}
