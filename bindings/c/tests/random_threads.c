/* Four threads make random calls of all functions, on handles they share, inside callbacks too.
 *
 *   random_threads [SEED [STEPS [SECONDS [THREADS]]]]     stops at whichever comes first
 *   random_threads --list                        the functions that are called
 *
 * Nothing may hang, no user_data may be used or destroyed after it was destroyed, and nothing is
 * left behind. A thread that makes no call for two minutes ends the test, which then shows every
 * thread's stack. */
#define _GNU_SOURCE
#include "check.h"
#include "random_threads/calls.h"
#include "sim.h"
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 16 };

/* How long nothing may happen, in seconds. */
static int patience = 120;
/* How many threads make calls. */
static int thread_count = 4;

typedef struct worker {
  pthread_t thread;
  uint64_t seed;
  long made;
} worker;

static long steps = 3000;
static double seconds = 10;
static worker workers[MOST_THREADS];
static double begun;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *work(void *argument) {
  worker *self = argument;
  pool_seed(self->seed);
  for (long i = 0; i < steps && now() - begun < seconds; i++) {
    calls_make_one();
    __atomic_store_n(&calls_in_reserve, 1000, __ATOMIC_RELAXED);
    __atomic_add_fetch(&self->made, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

/* -- the watchdog */

static int over;

static void show_stacks(void) {
  char process[20];
  snprintf(process, sizeof process, "%d", (int)getpid());
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(2, 1);
    execlp("gdb", "gdb", "-q", "-batch", "-ex", "set print frame-arguments none", "-ex",
           "thread apply all bt 100", "-p", process, (char *)NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
}

static void *watch(void *unused) {
  long last = -1;
  double changed = now();
  (void)unused;
  while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
    long made = 0;
    poll(NULL, 0, 100);
    for (int i = 0; i < thread_count; i++)
      made += __atomic_load_n(&workers[i].made, __ATOMIC_RELAXED);
    if (made != last)
      changed = now();
    last = made;
    if (now() - changed < patience)
      continue;
    fprintf(stderr, "no call has returned for %d s, after %ld\n", patience, made);
    show_stacks();
    abort();
  }
  return NULL;
}

/* -- what is there before and behind */

/* A recording of a second of memory. */
static void record(void) {
  sim sim;
  gkit_sink *sink = NULL;
  snprintf(calls_recording, sizeof calls_recording, "%s/recording", calls_folder);
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_OK(gkit_sink_open(sim.context, "recording", calls_recording, NULL, &sink));
  gkit_source *source = sim_source(&sim, "memory");
  CHECK_OK(gkit_sink_add_source(sink, source));
  CHECK_OK(gkit_source_start(source, 10 * MILLISECOND));
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_OK(gkit_sink_close(sink));
  gkit_release(source);
  gkit_release(sink);
  sim_close(&sim);
}

static int count_entries(const char *path) {
  int count = 0;
  DIR *folder = opendir(path);
  while (folder != NULL && readdir(folder) != NULL)
    count++;
  if (folder != NULL)
    closedir(folder);
  return count;
}

/* Waits for what ends by itself: detached workers. */
static bool settles(int64_t (*count)(void), int64_t expected) {
  double limit = now() + patience;
  while (count() > expected && now() < limit)
    poll(NULL, 0, 5);
  return count() <= expected;
}

static void show_objects(void) {
  static const char *const types[] = {"context",    "source", "connection", "connector",
                                      "reader",     "frame",  "stream",     "patch",
                                      "datasource", "future", "dict",       "sink"};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (gkit_live_count(types[i]) != 0)
      fprintf(stderr, "%lld %s\n", (long long)gkit_live_count(types[i]), types[i]);
}

static int64_t objects(void) { return gkit_live_count(NULL); }
static int64_t threads(void) { return count_entries("/proc/self/task"); }
static int64_t descriptors(void) { return count_entries("/proc/self/fd"); }

static void show_descriptors(void) {
  char path[64], target[256];
  for (int fd = 0; fd < 1024; fd++) {
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length >= 0)
      fprintf(stderr, "%d: %.*s\n", fd, (int)length, target);
  }
}

static void random_threads(void) {
  pthread_t watchdog;
  int64_t threads_before = threads(), descriptors_before = descriptors();
  pool_seed(workers[0].seed);
  begun = now();
  CHECK_INT(pthread_create(&watchdog, NULL, watch, NULL), 0);
  for (int i = 0; i < thread_count; i++)
    CHECK_INT(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  for (int i = 0; i < thread_count; i++)
    pthread_join(workers[i].thread, NULL);
  /* Contexts close with what is left in them, and functions of the host may run until then. */
  pool_close();
  if (!CHECK(settles(objects, 0))) {
    show_objects();
    show_stacks();
  }
  gkit_set_log_handler(GKIT_LOG_WARNING, NULL, NULL, NULL);
  __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
  pthread_join(watchdog, NULL);
  CHECK(settles(grant_count, 0));
  CHECK(settles(threads, threads_before));
  if (!CHECK(settles(descriptors, descriptors_before)))
    show_descriptors();
}

int main(int argc, char **argv) {
  char command[96];
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)getpid();
  if (argc > 1 && strcmp(argv[1], "--list") == 0) {
    calls_list();
    return 0;
  }
  if (argc > 2)
    steps = strtol(argv[2], NULL, 10);
  if (argc > 3)
    seconds = strtod(argv[3], NULL);
  if (argc > 4)
    thread_count = (int)strtol(argv[4], NULL, 10) % MOST_THREADS;
  if (getenv("GKIT_TEST_PATIENCE") != NULL)
    patience = (int)strtol(getenv("GKIT_TEST_PATIENCE"), NULL, 10);
  for (int i = 0; i < thread_count; i++)
    workers[i].seed = seed * MOST_THREADS + (uint64_t)i;
  snprintf(calls_folder, sizeof calls_folder, "/tmp/gatheredkit-random-XXXXXX");
  if (mkdtemp(calls_folder) == NULL)
    return 1;
  RUN(record);
  RUN(random_threads);
  snprintf(command, sizeof command, "rm -rf %s", calls_folder);
  if (system(command) != 0)
    fprintf(stderr, "%s stays\n", calls_folder);
  long made = 0;
  for (int i = 0; i < thread_count; i++)
    made += workers[i].made;
  printf("seed %llu, %ld calls: ", (unsigned long long)seed, made);
  return check_report();
}
