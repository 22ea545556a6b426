/* Does one thing so many times, for counting what it costs:  works NAME COUNT ROOT
   ROOT is a captured machine, whose files are the same on every computer. */
#include <gatheredkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000, ROWS = 64, FEW_HOPS = 4, MANY_HOPS = 20 };

static gkit_context *context;
static gkit_source *source;
static gkit_stream *stream;
static gkit_datasource *store;
static gkit_dict *query;
static volatile uint64_t received;

static void must(int64_t status, const char *what) {
  if (status >= 0)
    return;
  fprintf(stderr, "%s: %s\n", what, gkit_last_error()->message);
  exit(1);
}

static void on_update(gkit_source *from, const gkit_sample *samples, size_t count, void *data) {
  (void)from, (void)samples, (void)data;
  received += count;
}

static void on_sample(const gkit_sample *samples, size_t count, void *data) {
  (void)samples, (void)data;
  received += count;
}

static bool doubled(const gkit_sample *in, gkit_value *out, void *data) {
  (void)data;
  *out = gkit_value_int(2 * in->value.as.integer);
  return true;
}

/* Things, made ready. The clock stands still, so that nothing happens but what is asked for. */

static void open_context(const char *uri) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  options.mode = GKIT_MODE_HOST;
  must(gkit_context_open(uri, &options, &context), uri);
}

static void open_simulated(size_t listeners) {
  open_context("sim:laptop&clock=manual");
  must(gkit_source_open(context, "memory", &source), "memory");
  for (size_t i = 0; i < listeners; i++)
    must(gkit_source_listen(source, on_update, NULL, NULL, NULL), "listen");
  must(gkit_source_update_values(source, -1), "update");
}

static void without_listener(const char *root) {
  (void)root;
  open_simulated(0);
}

static void one_listener(const char *root) {
  (void)root;
  open_simulated(1);
}

static void ten_listeners(const char *root) {
  (void)root;
  open_simulated(10);
}

static void thousand_listeners(const char *root) {
  (void)root;
  open_simulated(MOST);
}

static void open_captured(const char *root, const char *kind) {
  char uri[4096];
  snprintf(uri, sizeof uri, "local:root=%s&clock=manual", root);
  open_context(uri);
  must(gkit_source_open(context, kind, &source), kind);
  must(gkit_source_update_values(source, -1), "update");
}

static void captured_memory(const char *root) { open_captured(root, "memory"); }
static void captured_cpu(const char *root) { open_captured(root, "cpu"); }
static void captured_storage(const char *root) { open_captured(root, "storage|%2F"); }
static void captured_network(const char *root) { open_captured(root, "network"); }
static void captured_battery(const char *root) { open_captured(root, "battery"); }

static void absent_kind(const char *root) {
  (void)root;
  open_context("sim:empty");
  must(gkit_source_open(context, "gps", &source), "gps");
}

/** All kinds that read files, at 1 Hz. */
static void files_at_one_hertz(const char *root) {
  static const char *const kinds[] = {"memory",  "cpu",         "storage", "network",
                                      "battery", "temperature", "thermal", "screen"};
  char uri[4096];
  snprintf(uri, sizeof uri, "local:root=%s&clock=manual", root);
  open_context(uri);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    must(gkit_source_open(context, kinds[i], &source), kinds[i]);
    must(gkit_source_listen(source, on_update, NULL, NULL, NULL), "listen");
    // What the machine has none of waits for it.
    (void)gkit_source_start(source, 1000000000);
  }
}

/** So many sources at 1 Hz, each with so much more of an interval than the one before. */
static void start_most(const char *root, int64_t spread) {
  (void)root;
  open_context("sim:laptop&clock=manual");
  for (int64_t i = 0; i < MOST; i++) {
    must(gkit_source_open(context, "memory", &source), "memory");
    must(gkit_source_start(source, 1000000000 + i * spread), "start");
  }
}

static void at_one_hertz(const char *root) { start_most(root, 0); }
static void at_many_intervals(const char *root) { start_most(root, 1000); }

static void signal_to_one(const char *root) {
  (void)root;
  open_context("sim:empty");
  must(gkit_signal_new(context, &stream), "signal");
  must(gkit_stream_subscribe(stream, NULL, 0, on_sample, NULL, NULL, NULL), "subscribe");
}

static void transformed(const char *root) {
  (void)root;
  open_context("sim:empty");
  gkit_stream *through = NULL;
  must(gkit_signal_new(context, &stream), "signal");
  must(gkit_stream_transform(stream, doubled, NULL, NULL, &through), "transform");
  must(gkit_stream_subscribe(through, NULL, 0, on_sample, NULL, NULL, NULL), "subscribe");
}

static void variable(const char *root) {
  (void)root;
  open_context("sim:empty");
  gkit_value zero = gkit_value_int(0);
  must(gkit_variable_new(context, &zero, &stream), "variable");
}

static void combined(const char *root) {
  variable(root);
  gkit_stream *other = NULL, *sum = NULL;
  gkit_value one = gkit_value_int(1);
  must(gkit_variable_new(context, &one, &other), "variable");
  must(gkit_stream_combine((gkit_stream *[]){stream, other}, 2, "+", &sum), "combine");
  must(gkit_stream_subscribe(sum, NULL, 0, on_sample, NULL, NULL, NULL), "subscribe");
}

/** A signal that runs through so many patches. */
static void hops(size_t count) {
  open_context("sim:empty");
  gkit_patch *last = NULL;
  must(gkit_signal_new(context, &stream), "signal");
  for (size_t i = 0; i < count; i++) {
    gkit_patch *next = NULL;
    must(gkit_patch_new(context, "scale", NULL, &next), "scale");
    if (last)
      must(gkit_patch_connect(last, "value", next, "value"), "connect");
    else
      must(gkit_patch_set_input(next, "value", stream), "wire");
    last = next;
  }
  gkit_stream *out = NULL;
  must(gkit_patch_port(last, "value", true, &out), "port");
  must(gkit_stream_subscribe(out, NULL, 0, on_sample, NULL, NULL, NULL), "subscribe");
}

static void few_hops(const char *root) {
  (void)root;
  hops(FEW_HOPS);
}

static void many_hops(const char *root) {
  (void)root;
  hops(MANY_HOPS);
}

static void memory_store(const char *root) {
  (void)root;
  gkit_future *future = NULL;
  gkit_value value = gkit_value_int(7);
  open_context("sim:empty");
  query = gkit_query_new("id", "key");
  must(gkit_datasource_open(context, "memory", NULL, &store), "memory");
  must(gkit_datasource_put(store, query, &value, &future), "put");
  must(gkit_future_wait(future, -1, NULL), "wait");
  gkit_release(future);
}

static void cached_store(const char *root) {
  gkit_datasource *cached = NULL;
  memory_store(root);
  must(gkit_datasource_wrap(store, "cache", NULL, &cached), "cache");
  store = cached;
}

/* What is done again and again. */

static void update(void) { must(gkit_source_update_values(source, -1), "update"); }

static void get_value(void) {
  gkit_sample sample;
  must(gkit_source_get_value(source, 0, &sample), "get_value");
}

static void get_values(void) {
  gkit_sample rows[ROWS];
  must(gkit_source_get_values(source, rows, ROWS), "get_values");
}

static void read_values(void) {
  gkit_sample rows[ROWS];
  must(gkit_source_read_values(source, -1, rows, ROWS), "read_values");
}

static void tick(void) {
  static int64_t now;
  must(gkit_context_seek(context, now += 1000000000), "seek");
}

static void send(void) {
  static int64_t number;
  gkit_value value = gkit_value_int(++number);
  must(gkit_stream_send(stream, &value), "send");
}

static void send_double(void) {
  static double number;
  gkit_value value = gkit_value_double(++number);
  must(gkit_stream_send(stream, &value), "send");
}

static void get(void) {
  gkit_future *future = NULL;
  gkit_value value;
  must(gkit_datasource_get(store, query, &future), "get");
  must(gkit_future_wait(future, -1, &value), "wait");
  gkit_release(future);
}

static const struct {
  const char *name;
  void (*prepare)(const char *root);
  void (*work)(void);
} works[] = {
    {"update", without_listener, update},
    {"update-1-listener", one_listener, update},
    {"update-10-listeners", ten_listeners, update},
    {"update-1000-listeners", thousand_listeners, update},
    {"get-value", without_listener, get_value},
    {"get-values", without_listener, get_values},
    {"read-values", without_listener, read_values},
    {"captured-memory", captured_memory, update},
    {"captured-cpu", captured_cpu, update},
    {"captured-storage", captured_storage, update},
    {"captured-network", captured_network, update},
    {"captured-battery", captured_battery, update},
    {"tick-all-files", files_at_one_hertz, tick},
    {"absent-kind", absent_kind, update},
    {"tick-1000-sources", at_one_hertz, tick},
    {"tick-1000-intervals", at_many_intervals, tick},
    {"send", signal_to_one, send},
    {"transform", transformed, send},
    {"set-variable", variable, send},
    {"set-combined", combined, send},
    {"few-hops", few_hops, send_double},
    {"many-hops", many_hops, send_double},
    {"get-memory", memory_store, get},
    {"get-cached", cached_store, get},
};

int main(int count, char **words) {
  if (count != 4) {
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
      puts(works[i].name);
    return 2;
  }
  for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
    if (strcmp(works[i].name, words[1]) != 0)
      continue;
    works[i].prepare(words[3]);
    for (int64_t left = atoll(words[2]); left > 0; left--)
      works[i].work();
    return 0;
  }
  fprintf(stderr, "there is no work called %s\n", words[1]);
  return 2;
}
