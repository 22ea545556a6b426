/* Messages of 16 KiB with QoS 1, as fast as a broker takes them:  throughput PORT
   Ours are values of a stream, each as long as a message of rows may be; the peer publishes in a
   loop. Both end when the broker has acknowledged all. */
#include "measure.h"
#include "ours.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, MESSAGES = 4000, LENGTH = 16384 };
static const int64_t minute_ns = INT64_C(60000000000);

static char payload[LENGTH];

/** Messages a second. */
static double ours(gkit_context *context, int port) {
  static const option options[] = {
      {"batch_bytes", LENGTH}, {"memory_limit", INT64_C(512) << 20}, {NULL, 0}};
  gkit_stream *stream = NULL;
  must(gkit_publink_new(context, &stream));
  gkit_sink *sink = publisher(context, port, "measured", options);
  must(gkit_sink_add_stream(sink, stream, "values"));
  // The second value shows that the stream is fast: its rows are sent from then on.
  gkit_value value = gkit_value_bytes(payload, LENGTH - 64);
  for (int i = 0; i < 3; i++) {
    must(gkit_stream_send(stream, &value));
    must(gkit_sink_flush(sink, minute_ns));
  }
  double before = told_by(sink, "messages_sent"), begin = now_ns();
  for (int i = 0; i < MESSAGES; i++)
    must(gkit_stream_send(stream, &value));
  must(gkit_sink_flush(sink, minute_ns));
  double rate = (told_by(sink, "messages_sent") - before) / (now_ns() - begin) * 1e9;
  if (told_by(sink, "rows_lost") > 0)
    give_up("throughput", "rows were lost");
  must(gkit_sink_close(sink));
  gkit_release(sink);
  gkit_release(stream);
  return rate;
}

static double peer(wire *wire) {
  double begin = now_ns();
  for (int i = 0; i < MESSAGES; i++)
    wire_send(wire, "values/rows", payload, LENGTH, false);
  wire_settle(wire);
  return MESSAGES / (now_ns() - begin) * 1e9;
}

int main(int count, char **arguments) {
  if (count < 2)
    give_up("throughput", "name a port");
  int port = atoi(arguments[1]);
  memset(payload, 'x', sizeof payload);
  gkit_context *context = opened("sim:empty");
  wire *wire = wire_open(port, NULL, NULL);
  double mine[ROUNDS], theirs[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    mine[round] = ours(context, port);
    theirs[round] = peer(wire);
  }
  row("16 KiB messages, QoS 1", median(mine, ROUNDS), "messages/s", "libmosquitto, C",
      median(theirs, ROUNDS), ">= 0.9 x");
  wire_close(wire);
  gkit_context_close(context);
  gkit_release(context);
  return 0;
}
