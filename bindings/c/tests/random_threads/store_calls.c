#include "calls.h"
#include <stdio.h>

/* Keeps what a call has made. */
#define MAKE(call)                                                                                 \
  gkit_datasource *made = NULL;                                                                    \
  if ((call) >= 0)                                                                                 \
  pool_put(DATASOURCE, made)

static void random_gkit_datasource_open(void) {
  static const char *const types[] = {"void",  "memory",    "storage", "sqlite",
                                      "files", "recording", "nothing", NULL};
  const char *type = pick_text(types);
  char mine[6][256];
  const char *own[7];
  snprintf(mine[0], sizeof mine[0], "{\"path\":\"%s/storage.db\"}", calls_folder);
  snprintf(mine[1], sizeof mine[1],
           "{\"path\":\"%s/rows.db\",\"table\":\"t\",\"columns\":"
           "[{\"name\":\"id\",\"type\":\"string\"},{\"name\":\"n\",\"type\":\"int\"}]}",
           calls_folder);
  snprintf(mine[2], sizeof mine[2], "{\"folder\":\"%s/files\"}", calls_folder);
  snprintf(mine[3], sizeof mine[3], "{\"path\":\"%s\"}", calls_recording);
  snprintf(mine[4], sizeof mine[4], "{\"name\":\"kept\"}");
  snprintf(mine[5], sizeof mine[5], "{}");
  for (int i = 0; i < 6; i++)
    own[i] = mine[i];
  own[6] = NULL;
  MAKE(gkit_datasource_open(pool_get(CONTEXT), type, pick_options(own), &made));
}

static void random_gkit_datasource_new_custom(void) {
  MAKE(gkit_datasource_new_custom(pool_get(CONTEXT), host_perform, grant_new(), grant_destroy,
                                  &made));
}

static void random_gkit_datasource_perform(void) {
  static const char *const queries[] = {"{\"type\":\"id\",\"id\":\"a\"}",
                                        "{\"type\":\"id\",\"id\":\"b\"}",
                                        "{\"type\":\"ids\",\"ids\":[\"a\",\"b\"]}",
                                        "{\"type\":\"all\"}",
                                        "{\"type\":\"id\",\"id\":\"a\",\"route\":\"main_sync\"}",
                                        "{}",
                                        NULL};
  gkit_future *future = NULL;
  gkit_value value = pick_value();
  if (gkit_datasource_perform(pool_get(DATASOURCE), 1 + (int32_t)pick(6), pick_options(queries),
                              pick(4) == 0 ? NULL : &value, &future) >= 0)
    pool_put(FUTURE, future);
}

static void random_gkit_datasource_wrap(void) {
  static const char *const options[] = {"{}", "{\"expiry_ns\":1000000}", "{\"delay_ns\":1000000}",
                                        NULL};
  MAKE(gkit_datasource_wrap(pool_get(DATASOURCE), pick(2) == 0 ? "cache" : "log",
                            pick_options(options), &made));
}

static void random_gkit_datasource_map(void) {
  MAKE(gkit_datasource_map(pool_get(DATASOURCE), host_map, host_map, grant_new(), grant_destroy,
                           &made));
}

static void random_gkit_datasource_validate(void) {
  static const char *const options[] = {"{}", "{\"validate_put\":true}", NULL};
  MAKE(gkit_datasource_validate(pool_get(DATASOURCE), pick_options(options), host_map, grant_new(),
                                grant_destroy, &made));
}

static void random_gkit_datasource_retry(void) {
  static const char *const options[] = {"{}", "{\"retries\":1}",
                                        "{\"retries\":2,\"delay_ns\":1000000}", NULL};
  MAKE(gkit_datasource_retry(pool_get(DATASOURCE), pick_options(options),
                             pick(16) == 0 ? NULL : host_retry, grant_new(), grant_destroy, &made));
}

static void random_gkit_datasource_assemble(void) {
  MAKE(gkit_datasource_assemble(pool_get(DATASOURCE), pool_get(DATASOURCE), pool_get(DATASOURCE),
                                &made));
}

static void random_gkit_repository_new(void) {
  static const char *const options[] = {"{}", "{\"empty_list_is_valid\":false}", NULL};
  MAKE(gkit_repository_new(pool_get(DATASOURCE), pool_get(DATASOURCE), pick_options(options),
                           pick(2) == 0 ? NULL : host_map, pick(2) == 0 ? NULL : host_fallback,
                           grant_new(), grant_destroy, &made));
}

static void random_gkit_future_new(void) {
  gkit_future *future = NULL;
  if (gkit_future_new(pool_get(CONTEXT), &future) >= 0)
    pool_put(FUTURE, future);
}

static void random_gkit_future_resolve(void) {
  gkit_value value = pick_value();
  (void)gkit_future_resolve(pool_get(FUTURE), -(gkit_status)pick(3), &value, NULL);
}

static void random_gkit_future_wait(void) {
  gkit_value value;
  (void)gkit_future_wait(pool_get(FUTURE), pick_timeout(), pick(2) == 0 ? NULL : &value);
}

static void random_gkit_future_then(void) {
  (void)gkit_future_then(pool_get(FUTURE), host_future, grant_new(), grant_destroy);
}

static void random_gkit_future_get_error(void) {
  gkit_dict *error = NULL;
  if (gkit_future_get_error(pool_get(FUTURE), &error) >= 0)
    pool_put(DICT, error);
}

static void random_gkit_future_cancel(void) { gkit_future_cancel(pool_get(FUTURE)); }

const call store_calls[] = {{"gkit_datasource_open", random_gkit_datasource_open, 20},
                            {"gkit_datasource_new_custom", random_gkit_datasource_new_custom, 16},
                            {"gkit_datasource_perform", random_gkit_datasource_perform, 20},
                            CALL(gkit_datasource_wrap),
                            CALL(gkit_datasource_map),
                            CALL(gkit_datasource_validate),
                            CALL(gkit_datasource_retry),
                            RARE(gkit_datasource_assemble),
                            CALL(gkit_repository_new),
                            CALL(gkit_future_new),
                            {"gkit_future_resolve", random_gkit_future_resolve, 8},
                            CALL(gkit_future_wait),
                            {"gkit_future_then", random_gkit_future_then, 6},
                            CALL(gkit_future_get_error),
                            CALL(gkit_future_cancel),
                            END};
