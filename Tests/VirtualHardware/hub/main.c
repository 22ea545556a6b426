// A HID sensor hub (usage page 0x20) made with /dev/uhid, so that the kernel's own hid-sensor-*
// drivers make real IIO devices of it. Also: a mouse with a battery.
//
//   sensor-hub [OPTION VALUE]... SENSOR...      one HID device with these sensors
//   sensor-hub --mouse [OPTION VALUE]...        a mouse
//   sensor-hub --eval [OPTION VALUE]... SENSOR  the truth at the seconds read from standard input
//
// Values are functions of the report's own time stamp: see truth() in motion.h.
#define _GNU_SOURCE // for ppoll
#include "descriptor.h"
#include "hub.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/uhid.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The kernel drops a report that comes while it takes an answer in (hid_input_report() finds its
// lock taken), which is no fault of who reads: after an answer samples wait, and follow in a burst.
enum { SAVE_EVERY = 500000000, QUIET = 50000000, FEATURE_SIZE = 11, BATTERY_REPORT = 2 };

static struct hub hub = {.stamps = {CLOCK_REALTIME, "realtime", 1, 0},
                         .name = "Virtual Sensor Hub",
                         .serial = "hub",
                         .mouse_level = 80};
static volatile sig_atomic_t interrupted;

static void on_signal(int signal) {
  (void)signal;
  interrupted = 1;
}

static void send_event(const struct uhid_event *event, size_t size) {
  if (write(hub.device, event, size) < 0)
    perror("sensor-hub: /dev/uhid");
}

static void push(const uint8_t *report, int length) {
  struct uhid_event event = {.type = UHID_INPUT2};
  event.u.input2.size = (uint16_t)length;
  memcpy(event.u.input2.data, report, (size_t)length);
  send_event(&event, offsetof(struct uhid_event, u.input2.data) + (size_t)length);
}

static struct sensor *reporting(int report) {
  return report > 0 && report <= hub.count ? &hub.sensors[report - 1] : NULL;
}

static void answer(uint32_t id, int number, int type) {
  struct uhid_event reply = {.type = UHID_GET_REPORT_REPLY};
  uint8_t *data = reply.u.get_report_reply.data, *place = data;
  const struct sensor *sensor = reporting(number);
  if (hub.is_mouse && number == BATTERY_REPORT) {
    *place++ = BATTERY_REPORT;
    *place++ = (uint8_t)hub.mouse_level;
  } else if (sensor && type == UHID_FEATURE_REPORT) {
    *place++ = sensor->report;
    *place++ = sensor->reporting;
    *place++ = sensor->power;
    put_word(&place, sensor->interval);
    put_word(&place, sensor->hysteresis);
  } else if (sensor && type == UHID_INPUT_REPORT) {
    place += sensor_report(sensor, &hub.stamps, clock_ns(hub.stamps.clock), data);
  } else {
    reply.u.get_report_reply.err = EIO;
  }
  reply.u.get_report_reply.id = id;
  reply.u.get_report_reply.size = (uint16_t)(place - data);
  send_event(&reply, sizeof reply);
  hub.quiet = clock_ns(CLOCK_MONOTONIC) + QUIET;
}

static void accept_features(struct sensor *sensor, const uint8_t *data) {
  const uint32_t interval = get_word(data + 3);
  sensor->reporting = data[1];
  sensor->power = data[2];
  sensor->hysteresis = get_word(data + 7);
  if (interval != sensor->interval && interval > 0) {
    sensor->interval = interval;
    sensor->period = interval * 1e6;
    sensor_rebase(sensor, &hub.stamps);
  }
  sensor_power(sensor, &hub.stamps);
}

static void take_kernel_event(void) {
  struct uhid_event event;
  if (read(hub.device, &event, sizeof event) <= 0)
    return;
  if (event.type == UHID_GET_REPORT) {
    const struct uhid_get_report_req *asked = &event.u.get_report;
    answer(asked->id, asked->rnum, asked->rtype);
  } else if (event.type == UHID_SET_REPORT) {
    struct uhid_event reply = {.type = UHID_SET_REPORT_REPLY};
    struct sensor *sensor = reporting(event.u.set_report.rnum);
    reply.u.set_report_reply.id = event.u.set_report.id;
    if (sensor && event.u.set_report.size >= FEATURE_SIZE)
      accept_features(sensor, event.u.set_report.data);
    else
      reply.u.set_report_reply.err = EIO;
    send_event(&reply, sizeof reply);
    save_state(&hub);
  }
}

static int64_t run_sensors(void) {
  const int64_t quiet = hub.quiet - clock_ns(CLOCK_MONOTONIC);
  int64_t next = -1;
  if (quiet > 0)
    return quiet;
  for (int i = 0; i < hub.count; i++) {
    const int64_t due = sensor_run(&hub.sensors[i], &hub.stamps, push);
    if (due >= 0 && (next < 0 || due < next))
      next = due;
  }
  return next;
}

static void take_commands(int fifo) {
  char text[1024], *rest;
  const int level = hub.mouse_level;
  const ssize_t length = read(fifo, text, sizeof text - 1);
  if (length <= 0)
    return;
  text[length] = 0;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    obey(&hub, line);
  if (hub.mouse_level != level) {
    const uint8_t report[] = {BATTERY_REPORT, (uint8_t)hub.mouse_level};
    push(report, sizeof report);
  }
}

static int create_device(void) {
  struct descriptor descriptor = {.length = 0};
  struct uhid_event event = {.type = UHID_CREATE2};
  struct uhid_create2_req *asked = &event.u.create2;
  if (hub.is_mouse)
    describe_mouse(&descriptor);
  else
    describe_hub(&descriptor, hub.sensors, hub.count, hub.stamps.sent);
  snprintf((char *)asked->name, sizeof asked->name, "%s", hub.name);
  snprintf((char *)asked->phys, sizeof asked->phys, "virtual/%s", hub.serial);
  snprintf((char *)asked->uniq, sizeof asked->uniq, "%s", hub.serial);
  memcpy(asked->rd_data, descriptor.bytes, (size_t)descriptor.length);
  asked->rd_size = (uint16_t)descriptor.length;
  asked->bus = 3;         // USB
  asked->vendor = 0x1209; // pid.codes, whose first products are for tests
  asked->product = hub.is_mouse ? 2 : 1;
  hub.device = open("/dev/uhid", O_RDWR | O_CLOEXEC);
  return hub.device < 0 || write(hub.device, &event, sizeof event) < 0 ? -1 : 0;
}

static int open_fifo(void) {
  if (!hub.control)
    return -1;
  unlink(hub.control);
  if (mkfifo(hub.control, 0600))
    return -1;
  return open(hub.control, O_RDWR | O_CLOEXEC | O_NONBLOCK);
}

static void serve(int fifo) {
  int64_t saved = clock_ns(CLOCK_MONOTONIC);
  while (!interrupted) {
    const int64_t next = run_sensors();
    struct pollfd ready[2] = {{.fd = hub.device, .events = POLLIN}, {.fd = fifo, .events = POLLIN}};
    struct timespec wait = {.tv_sec = 1};
    if (next >= 0)
      wait = (struct timespec){.tv_sec = next / 1000000000, .tv_nsec = next % 1000000000};
    if (ppoll(ready, 2, &wait, NULL) > 0) {
      if (ready[0].revents & POLLIN)
        take_kernel_event();
      if (ready[1].revents & POLLIN)
        take_commands(fifo);
    }
    if (clock_ns(CLOCK_MONOTONIC) - saved > SAVE_EVERY) {
      save_state(&hub);
      saved = clock_ns(CLOCK_MONOTONIC);
    }
  }
}

int main(int count, char **arguments) {
  const int status = read_arguments(&hub, count, arguments);
  if (status)
    return status - 1;
  const struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  const int fifo = open_fifo();
  if ((hub.control && fifo < 0) || create_device()) {
    perror("sensor-hub");
    return 1;
  }
  save_state(&hub);
  serve(fifo);
  const struct uhid_event destroy = {.type = UHID_DESTROY};
  send_event(&destroy, sizeof destroy);
  if (hub.control)
    unlink(hub.control);
  if (hub.state)
    unlink(hub.state);
  return 0;
}
