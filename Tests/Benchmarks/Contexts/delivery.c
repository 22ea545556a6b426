/* What delivering one update to 1, 10 and 1000 listeners costs beside a loop over functions. */
#include "measure.h"

#include <gatheredkit.h>
#include <stdio.h>

enum { MOST_LISTENERS = 1000 };

static gkit_context *context;
static volatile uint64_t received;

static void listener(gkit_source *source, const gkit_sample *samples, size_t count,
                     void *user_data) {
  (void)source;
  (void)samples;
  (void)user_data;
  received += count;
}

/** A clock that stands still lets nothing happen but what is asked for. */
static gkit_source *opened_with(size_t listeners) {
  gkit_source *source = NULL;
  if (gkit_source_open(context, "memory", &source) < 0)
    give_up("memory", gkit_last_error()->message);
  for (size_t i = 0; i < listeners; i++)
    if (gkit_source_listen(source, listener, NULL, NULL, NULL) < 0)
      give_up("listen", gkit_last_error()->message);
  return source;
}

static void update(void *data) {
  if (gkit_source_update_values(data, -1) < 0)
    give_up("update_values", gkit_last_error()->message);
}

static gkit_update_fn volatile functions[MOST_LISTENERS];

static void call_all(void *data) {
  size_t count = *(size_t *)data;
  for (size_t i = 0; i < count; i++)
    functions[i](NULL, NULL, 1, NULL);
}

int main(void) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  options.mode = GKIT_MODE_HOST;
  if (gkit_context_open("sim:laptop&clock=manual", &options, &context) < 0)
    give_up("sim:laptop", gkit_last_error()->message);
  for (size_t i = 0; i < MOST_LISTENERS; i++)
    functions[i] = listener;
  size_t counts[] = {1, 10, 1000};
  work works[7] = {{update, opened_with(0)}};
  for (size_t i = 0; i < 3; i++) {
    works[1 + i] = (work){update, opened_with(counts[i])};
    works[4 + i] = (work){call_all, &counts[i]};
  }
  double spent[7];
  measure(works, 7, spent);
  row("update without a listener", spent[0] / 1e3, "us", "", 0, "<= 1.2 us");
  static const char *const aims[] = {"<= 30 ns", "<= 5 ns", "<= 3 ns"};
  for (size_t i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, "update to %zu listener%s", counts[i], i == 0 ? "" : "s");
    row(name, spent[1 + i] / 1e3, "us", "", 0, "");
    snprintf(name, sizeof name, "deliver to one of %zu", counts[i]);
    row(name, (spent[1 + i] - spent[0]) / (double)counts[i], "ns", "function pointers",
        spent[4 + i] / (double)counts[i], aims[i]);
  }
  gkit_release(context);
  return received == 0;
}
