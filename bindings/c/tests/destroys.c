/* Rules 13 and 16: every destroy function of a context has run when its close returns, whatever
   handles the host still holds. */
#include "check.h"
#include "keep.h"

static void on_destroy(void *user_data) { ++*(int *)user_data; }

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
                      void *user_data) {
  (void)source, (void)samples, (void)count, (void)user_data;
}
static void on_event(gkit_source *source, const char *id, int32_t event, const gkit_error *error,
                     void *user_data) {
  (void)source, (void)id, (void)event, (void)error, (void)user_data;
}
static void on_sample(const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples, (void)count, (void)user_data;
}
static void on_invoke(void *user_data) { (void)user_data; }
static bool pass(const gkit_sample *in, gkit_value *out, void *user_data) {
  (void)user_data;
  *out = in->value;
  return true;
}
static gkit_status same(const gkit_value *in, gkit_value *out, void *user_data) {
  (void)user_data;
  if (out != NULL)
    *out = *in;
  return GKIT_OK;
}
static gkit_status on_input(gkit_patch *patch, const gkit_sample *in, void *user_data) {
  (void)patch, (void)in, (void)user_data;
  return GKIT_OK;
}
static gkit_status on_make(gkit_patch *patch, const gkit_dict *options, void *user_data) {
  (void)patch, (void)options, (void)user_data;
  return GKIT_OK;
}
static void on_perform(int32_t operation, const gkit_dict *query, const gkit_value *value,
                       gkit_future *reply, void *user_data) {
  (void)operation, (void)query, (void)value, (void)reply, (void)user_data;
}
static bool on_retry(const gkit_error *error, uint32_t attempt, void *user_data) {
  (void)error, (void)attempt, (void)user_data;
  return false;
}
static void on_result(gkit_future *future, void *user_data) { (void)future, (void)user_data; }

enum { KEPT = 32 };
typedef struct all {
  gkit_context *context;
  void *kept[KEPT];
  int count, given, freed;
} all;

/* What the host holds to the end. */
#define HOLD(all, handle) ((all)->kept[(all)->count++] = (handle))
/* One registration more: user_data and destroy. */
#define UD(all) ((all)->given++, &(all)->freed), on_destroy

static void register_sources(all *all) {
  gkit_source *source = NULL;
  gkit_connection *connections[3] = {NULL, NULL, NULL};
  CHECK_OK(gkit_source_open(all->context, "battery", &source));
  CHECK_OK(gkit_source_listen(source, on_update, UD(all), &connections[0]));
  CHECK_OK(gkit_source_listen(source, on_update, UD(all), NULL));
  CHECK_OK(gkit_source_listen_events(source, on_event, UD(all), &connections[1]));
  CHECK_OK(gkit_source_watch(all->context, NULL, on_event, UD(all), &connections[2]));
  CHECK_OK(gkit_context_invoke(all->context, on_invoke, UD(all)));
  HOLD(all, source);
  for (int i = 0; i < 3; i++)
    HOLD(all, connections[i]);
}

static void register_streams(all *all) {
  gkit_stream *variable = NULL, *publink = NULL, *transformed = NULL, *both = NULL;
  gkit_connection *connection = NULL;
  CHECK_OK(gkit_stream_new(all->context, "variable", NULL, &variable));
  CHECK_OK(gkit_stream_new(all->context, "publink", NULL, &publink));
  CHECK_OK(gkit_stream_transform(variable, pass, UD(all), &transformed));
  CHECK_OK(gkit_stream_map_both(variable, same, same, UD(all), &both));
  CHECK_OK(gkit_stream_subscribe(transformed, NULL, 0, on_sample, UD(all), &connection));
  CHECK_OK(gkit_stream_subscribe(both, NULL, 0, on_sample, UD(all), NULL));
  CHECK_OK(gkit_stream_subscribe(publink, "name", 0, on_sample, UD(all), NULL));
  HOLD(all, variable);
  HOLD(all, publink);
  HOLD(all, transformed);
  HOLD(all, both);
  HOLD(all, connection);
}

static void register_patches(all *all) {
  gkit_patch *patch = NULL;
  CHECK_OK(gkit_patch_register(all->context, "mine", on_make, UD(all)));
  CHECK_OK(gkit_patch_new(all->context, NULL, NULL, &patch));
  CHECK_OK(gkit_patch_add_input(patch, "in", NULL, on_input, UD(all)));
  HOLD(all, patch);
}

static void register_data_sources(all *all) {
  gkit_datasource *made[5] = {NULL, NULL, NULL, NULL, NULL};
  gkit_future *future = NULL, *asked = NULL;
  CHECK_OK(gkit_datasource_new_custom(all->context, on_perform, UD(all), &made[0]));
  CHECK_OK(gkit_datasource_map(made[0], same, same, UD(all), &made[1]));
  CHECK_OK(gkit_datasource_validate(made[1], NULL, same, UD(all), &made[2]));
  CHECK_OK(gkit_datasource_retry(made[2], NULL, on_retry, UD(all), &made[3]));
  CHECK_OK(gkit_repository_new(made[3], made[0], NULL, same, NULL, UD(all), &made[4]));
  CHECK_OK(gkit_future_new(all->context, &future));
  CHECK_OK(gkit_future_then(future, on_result, UD(all)));
  asked = keep_ask(made[4], GKIT_OPERATION_GET, keep_id("a"), NULL);
  CHECK_OK(gkit_future_then(asked, on_result, UD(all)));
  for (int i = 0; i < 5; i++)
    HOLD(all, made[i]);
  HOLD(all, future);
  HOLD(all, asked);
}

static void try_in(uint32_t mode) {
  keep keep;
  if (!keep_open(&keep, mode))
    return;
  all all = {.context = keep.context};
  register_sources(&all);
  register_streams(&all);
  register_patches(&all);
  register_data_sources(&all);
  CHECK_OK(gkit_context_close(keep.context));
  CHECK_INT(all.freed, all.given);
  for (int i = 0; i < all.count; i++)
    gkit_release(all.kept[i]);
  CHECK_INT(all.freed, all.given);
  keep_close(&keep);
}

static void a_close_runs_them_in_host_mode(void) { try_in(GKIT_MODE_HOST); }

static void a_close_runs_them_in_thread_mode(void) { try_in(GKIT_MODE_THREAD); }

int main(void) {
  RUN(a_close_runs_them_in_host_mode);
  RUN(a_close_runs_them_in_thread_mode);
  return check_report();
}
