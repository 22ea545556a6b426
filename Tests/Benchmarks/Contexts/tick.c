/* What one look a second at all file-based kinds costs, and at the same files kept open in C:
   milliseconds of processor time, the medians of rounds in which both take turns. */
#include "../Reads/limits.h"
#include "measure.h"
#include "timers.h"

#include <gatheredkit.h>
#include <stdio.h>
#include <unistd.h>

enum { SECONDS = 4, ROUNDS = 3 };

static const char *const kinds[] = {"memory",  "cpu",         "storage", "network",
                                    "battery", "temperature", "thermal", "screen"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void listener(gkit_source *source, const gkit_sample *samples, size_t count,
                     void *user_data) {
  (void)source;
  (void)samples;
  (void)count;
  (void)user_data;
}

static double cost_of_kinds(void) {
  gkit_context *context = NULL;
  if (gkit_context_open(NULL, NULL, &context) < 0)
    give_up("local:", gkit_last_error()->message);
  for (int i = 0; i < KINDS; i++) {
    gkit_source *source = NULL;
    // What this computer has none of waits for it.
    if (gkit_source_open(context, kinds[i], &source) == GKIT_OK &&
        gkit_source_listen(source, listener, NULL, NULL, NULL) == GKIT_OK)
      (void)gkit_source_start(source, INT64_C(1000000000));
  }
  usleep(500000);
  double cpu = cpu_ns();
  sleep(SECONDS);
  double spent = cpu_ns() - cpu;
  gkit_context_close(context);
  gkit_release(context);
  return spent / SECONDS / 1e6;
}

static void read_all(void *limits) {
  for (limit **each = limits; *each != NULL; each++)
    limit_read(*each);
}

static double cost_of_limits(void) {
  limit *limits[] = {memory_limit(), cpu_limit(), storage_limit("/"), network_limit(NULL), NULL};
  read_all(limits);
  double cost = cost_of_ticks(SECONDS, read_all, limits);
  for (limit **each = limits; *each != NULL; each++)
    limit_close(*each);
  return cost / 1e6;
}

int main(void) {
  double ours[ROUNDS], theirs[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    ours[round] = cost_of_kinds();
    theirs[round] = cost_of_limits();
  }
  printf("%g %g\n", median(ours, ROUNDS), median(theirs, ROUNDS));
  return 0;
}
