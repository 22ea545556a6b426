#include "sensor.h"
#include <math.h>

enum { FULL_POWER = 2, ALL_EVENTS = 2, LONGEST_BURST = 32 };

// No bus carries more than this at once, and then not again at once.
static const int64_t BURST_PAUSE = 1000000;

int64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void sensor_power(struct sensor *sensor, const struct stamps *stamps) {
  const int running = sensor->power == FULL_POWER && sensor->reporting == ALL_EVENTS;
  if (running && !sensor->running) {
    sensor->next = 0;
    sensor->starts++;
    sensor->begin = clock_ns(CLOCK_MONOTONIC) + (int64_t)sensor->period;
    sensor->begin_mark = clock_ns(stamps->clock) + (int64_t)sensor->period;
  }
  sensor->running = running;
}

void sensor_rebase(struct sensor *sensor, const struct stamps *stamps) {
  if (!sensor->running)
    return;
  const int64_t passed = (int64_t)((double)sensor->next * sensor->period);
  sensor->begin = clock_ns(CLOCK_MONOTONIC) - passed;
  sensor->begin_mark = clock_ns(stamps->clock) - passed;
}

void sensor_set_rate(struct sensor *sensor, const struct stamps *stamps, double hertz) {
  sensor->period = 1e9 / hertz;
  sensor->interval = (uint32_t)llround(1000 / hertz);
  if (!sensor->interval)
    sensor->interval = 1;
  sensor_rebase(sensor, stamps);
}

void put_word(uint8_t **place, uint32_t word) {
  for (int i = 0; i < 4; i++)
    *(*place)++ = (uint8_t)(word >> (8 * i));
}

uint32_t get_word(const uint8_t *place) {
  return place[0] | (uint32_t)place[1] << 8 | (uint32_t)place[2] << 16 | (uint32_t)place[3] << 24;
}

int sensor_report(const struct sensor *sensor, const struct stamps *stamps, int64_t stamp,
                  uint8_t *report) {
  double values[4];
  uint8_t *place = report;
  truth(sensor->kind, &sensor->movement, (double)(stamp - stamps->zero) * 1e-9, sensor->next,
        values);
  *place++ = sensor->report;
  *place++ = 2; // state: ready
  *place++ = 4; // event: data updated
  for (int i = 0; i < sensor->kind->count; i++)
    put_word(&place, (uint32_t)(int32_t)llround(values[i] / sensor->kind->step));
  if (stamps->sent && sensor->kind->stamped) {
    put_word(&place, (uint32_t)stamp);
    put_word(&place, (uint32_t)((uint64_t)stamp >> 32));
  }
  return (int)(place - report);
}

int64_t sensor_run(struct sensor *sensor, const struct stamps *stamps,
                   void (*send)(const uint8_t *report, int length)) {
  uint8_t report[64];
  if (!sensor->running || sensor->paused)
    return -1;
  // After a stall of the machine the late samples follow in a burst, each with its own stamp.
  for (int burst = 0; burst < LONGEST_BURST; burst++) {
    const int64_t offset = (int64_t)((double)sensor->next * sensor->period);
    const int64_t due = sensor->begin + offset, now = clock_ns(CLOCK_MONOTONIC);
    if (due > now)
      return due - now;
    if (now - due > sensor->latest)
      sensor->latest = now - due;
    if (sensor->drop && (int)(sensor->next % (uint64_t)sensor->drop) == sensor->drop - 1) {
      sensor->dropped++;
    } else {
      send(report, sensor_report(sensor, stamps, sensor->begin_mark + offset, report));
      sensor->sent++;
    }
    sensor->next++;
  }
  return BURST_PAUSE;
}
