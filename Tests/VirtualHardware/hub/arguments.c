#include "hub.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wanted {
  double rate;
  struct movement movement;
  int evaluate, zero_given;
};

static int bad(const char *what, const char *word) {
  fprintf(stderr, "sensor-hub: no %s '%s'\n", what, word);
  return 3;
}

static int set_clock(struct stamps *stamps, const char *name) {
  static const struct stamps known[] = {
      {CLOCK_REALTIME, "realtime", 1, 0},
      {CLOCK_MONOTONIC, "monotonic", 1, 0},
      {CLOCK_BOOTTIME, "boottime", 1, 0},
      {CLOCK_REALTIME, "none", 0, 0},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(name, known[i].name))
      continue;
    const int64_t zero = stamps->zero;
    *stamps = known[i];
    stamps->zero = zero;
    return 0;
  }
  return bad("clock", name);
}

static int set_constants(struct movement *movement, const char *text) {
  double *set = movement->set;
  movement->motion = SET;
  return sscanf(text, "%lf,%lf,%lf,%lf", set, set + 1, set + 2, set + 3) > 0
             ? 0
             : bad("constants", text);
}

static int option(struct hub *hub, struct wanted *wanted, const char *name, const char *value) {
  if (!strcmp(name, "--rate")) {
    wanted->rate = atof(value);
    return wanted->rate > 0 ? 0 : bad("rate", value);
  }
  if (!strcmp(name, "--motion"))
    return motion_named(value, &wanted->movement.motion) ? 0 : bad("motion", value);
  if (!strcmp(name, "--clock"))
    return set_clock(&hub->stamps, value);
  if (!strcmp(name, "--set"))
    return set_constants(&wanted->movement, value);
  if (!strcmp(name, "--freq"))
    wanted->movement.frequency = atof(value);
  else if (!strcmp(name, "--amp"))
    wanted->movement.amplitude = atof(value);
  else if (!strcmp(name, "--t0")) {
    hub->stamps.zero = atoll(value);
    wanted->zero_given = 1;
  } else if (!strcmp(name, "--ctl"))
    hub->control = value;
  else if (!strcmp(name, "--state"))
    hub->state = value;
  else if (!strcmp(name, "--name"))
    hub->name = value;
  else if (!strcmp(name, "--serial"))
    hub->serial = value;
  else if (!strcmp(name, "--level"))
    hub->mouse_level = atoi(value);
  else
    return bad("option", name);
  return 0;
}

static int add_sensor(struct hub *hub, const struct wanted *wanted, const char *name) {
  const struct kind *kind = kind_named(name);
  if (!kind || hub->count == MOST_SENSORS)
    return bad("sensor", name);
  struct sensor *sensor = &hub->sensors[hub->count++];
  *sensor = (struct sensor){.kind = kind,
                            .movement = wanted->movement,
                            .report = (uint8_t)hub->count,
                            .reporting = 1,
                            .power = 6};
  sensor_set_rate(sensor, &hub->stamps, wanted->rate);
  return 0;
}

static void print_truth(const struct hub *hub, double seconds) {
  const struct sensor *sensor = &hub->sensors[0];
  double values[4];
  truth(sensor->kind, &sensor->movement, seconds, 0, values);
  printf("%.9f", seconds);
  for (int i = 0; i < sensor->kind->count; i++)
    printf(" %.9f", values[i]);
  printf("\n");
}

// The truth at the moments that standard input lists.
static int evaluate(const struct hub *hub) {
  double seconds;
  while (scanf("%lf", &seconds) == 1)
    print_truth(hub, seconds);
  return 1;
}

int read_arguments(struct hub *hub, int count, char **arguments) {
  struct wanted wanted = {.rate = 100, .movement = {.frequency = 1, .amplitude = 1}};
  int i = 1, status = 0;
  for (; i < count && arguments[i][0] == '-' && !status; i++) {
    if (!strcmp(arguments[i], "--eval"))
      wanted.evaluate = 1;
    else if (!strcmp(arguments[i], "--mouse"))
      hub->is_mouse = 1;
    else if (i + 1 == count)
      status = bad("value of", arguments[i]);
    else
      status = option(hub, &wanted, arguments[i], arguments[i + 1]), i++;
  }
  for (; i < count && !status; i++)
    status = add_sensor(hub, &wanted, arguments[i]);
  if (status)
    return status;
  if (!hub->count && !hub->is_mouse)
    return bad("sensor", "");
  if (!wanted.zero_given)
    hub->stamps.zero = clock_ns(hub->stamps.clock);
  return wanted.evaluate ? evaluate(hub) : 0;
}
