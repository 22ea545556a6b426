#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 21, MOST_WORKS = 8 };

/** How long one work is run in one round. */
static const double round_ns = 3e6;

static double clock_ns(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

double cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

static double time_of(const work *work, size_t times) {
  double start = now_ns();
  for (size_t i = 0; i < times; i++)
    work->run(work->data);
  return now_ns() - start;
}

/** How often a work fits into a round; it is warm afterwards. The first call may open what the
    others only read, and tells nothing about them. */
static size_t times_in_a_round(const work *work) {
  size_t times = 1;
  work->run(work->data);
  for (;;) {
    double spent = time_of(work, times);
    if (spent > round_ns / 4)
      return 1 + (size_t)((double)times * round_ns / spent);
    times *= 2;
  }
}

void measure(const work *works, size_t count, double *out) {
  size_t times[MOST_WORKS];
  for (size_t i = 0; i < count; i++) {
    times[i] = times_in_a_round(&works[i]);
    out[i] = INFINITY;
  }
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < count; i++)
      out[i] = fmin(out[i], time_of(&works[i], times[i]) / (double)times[i]);
}

static int compare(const void *one, const void *other) {
  double difference = *(const double *)one - *(const double *)other;
  return (difference > 0) - (difference < 0);
}

double median(double *figures, size_t count) {
  qsort(figures, count, sizeof *figures, compare);
  return figures[count / 2];
}

void row(const char *name, double ours, const char *unit, const char *peer, double theirs,
         const char *aim) {
  printf("%s\t%g\t%s\t%s\t%g\t%s\n", name, ours, unit, peer, theirs, aim);
  fflush(stdout);
}

/** A number of kibibytes of this process's status, as MiB. */
static double status_mib(const char *format) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  double kibibytes = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, format, &kibibytes) == 1)
      break;
  if (file != NULL)
    fclose(file);
  return kibibytes / 1024;
}

double resident_mib(void) { return status_mib("VmRSS: %lf"); }

double most_resident_mib(void) { return status_mib("VmHWM: %lf"); }

void give_up(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}
