#include "descriptor.h"
#include <string.h>

// Items, by the upper six bits of their first byte.
enum item {
  USAGE_PAGE = 0x04,
  USAGE = 0x08,
  LOGICAL_MINIMUM = 0x14,
  LOGICAL_MAXIMUM = 0x24,
  UNIT_EXPONENT = 0x54,
  UNIT = 0x64,
  REPORT_SIZE = 0x74,
  INPUT = 0x80,
  REPORT_ID = 0x84,
  REPORT_COUNT = 0x94,
  COLLECTION = 0xa0,
  FEATURE = 0xb0,
  END_COLLECTION = 0xc0
};
enum { PHYSICAL = 0, APPLICATION = 1, LOGICAL = 2 };
enum { ARRAY = 0, VARIABLE = 2 };
enum { MILLISECONDS = 0x19 };

static void item(struct descriptor *d, enum item tag, uint32_t value, int size) {
  d->bytes[d->length++] = (uint8_t)(tag | (size == 4 ? 3 : size));
  for (int i = 0; i < size; i++)
    d->bytes[d->length++] = (uint8_t)(value >> (8 * i));
}

static void field(struct descriptor *d, int bits, int count) {
  item(d, REPORT_SIZE, (uint32_t)bits, 1);
  item(d, REPORT_COUNT, (uint32_t)count, 1);
}

// A choice of one of `count` usages; its value is 1 to count.
static void choice(struct descriptor *d, uint32_t property, uint32_t first, int count,
                   enum item kind) {
  item(d, USAGE, property, 2);
  item(d, LOGICAL_MINIMUM, 1, 1);
  item(d, LOGICAL_MAXIMUM, (uint32_t)count, 1);
  field(d, 8, 1);
  item(d, COLLECTION, LOGICAL, 1);
  for (int i = 0; i < count; i++)
    item(d, USAGE, first + (uint32_t)i, 2);
  item(d, kind, ARRAY, 1);
  item(d, END_COLLECTION, 0, 0);
}

// A signed number of 32 bits without unit.
static void number(struct descriptor *d) {
  item(d, UNIT_EXPONENT, 0, 1);
  item(d, UNIT, 0, 1);
  item(d, LOGICAL_MINIMUM, 0x80000000u, 4);
  item(d, LOGICAL_MAXIMUM, 0x7fffffff, 4);
  field(d, 32, 1);
}

// Kernels cannot write signed features of 32 bits: these are unsigned.
static void feature(struct descriptor *d, uint32_t usage, uint32_t unit, int exponent) {
  number(d);
  item(d, LOGICAL_MINIMUM, 0, 1);
  item(d, USAGE, usage, 2);
  item(d, UNIT, unit, 1);
  item(d, UNIT_EXPONENT, (uint32_t)exponent & 15, 1);
  item(d, FEATURE, VARIABLE, 1);
}

static void data_fields(struct descriptor *d, const struct kind *kind) {
  const int is_quaternion = kind->quantity == ORIENTATION;
  for (int i = 0; i < (is_quaternion ? 1 : kind->count); i++) {
    number(d);
    item(d, USAGE, kind->data[i], 2);
    field(d, 32, is_quaternion ? 4 : 1);
    item(d, UNIT_EXPONENT, (uint32_t)kind->exponent & 15, 1);
    item(d, UNIT, kind->unit, 4);
    item(d, INPUT, VARIABLE, 1);
  }
}

static void time_stamp(struct descriptor *d) {
  number(d);
  item(d, USAGE, 0x529, 2);
  field(d, 64, 1);
  item(d, UNIT_EXPONENT, 0x0a, 1); // -6: nanoseconds
  item(d, UNIT, MILLISECONDS, 1);
  item(d, INPUT, VARIABLE, 1);
}

static void sensor(struct descriptor *d, const struct sensor *sensor, int stamps_sent) {
  item(d, USAGE_PAGE, 0x20, 1);
  item(d, USAGE, sensor->kind->usage, 2);
  item(d, COLLECTION, PHYSICAL, 1);
  item(d, REPORT_ID, sensor->report, 1);
  choice(d, 0x316, 0x840, 6, FEATURE);          // reporting state
  choice(d, 0x319, 0x850, 6, FEATURE);          // power state
  feature(d, 0x30e, MILLISECONDS, 0);           // report interval
  feature(d, 0x30f, 0, sensor->kind->exponent); // sensitivity, which is hysteresis
  choice(d, 0x201, 0x800, 7, INPUT);            // sensor state
  choice(d, 0x202, 0x810, 6, INPUT);            // event
  data_fields(d, sensor->kind);
  if (stamps_sent && sensor->kind->stamped)
    time_stamp(d);
  item(d, END_COLLECTION, 0, 0);
}

void describe_hub(struct descriptor *descriptor, const struct sensor *sensors, int count,
                  int stamps_sent) {
  item(descriptor, USAGE_PAGE, 0x20, 1);
  item(descriptor, USAGE, 1, 1);
  item(descriptor, COLLECTION, APPLICATION, 1);
  for (int i = 0; i < count; i++)
    sensor(descriptor, &sensors[i], stamps_sent);
  item(descriptor, END_COLLECTION, 0, 0);
}

void describe_mouse(struct descriptor *descriptor) {
  static const uint8_t bytes[] = {
      // Three buttons and two movements, report 1.
      0x05, 1, 0x09, 2, 0xa1, 1, 0x85, 1, 0x09, 1, 0xa1, 0, 0x05, 9, 0x19, 1, 0x29, 3, 0x15, 0,
      0x25, 1, 0x95, 8, 0x75, 1, 0x81, 2, 0x05, 1, 0x09, 0x30, 0x09, 0x31, 0x15, 0x81, 0x25, 0x7f,
      0x75, 8, 0x95, 2, 0x81, 6, 0xc0,
      // The battery's strength, report 2.
      0x85, 2, 0x05, 6, 0x09, 0x20, 0x15, 0, 0x25, 100, 0x75, 8, 0x95, 1, 0x81, 2, 0xc0};
  memcpy(descriptor->bytes, bytes, sizeof bytes);
  descriptor->length = sizeof bytes;
}
