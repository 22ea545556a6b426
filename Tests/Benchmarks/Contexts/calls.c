/* What single calls of the C interface cost beside calls of functions that do as much. */
#include "measure.h"

#include <gatheredkit.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOST_ROWS = 64 };

static gkit_context *context, *empty;
static gkit_source *source, *absent;
static gkit_stream *plain, *doubled, *variable, *summand;
static volatile uint64_t received;
static size_t rows;

static void must(gkit_status status, const char *what) {
  if (status < 0)
    give_up(what, gkit_last_error()->message);
}

static void take(const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples;
  (void)user_data;
  received += count;
}

static bool twice(const gkit_sample *sample, gkit_value *out, void *user_data) {
  (void)user_data;
  *out = gkit_value_double(2 * sample->value.as.number);
  return true;
}

static void get_value(void *data) {
  gkit_sample sample;
  (void)data;
  must(gkit_source_get_value(source, 0, &sample), "get_value");
}

static void get_values(void *data) {
  gkit_sample all[MOST_ROWS];
  (void)data;
  must(gkit_source_get_values(source, all, MOST_ROWS), "get_values");
}

static void update_absent(void *data) {
  (void)data;
  must(gkit_source_update_values(absent, -1), "update_values");
}

static void send(void *stream) {
  static double number;
  gkit_value value = gkit_value_double(++number);
  must(gkit_stream_send(stream, &value), "send");
}

static bool (*volatile function)(const gkit_sample *, gkit_value *, void *) = twice;
static void (*volatile sink)(const gkit_sample *, size_t, void *) = take;

static void call_sink(void *data) {
  gkit_sample sample = {.value = gkit_value_double(1)};
  (void)data;
  sink(&sample, 1, NULL);
}

static void call_both(void *data) {
  gkit_sample sample = {.value = gkit_value_double(1)};
  (void)data;
  if (function(&sample, &sample.value, NULL))
    sink(&sample, 1, NULL);
}

static gkit_stream *heard(const char *type) {
  gkit_stream *stream = NULL;
  must(gkit_stream_new(context, type, NULL, &stream), type);
  return stream;
}

static void subscribe(gkit_stream *stream) {
  must(gkit_stream_subscribe(stream, NULL, 0, take, NULL, NULL, NULL), "subscribe");
}

static void prepare(void) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  options.mode = GKIT_MODE_HOST;
  must(gkit_context_open("sim:laptop&clock=manual", &options, &context), "sim:laptop");
  must(gkit_source_open(context, "memory", &source), "memory");
  must(gkit_context_open("sim:empty&clock=manual", &options, &empty), "sim:empty");
  must(gkit_source_open(empty, "gps", &absent), "gps");
  gkit_sample all[MOST_ROWS];
  int64_t count = gkit_source_get_values(source, all, MOST_ROWS);
  must(count < 0 ? (gkit_status)count : 0, "get_values");
  rows = (size_t)count;
  gkit_stream *transformed = NULL, *sum = NULL, *root = heard("signal");
  must(gkit_stream_transform(root, twice, NULL, NULL, &transformed), "transform");
  subscribe(transformed);
  subscribe(plain = heard("signal"));
  subscribe(variable = heard("variable"));
  gkit_stream *both[] = {summand = heard("variable"), heard("variable")};
  must(gkit_stream_combine(both, 2, "+", &sum), "+");
  subscribe(sum);
  doubled = root;
}

int main(void) {
  prepare();
  work reads[] = {{get_value, NULL}, {get_values, NULL}, {update_absent, NULL}};
  double read[3];
  measure(reads, 3, read);
  char name[64];
  snprintf(name, sizeof name, "get_values of %zu rows", rows);
  row("get_value", read[0], "ns", "", 0, "<= 40 ns");
  row(name, read[1], "ns", "", 0, "<= 120 ns");
  row("update of an absent kind", read[2] / 1e3, "us", "", 0, "<= 1 us");
  work sends[] = {{send, plain},   {send, doubled},   {send, variable},
                  {send, summand}, {call_sink, NULL}, {call_both, NULL}};
  double sent[6];
  measure(sends, 6, sent);
  row("C: send to a subscriber", sent[0], "ns", "function pointers", sent[4], "<= 150 ns");
  row("  through a function", sent[1] - sent[0], "ns", "function pointers", sent[5] - sent[4],
      "<= 60 ns");
  row("C: set a variable", sent[2], "ns", "", 0, "");
  row("C: set one of two combined", sent[3], "ns", "", 0, "");
  gkit_release(empty);
  gkit_release(context);
  return received == 0;
}
