// HID report descriptors: how the hub, or a mouse, describes itself to the kernel.
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H
#include "sensor.h"

struct descriptor {
  uint8_t bytes[4096];
  int length;
};

// A sensor hub: one application collection, a physical collection for each sensor.
void describe_hub(struct descriptor *descriptor, const struct sensor *sensors, int count,
                  int stamps_sent);

// A mouse with a battery, whose percentage is report 2.
void describe_mouse(struct descriptor *descriptor);
#endif
