#include "calls.h"

static void random_gkit_source_list(void) {
  gkit_dict *list = NULL;
  if (gkit_source_list(pool_get(CONTEXT), pick(2) == 0 ? NULL : pick_id(), &list) >= 0)
    pool_put(DICT, list);
}

static void random_gkit_source_open(void) {
  gkit_source *source = NULL;
  if (gkit_source_open(pool_get(CONTEXT), pick_id(), &source) >= 0)
    pool_put(SOURCE, source);
}

/* Keeps a connection, or has none: floating. */
#define REGISTER(call)                                                                             \
  gkit_connection *connection = NULL;                                                              \
  gkit_connection **out = pick(2) == 0 ? &connection : NULL;                                       \
  if ((call) >= 0 && out != NULL)                                                                  \
  pool_put(CONNECTION, connection)

static void random_gkit_source_watch(void) {
  const char *kind = pick(2) == 0 ? NULL : pick_id();
  REGISTER(gkit_source_watch(pool_get(CONTEXT), kind, host_event, grant_new(), grant_destroy, out));
}

static void random_gkit_source_listen(void) {
  REGISTER(gkit_source_listen(pool_get(SOURCE), host_update, grant_new(), grant_destroy, out));
}

static void random_gkit_source_listen_batches(void) {
  REGISTER(
      gkit_source_listen_batches(pool_get(SOURCE), host_batch, grant_new(), grant_destroy, out));
}

/* Batches are there inside callbacks only: `host_batch` reads them. */
static void random_gkit_batch_read(void) {
  gkit_sample sample;
  (void)gkit_batch_read(NULL, pick(2), &sample, 1);
}

static void random_gkit_source_listen_events(void) {
  REGISTER(
      gkit_source_listen_events(pool_get(SOURCE), host_event, grant_new(), grant_destroy, out));
}

static void random_gkit_source_get_info(void) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  (void)gkit_source_get_info(pool_get(SOURCE), &info);
}

static void random_gkit_source_get_metadata(void) {
  gkit_dict *metadata = NULL;
  if (gkit_source_get_metadata(pool_get(SOURCE), &metadata) >= 0)
    pool_put(DICT, metadata);
}

static void random_gkit_source_start(void) {
  (void)gkit_source_start(pool_get(SOURCE), pick_interval());
}

static void random_gkit_source_stop(void) { (void)gkit_source_stop(pool_get(SOURCE)); }

static void random_gkit_source_is_updating(void) {
  int64_t interval;
  (void)gkit_source_is_updating(pool_get(SOURCE), &interval);
}

static void random_gkit_source_get_rates(void) {
  gkit_rates rates = GKIT_RATES_INIT;
  (void)gkit_source_get_rates(pool_get(SOURCE), &rates);
}

static void random_gkit_source_update_values(void) {
  (void)gkit_source_update_values(pool_get(SOURCE), pick_timeout());
}

static void random_gkit_source_get_property_info(void) {
  gkit_property_info info = GKIT_PROPERTY_INFO_INIT;
  (void)gkit_source_get_property_info(pool_get(SOURCE), pick(30), &info);
}

static void random_gkit_source_find_property(void) {
  (void)gkit_source_find_property(pool_get(SOURCE), "level");
}

static void random_gkit_source_get_value(void) {
  gkit_sample sample;
  (void)gkit_source_get_value(pool_get(SOURCE), pick(30), &sample);
}

static void random_gkit_source_get_values(void) {
  gkit_sample samples[8];
  (void)gkit_source_get_values(pool_get(SOURCE), samples, pick(8));
}

static void random_gkit_source_read_values(void) {
  gkit_sample samples[8];
  (void)gkit_source_read_values(pool_get(SOURCE), pick_timeout(), samples, pick(8));
}

static void random_gkit_source_explain(void) {
  gkit_dict *reasons = NULL;
  if (gkit_source_explain(pool_get(SOURCE), pick(30), &reasons) >= 0)
    pool_put(DICT, reasons);
}

static void random_gkit_source_set_value(void) {
  gkit_value value = pick_value();
  (void)gkit_source_set_value(pool_get(SOURCE), pick(30), &value);
}

static void random_gkit_source_stream(void) {
  static const char *const keys[] = {"level", "available", "acceleration", "usage", "none", NULL};
  gkit_stream *stream = NULL;
  if (gkit_source_stream(pool_get(SOURCE), pick_text(keys), &stream) >= 0)
    pool_put(STREAM, stream);
}

static void random_gkit_connection_disconnect(void) {
  gkit_connection_disconnect(pool_get(CONNECTION));
}

static void random_gkit_connector_new(void) { pool_put(CONNECTOR, gkit_connector_new()); }

static void random_gkit_connector_add(void) {
  (void)gkit_connector_add(pool_get(CONNECTOR), pool_get(CONNECTION));
}

static void random_gkit_connector_disconnect(void) {
  gkit_connector_disconnect(pool_get(CONNECTOR));
}

const call source_calls[] = {RARE(gkit_source_list),
                             {"gkit_source_open", random_gkit_source_open, 8},
                             CALL(gkit_source_watch),
                             CALL(gkit_source_listen),
                             CALL(gkit_source_listen_batches),
                             RARE(gkit_batch_read),
                             CALL(gkit_source_listen_events),
                             CALL(gkit_source_get_info),
                             RARE(gkit_source_get_metadata),
                             {"gkit_source_start", random_gkit_source_start, 8},
                             CALL(gkit_source_stop),
                             CALL(gkit_source_is_updating),
                             CALL(gkit_source_get_rates),
                             CALL(gkit_source_update_values),
                             CALL(gkit_source_get_property_info),
                             CALL(gkit_source_find_property),
                             CALL(gkit_source_get_value),
                             CALL(gkit_source_get_values),
                             CALL(gkit_source_read_values),
                             CALL(gkit_source_explain),
                             CALL(gkit_source_set_value),
                             CALL(gkit_source_stream),
                             CALL(gkit_connection_disconnect),
                             CALL(gkit_connector_new),
                             CALL(gkit_connector_add),
                             CALL(gkit_connector_disconnect),
                             END};
