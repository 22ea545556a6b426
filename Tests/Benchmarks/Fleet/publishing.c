/* What it costs to publish what is gathered:
     publishing PORT URI SECONDS INTERVAL_NS ID ...
   The sources are gathered so long alone, then published as well, in turn. A clock that is to be
   moved is, as real time passes. Prints the processor time a second takes alone and published, in
   ms; and what is sent in one: rows, messages, bytes. */
#include "measure.h"
#include "ours.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROUNDS = 3 };
static const int64_t minute_ns = INT64_C(60000000000);

static gkit_context *context;

/** Lets time pass. A clock that is moved has what a sensor buffers in 100 ms at once. */
static void pass(int seconds) {
  static const int64_t step_ns = 100000000;
  bool is_moved = true;
  for (double end = now_ns() + seconds * 1e9; now_ns() < end; usleep(step_ns / 1000))
    is_moved = is_moved && gkit_context_seek(context, gkit_context_position(context, NULL) +
                                                          step_ns) == GKIT_OK;
}

/** The processor time of a second, in ms. */
static double spent(int seconds) {
  double cpu = cpu_ns(), begin = now_ns();
  pass(seconds);
  return (cpu_ns() - cpu) / (now_ns() - begin) * 1e3;
}

/** What a round measures, as it is printed. */
enum { ALONE, PUBLISHED, ROWS, MESSAGES, BYTES, FIGURES };

static void measure_round(gkit_source **sources, int count, int port, int seconds,
                          double *figures) {
  static const char *const keys[] = {"rows_sent", "messages_sent", "bytes_sent"};
  static const option none[] = {{NULL, 0}};
  double before[3];
  figures[ALONE] = spent(seconds);
  gkit_sink *sink = publisher(context, port, "measured", none);
  for (int i = 0; i < count; i++)
    must(gkit_sink_add_source(sink, sources[i]));
  // What is told at the beginning is told once.
  pass(2);
  must(gkit_sink_flush(sink, minute_ns));
  for (int i = 0; i < 3; i++)
    before[i] = told_by(sink, keys[i]);
  figures[PUBLISHED] = spent(seconds);
  for (int i = 0; i < 3; i++)
    figures[ROWS + i] = (told_by(sink, keys[i]) - before[i]) / seconds;
  must(gkit_sink_close(sink));
  gkit_release(sink);
}

int main(int count, char **arguments) {
  if (count < 6)
    give_up("publishing", "name a port, a context, seconds, an interval and sources");
  context = opened(arguments[2]);
  gkit_source *sources[64];
  int sought = count - 5 < 64 ? count - 5 : 64;
  for (int i = 0; i < sought; i++) {
    sources[i] = source_of(context, arguments[5 + i]);
    must(gkit_source_start(sources[i], atoll(arguments[4])));
  }
  double rounds[ROUNDS][FIGURES];
  for (int round = 0; round < ROUNDS; round++)
    measure_round(sources, sought, atoi(arguments[1]), atoi(arguments[3]), rounds[round]);
  for (int figure = 0; figure < FIGURES; figure++) {
    double column[ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
      column[round] = rounds[round][figure];
    printf("%g ", median(column, ROUNDS));
  }
  puts("");
  gkit_context_close(context);
  gkit_release(context);
  return 0;
}
