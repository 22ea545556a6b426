/* What a thousand sources at 1 Hz cost, beside a thousand bare timers of one timerfd and a heap. */
#include "measure.h"
#include "timers.h"

#include <gatheredkit.h>
#include <stdio.h>
#include <unistd.h>

enum { SESSIONS = 1000, SECONDS = 4, ROUNDS = 3 };

static volatile uint64_t updates;

static void listener(gkit_source *source, const gkit_sample *samples, size_t count,
                     void *user_data) {
  (void)source;
  (void)samples;
  (void)user_data;
  updates += count > 0;
}

/** The share of a core this process uses while all sessions run, in percent. Sources of one
    interval are due together, those of different ones each at moments of its own. */
static double share_of_sessions(const char *uri, int64_t spread) {
  gkit_context *context = NULL;
  if (gkit_context_open(uri, NULL, &context) < 0)
    give_up(uri, gkit_last_error()->message);
  for (int i = 0; i < SESSIONS; i++) {
    gkit_source *source = NULL;
    if (gkit_source_open(context, "memory", &source) < 0 ||
        gkit_source_listen(source, listener, NULL, NULL, NULL) < 0 ||
        gkit_source_start(source, INT64_C(1000000000) + i * spread) < 0)
      give_up("memory", gkit_last_error()->message);
    if (spread)
      usleep(1000);
  }
  double cpu = cpu_ns(), start = now_ns();
  uint64_t before = updates;
  sleep(SECONDS);
  double share = 100 * (cpu_ns() - cpu) / (now_ns() - start);
  if (updates - before < SESSIONS * (SECONDS - 1))
    fprintf(stderr, "%s: only %llu updates\n", uri, (unsigned long long)(updates - before));
  gkit_context_close(context);
  gkit_release(context);
  return share;
}

/** The medians of rounds in which both take turns: a machine is not equally fast all the time. */
static void share_row(const char *title, const char *uri, int64_t spread, const char *aim) {
  double ours[ROUNDS], bare[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    bare[round] = share_of_timers(SESSIONS, SECONDS);
    ours[round] = share_of_sessions(uri, spread);
  }
  row(title, median(ours, ROUNDS), "% of a core", "timerfd and heap", median(bare, ROUNDS), aim);
}

int main(void) {
  share_row("1000 sources at 1 Hz (simulated)", "sim:laptop", 0, "<= 0.2 %");
  share_row("  at 1000 intervals about 1 s", "sim:laptop", 1000, "1.3 x");
  share_row("1000 sources at 1 Hz (live memory)", "local:", 0, "<= 0.2 %");
  share_row("  at 1000 intervals about 1 s", "local:", 1000, "");
  return 0;
}
