/* A program in C that publishes an accelerometer at 1 kHz, a message of JSON a sample:
     samples PORT SECONDS
   Prints what publishing.c prints: the processor time a second takes with the clock and the texts
   alone, and published; and what is sent in one. */
#include "measure.h"
#include "wire.h"

#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 3, TEXT = 256 };
static const long step_ns = 1000000;

/** The next sample as text; how long it is. */
static size_t sample(char *text, uint64_t sequence) {
  struct timespec wall, boot;
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_BOOTTIME, &boot);
  double angle = (double)sequence / 500;
  return (size_t)snprintf(
      text, TEXT,
      "{\"time_ns\":%lld%09ld,\"boot_ns\":%lld%09ld,\"sequence\":%llu,\"x\":%.17g,\"y\":%.17g,"
      "\"z\":%.17g}",
      (long long)wall.tv_sec, wall.tv_nsec, (long long)boot.tv_sec, boot.tv_nsec,
      (unsigned long long)sequence, 9.80665 * sin(angle), 0.1 * cos(8 * angle),
      9.80665 * cos(angle));
}

/** So many seconds of samples, which are sent if there is a connection; processor time of one in
    ms, and the bytes that were sent. */
static double spent(wire *wire, int seconds, int clock, double *bytes) {
  char text[TEXT];
  double cpu = cpu_ns(), begin = now_ns();
  uint64_t sequence = 0, ticks;
  while (now_ns() < begin + seconds * 1e9) {
    struct pollfd ready[] = {{clock, POLLIN, 0},
                             {wire != NULL ? wire_descriptor(wire) : -1, POLLIN, 0}};
    poll(ready, 2, 100);
    if (wire != NULL && ready[1].revents != 0)
      wire_turn(wire, 0);
    if (ready[0].revents == 0 || read(clock, &ticks, sizeof ticks) < 0)
      continue;
    for (; ticks > 0; ticks--) {
      size_t length = sample(text, ++sequence);
      *bytes += (double)length;
      if (wire != NULL)
        wire_send(wire, "samples/accelerometer", text, length, false);
    }
  }
  return (cpu_ns() - cpu) / (now_ns() - begin) * 1e3;
}

int main(int count, char **arguments) {
  if (count < 3)
    give_up("samples", "name a port and seconds");
  int seconds = atoi(arguments[2]), clock = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec every = {{0, step_ns}, {0, step_ns}};
  if (clock < 0 || timerfd_settime(clock, 0, &every, NULL) < 0)
    give_up("samples", "no clock");
  wire *wire = wire_open(atoi(arguments[1]), NULL, NULL);
  double alone[ROUNDS], published[ROUNDS], bytes = 0, unsent = 0;
  for (int round = 0; round < ROUNDS; round++) {
    alone[round] = spent(NULL, seconds, clock, &unsent);
    published[round] = spent(wire, seconds, clock, &bytes);
    wire_settle(wire);
  }
  printf("%g %g 1000 1000 %g\n", median(alone, ROUNDS), median(published, ROUNDS),
         bytes / ROUNDS / seconds);
  wire_close(wire);
  return 0;
}
