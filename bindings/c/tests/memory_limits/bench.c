#include "bench.h"
#include "../check.h"
#include <stdlib.h>
#include <string.h>

static gkit_value echoed;

static void echo(int32_t operation, const gkit_dict *query, const gkit_value *value,
                 gkit_future *reply, void *user_data) {
  (void)operation, (void)query, (void)user_data;
  gkit_status status = gkit_future_resolve(reply, GKIT_OK, value, NULL);
  if (status < 0)
    gkit_future_resolve(reply, status, NULL, NULL);
}

static gkit_status same(const gkit_value *in, gkit_value *out, void *user_data) {
  (void)user_data;
  *out = *in;
  return GKIT_OK;
}

static gkit_status on_input(gkit_patch *patch, const gkit_sample *in, void *user_data) {
  (void)patch, (void)in, (void)user_data;
  return GKIT_OK;
}

static void on_sample(const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples, (void)count, (void)user_data;
}

static char *filled(const char *unit) {
  char *text = malloc(large + 1);
  size_t length = strlen(unit);
  if (text == NULL)
    abort();
  memcpy(text, unit, length);
  for (; length < large; length *= 2)
    memcpy(text + length, text, length < large - length ? length : large - length);
  text[large] = 0;
  return text;
}

void bench_fill(bench *b) {
  memset(b, 0, sizeof *b);
  b->text = gkit_value_string(filled("text "));
  b->bytes = gkit_value_bytes(filled("bytes "), large);
  b->name = filled("name");
  b->json = filled("json ");
  b->json[0] = b->json[large - 1] = '"';
  b->array = filled("1,");
  b->array[0] = '[';
  b->array[1] = '1';
  b->array[large - 1] = ']';
  b->array[large - 2] = '1';
}

void bench_open(bench *b) {
  gkit_value part;
  if (!keep_open(&b->keep, GKIT_MODE_HOST))
    abort();
  b->dict = gkit_dict_new();
  b->list = gkit_list_new();
  b->wide = gkit_list_new();
  b->query = gkit_query_new("id", "a");
  part = b->text;
  part.count = MEGABYTE;
  gkit_dict *inner = gkit_list_new();
  CHECK_OK(gkit_dict_set(inner, NULL, &part));
  part = gkit_value_list(inner);
  for (int i = 0; i < 64; i++)
    CHECK_OK(gkit_dict_set(b->wide, NULL, &part));
  gkit_release(inner);
  CHECK_OK(gkit_stream_new(b->keep.context, "variable", NULL, &b->variable));
  CHECK_OK(gkit_stream_subscribe(b->variable, NULL, 0, on_sample, NULL, NULL, NULL));
  CHECK_OK(gkit_patch_new(b->keep.context, NULL, NULL, &b->patch));
  CHECK_OK(gkit_patch_add_input(b->patch, "in", NULL, on_input, NULL, NULL));
  CHECK_OK(gkit_patch_add_output(b->patch, "out", NULL));
  b->memory = keep_store(&b->keep, "memory", NULL);
  CHECK_OK(gkit_datasource_new_custom(b->keep.context, echo, &echoed, NULL, &b->custom));
  CHECK_OK(gkit_datasource_map(b->custom, same, same, NULL, NULL, &b->mapped));
}
