// The sensor hub as a whole: what the command line, its FIFO and the kernel change.
#ifndef HUB_H
#define HUB_H
#include "sensor.h"

enum { MOST_SENSORS = 16 };

struct hub {
  struct sensor sensors[MOST_SENSORS];
  int count;
  struct stamps stamps;
  const char *name, *serial;   // of the HID device
  const char *control, *state; // paths of the FIFO and the state file; NULL for none
  int is_mouse, mouse_level;   // a mouse with a battery, in percent, instead of sensors
  int device;                  // descriptor of /dev/uhid
  int64_t quiet;               // when samples may be sent again, on CLOCK_MONOTONIC
};

// What the command line asks for: 0 to go on, else the status to exit with, less one.
int read_arguments(struct hub *hub, int count, char **arguments);

// Acts on one line of the FIFO.
void obey(struct hub *hub, char *line);

// Replaces the state file, if there is to be one.
void save_state(const struct hub *hub);
#endif
