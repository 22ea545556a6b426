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
  self->updating = true;
  self->start = now;
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

/* A stream that holds a number, and who listens. */
typedef struct ear {
  gkit_connection *connection;
  int64_t heard, expected, last;
  int destroyed;
} ear;

static struct {
  gkit_stream *stream;
  int64_t value;
  ear *ears[CONNECTIONS];
} held;

static void on_number(const gkit_sample *samples, size_t count, void *user_data) {
  ear *self = user_data;
  CHECK_INT(count, 1);
  CHECK_INT(self->destroyed, 0);
  self->heard++;
  self->last = samples->value.as.integer;
  if (pick(8) == 0)
    act_inside();
}

static void on_ear_destroy(void *user_data) { ((ear *)user_data)->destroyed++; }

static void deafen(int index, bool by_release) {
  ear *one = held.ears[index];
  if (one == NULL)
    return;
  held.ears[index] = NULL;
  if (!by_release)
    gkit_connection_disconnect(one->connection);
  gkit_release(one->connection);
  CHECK_INT(one->destroyed, 1);
  free(one);
}

static void send_number(void) {
  gkit_value number = gkit_value_int(++held.value);
  CHECK_OK(gkit_stream_send(held.stream, &number));
  for (int i = 0; i < CONNECTIONS; i++)
    if (held.ears[i])
      held.ears[i]->expected++;
}

static void hear(int index) {
  deafen(index, pick(2) == 0);
  ear *one = calloc(1, sizeof *one);
  if (one == NULL)
    abort();
  one->expected = 1;
  CHECK_OK(gkit_stream_subscribe(held.stream, NULL, 0, on_number, one, on_ear_destroy,
                                 &one->connection));
  held.ears[index] = one;
}

static void release_stream(void) {
  /* A connection keeps its stream: it may go before or after the host's reference. */
  bool stream_first = pick(2) == 0;
  if (stream_first)
    gkit_release(held.stream);
  for (int i = 0; i < CONNECTIONS; i++)
    deafen(i, pick(2) == 0);
  if (!stream_first)
    gkit_release(held.stream);
  held.stream = NULL;
  CHECK_INT(gkit_live_count("stream"), 0);
}

static void step_stream(void) {
  int64_t listeners = 0;
  uint32_t what = pick(8);
  if (held.stream == NULL) {
    gkit_value number = gkit_value_int(held.value);
    CHECK_OK(gkit_variable_new(world.context, &number, &held.stream));
  } else if (what == 0) {
    release_stream();
  } else if (what <= 3) {
    send_number();
  } else if (what <= 5) {
    hear((int)pick(CONNECTIONS));
  } else {
    deafen((int)pick(CONNECTIONS), pick(2) == 0);
  }
  for (int i = 0; i < CONNECTIONS; i++)
    if (held.ears[i]) {
      listeners++;
      CHECK_INT(held.ears[i]->heard, held.ears[i]->expected);
      CHECK_INT(held.ears[i]->last, held.value);
    }
  if (held.stream)
    CHECK_INT(gkit_stream_subscriber_count(held.stream), listeners);
}

static void step(void) {
  if (pick(4) == 0) {
    step_stream();
    return;
  }
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
  if (held.stream)
    release_stream();
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
