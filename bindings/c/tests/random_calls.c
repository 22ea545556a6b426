/* Thousands of calls in a random order, beside a model of what they should do.
 *
 *   random_calls [SEED [STEPS]] */
#include "check.h"
#include "sim.h"
#include <stdio.h>
#include <stdlib.h>

enum { SOURCES = 4, CONNECTIONS = 6 };

typedef struct listener {
  gkit_connection *connection;
  struct model *owner;
  bool ended;
  int destroyed;
} listener;

typedef struct model {
  gkit_source *source;
  bool updating;
  int64_t start, interval;
  int64_t updates, starts, stops;
  int64_t expected_updates, expected_starts, expected_stops;
  listener *listeners[CONNECTIONS];
} model;

static sim world;
static model models[SOURCES];
static int64_t now;
/* A nested call makes the count of updates in that step unforeseeable, not the rest. */
static bool nested;
static uint64_t state;

static uint32_t pick(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % below;
}

static void act_inside(void);

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
                      void *user_data) {
  listener *self = user_data;
  (void)samples;
  (void)count;
  /* L6, rule 16: nothing after the end, whatever ended it. */
  CHECK(!self->ended);
  CHECK_INT(self->destroyed, 0);
  CHECK(self->owner->source == source);
  if (pick(8) == 0)
    act_inside();
}

static void on_counted_update(gkit_source *source, const gkit_sample *samples, size_t count,
                              void *user_data) {
  model *self = user_data;
  (void)samples;
  (void)count;
  CHECK(self->source == source);
  self->updates++;
}

static void on_event(gkit_source *source, const char *id, int32_t event, const gkit_error *error,
                     void *user_data) {
  model *self = user_data;
  (void)id;
  CHECK(error == NULL);
  CHECK(self->source == source);
  if (event == GKIT_EVENT_STARTED)
    self->starts++;
  else if (event == GKIT_EVENT_STOPPED)
    self->stops++;
  else
    CHECK(false);
}

static void on_destroy(void *user_data) {
  listener *self = user_data;
  self->destroyed++;
}

static void start(model *self) {
  static const int64_t intervals[] = {100 * MILLISECOND, 250 * MILLISECOND, SECOND};
  int64_t interval = intervals[pick(3)];
  if (!self->updating)
    self->expected_starts++;
  /* I4: it joins the grid of those of its interval. */
  self->start = now;
  for (int i = 0; i < SOURCES; i++)
    if (&models[i] != self && models[i].updating && models[i].interval == interval)
      self->start = models[i].start;
  self->updating = true;
  self->interval = interval;
  CHECK_OK(gkit_source_start(self->source, interval));
}

static void stop(model *self) {
  if (self->updating)
    self->expected_stops++;
  self->updating = false;
  CHECK_OK(gkit_source_stop(self->source));
}

static void open_one(model *self) {
  *self = (model){.source = NULL};
  CHECK_OK(gkit_source_open(world.context, "memory", &self->source));
  CHECK_OK(gkit_source_listen(self->source, on_counted_update, self, NULL, NULL));
  CHECK_OK(gkit_source_listen_events(self->source, on_event, self, NULL, NULL));
}

static void end(model *self, int index, bool by_release) {
  listener *one = self->listeners[index];
  if (one == NULL)
    return;
  self->listeners[index] = NULL;
  one->ended = true;
  if (!by_release) {
    gkit_connection_disconnect(one->connection);
    gkit_connection_disconnect(one->connection);
  }
  gkit_release(one->connection);
  CHECK_INT(one->destroyed, 1);
  free(one);
}

static void listen(model *self) {
  int index = (int)pick(CONNECTIONS);
  end(self, index, pick(2) == 0);
  listener *one = calloc(1, sizeof *one);
  if (one == NULL)
    abort();
  one->owner = self;
  CHECK_OK(gkit_source_listen(self->source, on_update, one, on_destroy, &one->connection));
  self->listeners[index] = one;
}

static void release(model *self) {
  gkit_source *source = self->source;
  /* R13: connections do not keep their source; they may go before or after it. */
  bool connections_first = pick(2) == 0;
  for (int i = 0; i < CONNECTIONS; i++)
    if (connections_first)
      end(self, i, true);
    else if (self->listeners[i])
      self->listeners[i]->ended = true;
  self->source = NULL;
  self->updating = false;
  gkit_release(source);
  for (int i = 0; i < CONNECTIONS; i++)
    end(self, i, false);
  CHECK_INVALID(gkit_source_start(source, 0));
}

/* Inside a callback: only what leaves the callback's own listener alive. */
static void act_inside(void) {
  model *self = &models[pick(SOURCES)];
  nested = true;
  if (self->source == NULL)
    return;
  if (pick(2) == 0)
    start(self);
  else
    stop(self);
  CHECK(gkit_source_is_updating(self->source, NULL) == self->updating);
}

/* The ticks of the model's schedule after `now`, up to a position. */
static int64_t ticks(const model *self, int64_t position) {
  if (!self->updating)
    return 0;
  return (position - self->start) / self->interval - (now - self->start) / self->interval;
}

static void seek(int64_t distance) {
  int64_t position = now + distance;
  for (int i = 0; i < SOURCES; i++)
    models[i].expected_updates += ticks(&models[i], position);
  CHECK_OK(sim_seek(&world, position));
  now = position;
}

static void step(void) {
  model *self = &models[pick(SOURCES)];
  uint32_t what = pick(10);
  if (self->source == NULL) {
    open_one(self);
  } else if (what == 0) {
    release(self);
  } else if (what <= 2) {
    start(self);
    self->expected_updates++;
    seek(0);
  } else if (what == 3) {
    stop(self);
  } else if (what <= 5) {
    listen(self);
  } else if (what == 6) {
    end(self, (int)pick(CONNECTIONS), pick(2) == 0);
  } else if (what == 7) {
    CHECK_OK(gkit_source_update_values(self->source, SECOND));
    self->expected_updates++;
  } else {
    seek((int64_t)pick(700) * MILLISECOND);
  }
}

/* Nested starts leave refreshes and grids the model does not follow: start all afresh. */
static void settle(void) {
  CHECK_OK(sim_seek(&world, now));
  for (int i = 0; i < SOURCES; i++)
    if (models[i].source != NULL)
      stop(&models[i]);
  CHECK_OK(sim_seek(&world, now));
  for (int i = 0; i < SOURCES; i++)
    if (models[i].source != NULL)
      stop(&models[i]);
  for (int i = 0; i < SOURCES; i++)
    models[i].expected_updates = models[i].updates;
  nested = false;
}

static bool agree(void) {
  int64_t sources = 0;
  bool same = true;
  if (nested)
    settle();
  for (int i = 0; i < SOURCES; i++) {
    model *self = &models[i];
    int64_t interval = -1;
    if (self->source == NULL)
      continue;
    sources++;
    same &= CHECK(gkit_source_is_updating(self->source, &interval) == self->updating);
    same &= CHECK_INT(interval, self->updating ? self->interval : 0);
    same &= CHECK_INT(self->starts, self->expected_starts);
    same &= CHECK_INT(self->stops, self->expected_stops);
    same &= CHECK_INT(self->updates, self->expected_updates);
  }
  same &= CHECK_INT(gkit_live_count("source"), sources);
  return same & CHECK_INT(gkit_live_count("context"), 1);
}

static long steps = 20000;

static void random_calls(void) {
  now = 0;
  if (!sim_open(&world, MEMORY))
    return;
  /* After the first disagreement the model knows nothing any more. */
  bool same = true;
  for (long i = 0; i < steps && same; i++) {
    step();
    same = agree();
  }
  for (int i = 0; i < SOURCES; i++)
    if (models[i].source != NULL)
      release(&models[i]);
  sim_close(&world);
}

int main(int argc, char **argv) {
  state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  if (argc > 2)
    steps = strtol(argv[2], NULL, 10);
  RUN(random_calls);
  printf("seed %s: ", argc > 1 ? argv[1] : "1");
  return check_report();
}
