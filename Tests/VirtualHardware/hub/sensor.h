// One sensor of the hub: what its driver has asked of it, and when its samples are due.
#ifndef SENSOR_H
#define SENSOR_H
#include "motion.h"
#include <time.h>

// Where a hub's time stamps come from.
struct stamps {
  clockid_t clock;
  const char *name; // realtime, monotonic, boottime; none leaves them out of the reports
  int sent;
  int64_t zero; // what truth counts from, ns
};

struct sensor {
  const struct kind *kind;
  struct movement movement;
  uint8_t report;            // its report id
  uint8_t reporting, power;  // features as the driver writes them: selectors from 1
  uint32_t interval;         // ms, as the driver knows it
  uint32_t hysteresis;       // stored, not acted upon
  double period;             // ns between samples
  int drop;                  // every drop-th sample is lost; 0: none
  int paused;                // reports nothing
  int running;               // powered and reporting
  int64_t begin, begin_mark; // of this powered stretch: CLOCK_MONOTONIC, and the stamps' clock
  uint64_t next, sent, dropped, starts;
  int64_t latest; // how late the latest report was, ns
};

int64_t clock_ns(clockid_t clock);

// Starts or ends a powered stretch, as the features say.
void sensor_power(struct sensor *sensor, const struct stamps *stamps);

// Keeps the sample numbers and goes on from now; after a change of period or a pause.
void sensor_rebase(struct sensor *sensor, const struct stamps *stamps);

void sensor_set_rate(struct sensor *sensor, const struct stamps *stamps, double hertz);

// Writes the report of the sample at a moment of the stamps' clock; returns its length.
int sensor_report(const struct sensor *sensor, const struct stamps *stamps, int64_t stamp,
                  uint8_t *report);

// Sends what is due through `send`; returns the ns until the next sample, or -1 for none.
int64_t sensor_run(struct sensor *sensor, const struct stamps *stamps,
                   void (*send)(const uint8_t *report, int length));

// Little-endian numbers of reports.
void put_word(uint8_t **place, uint32_t word);
uint32_t get_word(const uint8_t *place);
#endif
