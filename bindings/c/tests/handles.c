/* Rule 4: a stale, doubly released, foreign, wild or missing handle is answered, never followed. */
#include "check.h"
#include "sim.h"
#include <string.h>

#define WILD(bits) ((void *)(uintptr_t)(bits))

/* Calls everything that takes a handle with one that is not what it should be. */
static void refuse_everywhere(void *bad) {
  gkit_context *context = bad;
  gkit_source *source = bad;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
  gkit_rates rates = GKIT_RATES_INIT;
  gkit_reader_stats stats = GKIT_READER_STATS_INIT;
  gkit_value value = gkit_value_int(1);
  gkit_sample sample;
  gkit_column column;
  gkit_dict *dict = WILD(8);
  gkit_source *opened = WILD(8);
  gkit_connection *connection = WILD(8);
  gkit_reader *reader = WILD(8);
  gkit_frame *frame = WILD(8);
  char *text = NULL;
  int64_t number = 0;
  int destroyed = 0;

  CHECK(gkit_retain(bad) == NULL);
  CHECK(gkit_describe(bad) == NULL);
  CHECK_INVALID(gkit_context_close(context));
  CHECK_INVALID(gkit_context_fd(context));
  CHECK_INVALID(gkit_context_dispatch(context, 0));
  CHECK_INVALID(gkit_context_flush(context, 0));
  CHECK_INVALID(gkit_context_invoke(context, sim_on_destroy, &destroyed, sim_on_destroy));
  CHECK_INT(destroyed, 1);
  CHECK_INVALID(gkit_context_now(context, &number, &number));
  CHECK(!gkit_context_is_current(context));
  CHECK_INVALID(gkit_context_set_allow(context, ""));
  CHECK_INVALID(gkit_context_rescan(context));
  CHECK_INVALID(gkit_context_report(context, &dict));
  CHECK(dict == NULL);
  CHECK_INVALID(gkit_context_seek(context, 0));
  CHECK_INVALID(gkit_context_position(context, &number));
  CHECK_INVALID(gkit_source_list(context, NULL, &dict));
  CHECK_INVALID(gkit_source_open(context, "memory", &opened));
  CHECK(opened == NULL);
  CHECK_INVALID(
      gkit_source_watch(context, NULL, sim_on_event, &destroyed, sim_on_destroy, &connection));
  CHECK(connection == NULL);
  CHECK_INT(destroyed, 2);

  CHECK_INVALID(gkit_source_get_info(source, &info));
  CHECK_INVALID(gkit_source_get_metadata(source, &dict));
  CHECK_INVALID(gkit_source_start(source, 0));
  CHECK_INVALID(gkit_source_stop(source));
  number = 7;
  CHECK(!gkit_source_is_updating(source, &number));
  CHECK_INVALID(gkit_source_get_rates(source, &rates));
  CHECK_INVALID(gkit_source_update_values(source, 0));
  CHECK_INVALID(gkit_source_get_property_info(source, 0, &property));
  CHECK_INVALID(gkit_source_find_property(source, "free"));
  CHECK_INVALID(gkit_source_get_value(source, 0, &sample));
  CHECK_INVALID(gkit_source_get_values(source, &sample, 1));
  CHECK_INVALID(gkit_source_read_values(source, 0, &sample, 1));
  CHECK_INVALID(gkit_source_explain(source, 0, &dict));
  CHECK_INVALID(gkit_source_set_value(source, 0, &value));
  CHECK_INVALID(gkit_source_listen(source, sim_on_update, &destroyed, sim_on_destroy, NULL));
  CHECK_INVALID(gkit_source_listen_events(source, sim_on_event, &destroyed, sim_on_destroy, NULL));
  CHECK_INT(destroyed, 4);

  CHECK_INVALID(gkit_connector_add(bad, bad));
  CHECK_INVALID(gkit_reader_new(context, NULL, &reader));
  CHECK(reader == NULL);
  CHECK_INVALID(gkit_reader_add(bad, source));
  CHECK_INVALID(gkit_reader_fd(bad));
  CHECK_INVALID(gkit_reader_read(bad, &sample, 1, 0));
  CHECK_INVALID(gkit_reader_next_frame(bad, NULL, 0, &frame));
  CHECK(frame == NULL);
  CHECK_INVALID(gkit_reader_get_stats(bad, &stats));
  CHECK_INVALID(gkit_frame_status(bad, 0, &column));
  CHECK_INVALID(gkit_frame_column(bad, GKIT_COLUMN_TIME, &column));
  CHECK_INVALID(gkit_dict_set(bad, "a", &value));
  CHECK_INVALID(gkit_dict_get(bad, "a", &value));
  CHECK_INVALID(gkit_dict_at(bad, 0, NULL, &value));
  CHECK_INT(gkit_dict_count(bad), 0);
  CHECK_INVALID(gkit_id_build(bad, &text));
  CHECK(text == NULL);
  gkit_connection_disconnect(bad);
  gkit_connector_disconnect(bad);
}

static void missing(void) {
  refuse_everywhere(NULL);
  gkit_release(NULL);
  gkit_free(NULL);
}

static void wild(void) {
  static const uint64_t bits[] = {1,
                                  8,
                                  0xDEADBEEF,
                                  UINT64_C(0x8000000000000000),
                                  UINT64_C(0x7FFFFFFFFFFFFFFF),
                                  UINT64_C(0xFFFFFFFFFFFFFFFF),
                                  UINT64_C(0xFFFFFFFF00000000)};
  char on_the_stack[64];
  memset(on_the_stack, 0xAA, sizeof on_the_stack);
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
    refuse_everywhere(WILD(bits[i]));
  refuse_everywhere(on_the_stack);
  refuse_everywhere((void *)(uintptr_t)&refuse_everywhere);
}

/* With nothing alive, no pattern of bits is a handle. */
static void noise(void) {
  uint64_t state = 1;
  for (int i = 0; i < 100000; i++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    void *bad = WILD(i % 2 ? state : state >> 32);
    if (gkit_retain(bad) != NULL)
      CHECK(false);
    gkit_release(bad);
  }
}

static void stale(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = NULL;
  gkit_context *context = sim.context;
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  gkit_release(source);
  refuse_everywhere(source);
  sim_close(&sim);
  refuse_everywhere(context);
}

/* The second release hits neither the object nor the one that took its place. */
static void doubly_released(void) {
  gkit_dict *first = gkit_dict_new();
  gkit_release(first);
  gkit_dict *second = gkit_dict_new();
  CHECK(first != second);
  gkit_release(first);
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_INVALID_ARGUMENT);
  CHECK_INT(gkit_live_count("dict"), 1);
  gkit_value value = gkit_value_int(1);
  CHECK_OK(gkit_dict_set(second, "a", &value));
  gkit_release(second);
}

/* Slots are used again, generations are not. */
static void generations(void) {
  gkit_dict *first = gkit_dict_new();
  gkit_release(first);
  for (int i = 0; i < 5000; i++) {
    gkit_dict *next = gkit_dict_new();
    if (next == first)
      CHECK(false);
    gkit_release(next);
  }
  CHECK(gkit_retain(first) == NULL);
}

static void foreign(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = NULL;
  gkit_dict *dict = gkit_dict_new();
  gkit_value value = gkit_value_int(1);
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  CHECK_INVALID(gkit_source_start((gkit_source *)(void *)sim.context, 0));
  CHECK_INVALID(gkit_context_close((gkit_context *)(void *)source));
  CHECK_INVALID(gkit_dict_set((gkit_dict *)(void *)source, "a", &value));
  CHECK_INVALID(gkit_source_stop((gkit_source *)(void *)dict));
  CHECK_INVALID(
      gkit_connector_add((gkit_connector *)(void *)dict, (gkit_connection *)(void *)dict));
  CHECK(!gkit_source_is_updating((gkit_source *)(void *)dict, NULL));
  gkit_connection_disconnect((gkit_connection *)(void *)source);
  gkit_connector_disconnect((gkit_connector *)(void *)source);
  gkit_release(dict);
  gkit_release(source);
  sim_close(&sim);
}

static void described(void) {
  gkit_dict *dict = gkit_dict_new();
  char *text = gkit_describe(dict);
  if (CHECK(text != NULL))
    CHECK(text[0] != '\0' && strchr(text, '\n') == NULL);
  gkit_free(text);
  gkit_release(dict);
}

int main(void) {
  RUN(missing);
  RUN(wild);
  RUN(noise);
  RUN(stale);
  RUN(doubly_released);
  RUN(generations);
  RUN(foreign);
  RUN(described);
  return check_report();
}
