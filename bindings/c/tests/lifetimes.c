/* Rules 5, 6, R13: whatever goes first, nothing breaks and nothing stays. */
#include "check.h"
#include "sim.h"

enum { THINGS = 5 };

static void nothing(gkit_source *source, const gkit_sample *samples, size_t count,
                    void *user_data) {
  (void)source;
  (void)samples;
  (void)count;
  (void)user_data;
}

/* Makes one of each, and releases them in the given order. */
static void release_in(const int *order) {
  sim sim;
  int destroyed = 0;
  gkit_source *source = NULL;
  gkit_connection *connection = NULL;
  gkit_reader *reader = NULL;
  gkit_connector *connector = gkit_connector_new();
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  CHECK_OK(gkit_source_listen(source, nothing, &destroyed, sim_on_destroy, &connection));
  CHECK_OK(gkit_connector_add(connector, connection));
  CHECK_OK(gkit_reader_new(sim.context, NULL, &reader));
  CHECK_OK(gkit_reader_add(reader, source));
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, SECOND));
  void *things[THINGS] = {sim.context, source, connection, reader, connector};
  for (int i = 0; i < THINGS; i++)
    gkit_release(things[order[i]]);
  CHECK_INT(destroyed, 1);
  CHECK_INT(gkit_live_count(NULL), 0);
}

static void permute(int *order, int length) {
  if (length == THINGS) {
    release_in(order);
    return;
  }
  for (int next = 0; next < THINGS; next++) {
    bool taken = false;
    for (int i = 0; i < length; i++)
      taken |= order[i] == next;
    if (taken)
      continue;
    order[length] = next;
    permute(order, length + 1);
  }
}

static void every_order(void) {
  int order[THINGS];
  permute(order, 0);
}

/* R13: sources keep a context whose last host reference is gone; the last of all closes it. */
static void a_source_keeps_its_context(void) {
  sim sim;
  gkit_sample sample;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  gkit_release(sim.context);
  CHECK_INT(gkit_live_count("context"), 1);
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_TEXT(sim_take(&sim), "5");
  CHECK_OK(gkit_source_get_value(source, 0, &sample));
  gkit_release(source);
  CHECK_INT(gkit_live_count("context"), 0);
}

/* R13: what still answers after a close. */
static void after_a_close(void) {
  sim sim;
  gkit_dict *dict = NULL;
  gkit_source *second = NULL;
  gkit_connection *connection = NULL;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  int64_t interval = 7;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_listen(source, nothing, NULL, NULL, &connection));
  CHECK_OK(gkit_context_close(sim.context));
  CHECK_OK(gkit_context_close(sim.context));
  CHECK(gkit_retain(source) == source);
  gkit_release(source);
  char *text = gkit_describe(source);
  CHECK(text != NULL);
  gkit_free(text);
  CHECK(!gkit_source_is_updating(source, &interval));
  CHECK_INT(interval, 0);
  gkit_connection_disconnect(connection);
  CHECK_STATUS(gkit_source_get_info(source, &info), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_source_update_values(source, 0), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_source_open(sim.context, "memory", &second), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_source_list(sim.context, NULL, &dict), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_context_dispatch(sim.context, 0), GKIT_ERROR_CLOSED);
  CHECK_STATUS(gkit_context_rescan(sim.context), GKIT_ERROR_CLOSED);
  gkit_release(connection);
  gkit_release(source);
  sim_close(&sim);
}

int main(void) {
  RUN(every_order);
  RUN(a_source_keeps_its_context);
  RUN(after_a_close);
  return check_report();
}
