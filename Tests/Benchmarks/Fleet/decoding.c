/* Rows that come through a broker beside the replay of the same rows:
     decoding PORT FOLDER URI SECONDS
   The rows are those of an accelerometer, whose clock we move. They are recorded and replayed as
   fast as can be; another process publishes them, as time passes. */
#include "measure.h"
#include "ours.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 3 };
static const int64_t minute_ns = INT64_C(60000000000);

static atomic_long heard;

static void hear(gkit_source *source, const gkit_sample *newest, size_t count,
                 const gkit_batch *batch, size_t readings, void *data) {
  (void)source;
  (void)newest;
  (void)count;
  (void)batch;
  (void)data;
  heard += (long)readings;
}

/** Publishes for ever. */
static void publish(const char *uri, int port) {
  static const option none[] = {{NULL, 0}};
  static const int64_t step_ns = 100000000;
  gkit_context *context = opened(uri);
  gkit_source *source = source_of(context, "accelerometer");
  must(gkit_sink_add_source(publisher(context, port, "measured", none), source));
  must(gkit_source_start(source, 500000));
  for (int64_t moment = step_ns;; moment += step_ns, usleep(step_ns / 1000))
    must(gkit_context_seek(context, moment));
}

static void record(const char *uri, const char *path, int seconds) {
  gkit_context *context = opened(uri);
  gkit_source *source = source_of(context, "accelerometer");
  gkit_dict *settings = gkit_dict_new();
  gkit_value limit = gkit_value_int(INT64_C(1) << 30);
  gkit_sink *sink = NULL;
  must(gkit_dict_set(settings, "memory_limit", &limit));
  must(gkit_sink_open(context, "recording", path, settings, &sink));
  must(gkit_sink_add_source(sink, source));
  must(gkit_source_start(source, 500000));
  for (int second = 1; second <= seconds; second++)
    must(gkit_context_seek(context, second * INT64_C(1000000000)));
  must(gkit_sink_flush(sink, minute_ns));
  gkit_release(sink);
  gkit_release(settings);
  gkit_release(source);
  gkit_context_close(context);
  gkit_release(context);
}

/** Nanoseconds of processor time of a row that comes through the broker. */
static double decoded(int port, int seconds) {
  char uri[64];
  snprintf(uri, sizeof uri, "mqtt:127.0.0.1:%d&devices=measured", port);
  gkit_context *fleet = opened(uri);
  gkit_source *source = source_of(fleet, "accelerometer");
  must(gkit_source_listen_batches(source, hear, NULL, NULL, NULL));
  must(gkit_source_start(source, 1));
  sleep(2);
  heard = 0;
  double cpu = cpu_ns();
  sleep((unsigned)seconds);
  double spent = (cpu_ns() - cpu) / (double)heard;
  gkit_release(source);
  gkit_context_close(fleet);
  gkit_release(fleet);
  return spent;
}

/** The same of a replay. */
static double replayed(const char *path) {
  char uri[300];
  int64_t length;
  snprintf(uri, sizeof uri, "replay:%s", path);
  gkit_context *replay = opened(uri);
  gkit_source *source = source_of(replay, "accelerometer");
  must(gkit_context_set_rate(replay, 0));
  must(gkit_source_listen_batches(source, hear, NULL, NULL, NULL));
  must(gkit_source_start(source, 1));
  heard = 0;
  double cpu = cpu_ns();
  must(gkit_context_set_rate(replay, INFINITY));
  while (gkit_context_position(replay, &length) < length)
    usleep(1000);
  double spent = (cpu_ns() - cpu) / (double)heard;
  gkit_release(source);
  gkit_context_close(replay);
  gkit_release(replay);
  return spent;
}

int main(int count, char **arguments) {
  char path[280];
  if (count < 5)
    give_up("decoding", "name a port, a folder, a context and seconds");
  int port = atoi(arguments[1]), seconds = atoi(arguments[4]);
  pid_t other = fork();
  if (other == 0)
    publish(arguments[3], port);
  snprintf(path, sizeof path, "%s/rows.gkr", arguments[2]);
  record(arguments[3], path, 10 * seconds);
  sleep(1);
  double mine[ROUNDS], theirs[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    theirs[round] = replayed(path);
    mine[round] = decoded(port, seconds);
  }
  kill(other, SIGKILL);
  row("row decoded in a fleet context", median(mine, ROUNDS), "ns", "replay of the same",
      median(theirs, ROUNDS), "<= 1.5 x");
  return 0;
}
