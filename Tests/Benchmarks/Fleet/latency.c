/* From the sample on one machine to the listener on another, by a broker:  latency PORT
   The median of all rows is the half of the interval of batches, and what the way takes; beside it
   the way of a message from a program in C to itself. */
#include "measure.h"
#include "ours.h"
#include "wire.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 2000, TRIPS = 500, PROPERTIES = 64 };
static const int64_t interval_ns = 5000000;

static double latencies[ROWS];
static atomic_int heard;
static uint64_t known;

static double wall_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void hear(gkit_source *source, const gkit_sample *samples, size_t count, void *data) {
  (void)source;
  (void)data;
  double now = wall_ns();
  for (size_t i = 0; i < count; i++) {
    if (samples[i].property != 0 || samples[i].sequence <= known)
      continue;
    known = samples[i].sequence;
    if (heard < ROWS)
      latencies[heard++] = now - (double)samples[i].time_ns;
  }
}

/** The median latency of rows that wait so long for others, in ms. */
static double ours(int port, int64_t batch_ns) {
  char uri[64];
  const option options[] = {{"batch_interval_ns", batch_ns}, {NULL, 0}};
  gkit_context *context = opened("sim:phone");
  gkit_source *source = source_of(context, "accelerometer");
  gkit_sink *sink = publisher(context, port, "measured", options);
  must(gkit_sink_add_source(sink, source));
  must(gkit_source_start(source, interval_ns));
  must(gkit_sink_flush(sink, INT64_C(60000000000)));
  snprintf(uri, sizeof uri, "mqtt:127.0.0.1:%d&devices=measured", port);
  gkit_context *fleet = opened(uri);
  gkit_source *remote = source_of(fleet, "accelerometer");
  must(gkit_source_start(remote, interval_ns));
  sleep(2);
  heard = 0;
  known = 0;
  must(gkit_source_listen(remote, hear, NULL, NULL, NULL));
  for (int wait = 0; heard < ROWS && wait < 60; wait++)
    sleep(1);
  gkit_context_close(fleet);
  gkit_context_close(context);
  gkit_release(remote);
  gkit_release(fleet);
  gkit_release(sink);
  gkit_release(source);
  gkit_release(context);
  if (heard < ROWS)
    give_up("latency", "too few rows have come");
  return median(latencies, ROWS) / 1e6;
}

static void note(void *data, const struct mosquitto_message *message) {
  (void)message;
  *(bool *)data = true;
}

/** The median way of a message, in ms. */
static double peer(int port) {
  double trips[TRIPS];
  bool is_here = false;
  wire *wire = wire_open(port, note, &is_here);
  wire_subscribe(wire, "trips");
  for (int i = 0; i < 50; i++)
    wire_turn(wire, 10);
  for (int i = 0; i < TRIPS; i++) {
    double begin = now_ns();
    wire_send(wire, "trips", "x", 1, false);
    for (is_here = false; !is_here;)
      wire_turn(wire, 100);
    trips[i] = now_ns() - begin;
    usleep(5000);
  }
  wire_settle(wire);
  wire_close(wire);
  return median(trips, TRIPS) / 1e6;
}

int main(int count, char **arguments) {
  if (count < 2)
    give_up("latency", "name a port");
  int port = atoi(arguments[1]);
  double way = peer(port);
  row("sample to remote listener, median", ours(port, 500000000), "ms", "0.25 s + a way in C",
      250 + way, "+ 5 ms");
  row("  batches of 20 ms", ours(port, 20000000), "ms", "10 ms + a way in C", 10 + way, "+ 5 ms");
  return 0;
}
