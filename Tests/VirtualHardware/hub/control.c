#include "hub.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void change(struct sensor *sensor, const struct stamps *stamps, const char *what,
                   const char *word, const double numbers[4]) {
  struct movement *movement = &sensor->movement;
  if (!strcmp(what, "motion") && word)
    motion_named(word, &movement->motion);
  else if (!strcmp(what, "set")) {
    memcpy(movement->set, numbers, sizeof movement->set);
    movement->motion = SET;
  } else if (!strcmp(what, "freq"))
    movement->frequency = numbers[0];
  else if (!strcmp(what, "amp"))
    movement->amplitude = numbers[0];
  else if (!strcmp(what, "rate") && numbers[0] > 0)
    sensor_set_rate(sensor, stamps, numbers[0]);
  else if (!strcmp(what, "drop"))
    sensor->drop = (int)numbers[0];
  else if (!strcmp(what, "pause"))
    sensor->paused = 1;
  else if (!strcmp(what, "resume")) {
    sensor->paused = 0;
    sensor_rebase(sensor, stamps);
  }
}

void obey(struct hub *hub, char *line) {
  char *rest;
  const char *what = strtok_r(line, " \n", &rest);
  const char *who = what ? strtok_r(NULL, " \n", &rest) : NULL;
  if (!who)
    return;
  if (!strcmp(what, "level")) {
    hub->mouse_level = atoi(who);
    return;
  }
  const char *first = strtok_r(NULL, " \n", &rest), *word = first;
  double numbers[4] = {0};
  for (int n = 0; word && n < 4; n++, word = strtok_r(NULL, " \n", &rest))
    numbers[n] = atof(word);
  for (int i = 0; i < hub->count; i++) {
    struct sensor *sensor = &hub->sensors[i];
    if (strcmp(who, "all") && strcmp(who, sensor->kind->name))
      continue;
    change(sensor, &hub->stamps, what, first, numbers);
  }
  save_state(hub);
}

static void save_sensor(FILE *file, const struct sensor *sensor) {
  const struct movement *m = &sensor->movement;
  fprintf(file, "{\"kind\": \"%s\", \"iio\": \"%s\", \"unit\": \"%s\", ", sensor->kind->name,
          sensor->kind->iio, sensor->kind->unit_name);
  fprintf(file, "\"step\": %g, \"motion\": \"%s\", \"freq\": %g, \"amp\": %g, ", sensor->kind->step,
          motion_name(m->motion), m->frequency, m->amplitude);
  fprintf(file, "\"set\": [%.9g, %.9g, %.9g, %.9g], ", m->set[0], m->set[1], m->set[2], m->set[3]);
  fprintf(file, "\"rate\": %g, \"running\": %s, \"paused\": %s, \"drop\": %d, ",
          1e9 / sensor->period, sensor->running ? "true" : "false",
          sensor->paused ? "true" : "false", sensor->drop);
  fprintf(file, "\"starts\": %llu, \"sent\": %llu, \"dropped\": %llu, \"latest_ms\": %.3f}",
          (unsigned long long)sensor->starts, (unsigned long long)sensor->sent,
          (unsigned long long)sensor->dropped, (double)sensor->latest * 1e-6);
}

void save_state(const struct hub *hub) {
  char draft[512];
  if (!hub->state)
    return;
  snprintf(draft, sizeof draft, "%s.draft", hub->state);
  FILE *file = fopen(draft, "w");
  if (!file)
    return;
  fprintf(file, "{\"pid\": %d, \"t0_ns\": %lld, \"clock\": \"%s\", \"sensors\": [", getpid(),
          (long long)hub->stamps.zero, hub->stamps.name);
  for (int i = 0; i < hub->count; i++) {
    fputs(i ? ",\n " : "\n ", file);
    save_sensor(file, &hub->sensors[i]);
  }
  fprintf(file, "]}\n");
  if (!fclose(file))
    rename(draft, hub->state);
}
