/* C6, R3: a replay that runs as fast as it can is closed at any moment. */
#include "check.h"
#include "sim.h"
#include "tape.h"
#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 400 };

static tape recording;

static void recorded(void) {
  sim sim;
  if (!tape_make(&recording) || !sim_open(&sim, MEMORY))
    return;
  gkit_sink *sink = tape_record(&recording, sim.context, "");
  gkit_source *memory = sim_source(&sim, "memory");
  CHECK_OK(gkit_sink_add_source(sink, memory));
  CHECK_OK(gkit_source_start(memory, 10 * MILLISECOND));
  CHECK_OK(sim_seek(&sim, 20 * SECOND));
  CHECK_OK(gkit_sink_close(sink));
  gkit_release(memory);
  gkit_release(sink);
  sim_close(&sim);
}

/* Reads for some of its rows, and lets go in the middle of the others. */
static void close_early(int reads) {
  gkit_context *context = tape_replay(&recording, NULL);
  gkit_source *memory = NULL;
  gkit_reader *reader = NULL;
  gkit_sample samples[64];
  CHECK_OK(gkit_source_open(context, "memory", &memory));
  CHECK_OK(gkit_reader_new(context, NULL, &reader));
  CHECK_OK(gkit_reader_add(reader, memory));
  CHECK_OK(gkit_context_set_rate(context, reads % 2 == 0 ? 1e12 : INFINITY));
  CHECK_OK(gkit_source_start(memory, 0));
  for (int i = 0; i < reads; i++)
    CHECK_OK(gkit_reader_read(reader, samples, 64, SECOND));
  gkit_release(reader);
  gkit_release(memory);
  CHECK_OK(gkit_context_close(context));
  gkit_release(context);
}

static void closed_early(void) {
  int rounds = getenv("GKIT_TEST_SLOW") ? ROUNDS / 20 : ROUNDS;
  for (int i = 0; i < rounds; i++)
    close_early(i % 5);
  tape_remove(&recording);
}

int main(void) {
  RUN(recorded);
  RUN(closed_early);
  return check_report();
}
