/* R20: sizes, counts and depths beyond a bound of the library's own are LIMIT, and change nothing.
 */
#include "check.h"
#include "keep.h"
#include <stdio.h>
#include <string.h>

static void what_is_too_much_is_refused(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  gkit_reader_options options = GKIT_READER_OPTIONS_INIT;
  gkit_reader *reader = NULL;
  const size_t capacities[] = {(size_t)1 << 25, (size_t)1 << 40, SIZE_MAX / 2, SIZE_MAX};
  for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
    options.capacity = capacities[i];
    CHECK_STATUS(gkit_reader_new(keep.context, &options, &reader), GKIT_ERROR_LIMIT);
  }
  options.capacity = (size_t)1 << 24;
  CHECK_OK(gkit_reader_new(keep.context, &options, &reader));
  gkit_release(reader);
  /* Streams that keep what came. */
  const char *const operators[][2] = {{"window", "{\"count\":16777217}"},
                                      {"batch", "{\"count\":9223372036854775807}"},
                                      {"moving_average", "{\"window\":16777217}"}};
  gkit_stream *variable = NULL, *out = NULL;
  CHECK_OK(gkit_stream_new(keep.context, "variable", NULL, &variable));
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    gkit_dict *arguments = keep_dict(operators[i][1]);
    CHECK_STATUS(gkit_stream_apply(variable, operators[i][0], arguments, &out), GKIT_ERROR_LIMIT);
    gkit_release(arguments);
  }
  CHECK_STATUS(gkit_stream_combine(&variable, (1 << 16) + 1, "merge", &out), GKIT_ERROR_LIMIT);
  gkit_release(variable);
  /* Sinks. */
  gkit_dict *sizes = keep_dict("{\"memory_limit\":9223372036854775807}");
  gkit_sink *sink = NULL;
  CHECK_STATUS(gkit_sink_open(keep.context, "jsonl", "/tmp/none", sizes, &sink), GKIT_ERROR_LIMIT);
  gkit_release(sizes);
  /* Decorators inside each other. */
  gkit_datasource *inner = keep_store(&keep, "memory", NULL), *outer = NULL;
  gkit_status status = GKIT_OK;
  int depth = 1;
  for (; depth < 100000 && status >= 0; depth++) {
    status = gkit_datasource_wrap(inner, "log", NULL, &outer);
    if (status < 0)
      break;
    gkit_release(inner);
    inner = outer;
  }
  CHECK_STATUS(status, GKIT_ERROR_LIMIT);
  CHECK_INT(depth, 256);
  CHECK_TEXT(keep_do(inner, GKIT_OPERATION_PUT, keep_id("a"), "1"), "1");
  gkit_release(inner);
  keep_close(&keep);
}

/* A value doubles in size with each turn: its parts and bytes are bounded, and what is refused has
   changed nothing. */
static void a_value_that_doubles_is_refused_in_time(void) {
  gkit_dict *dict = gkit_dict_new();
  gkit_status status = GKIT_OK;
  char key[24];
  int turns = 0;
  for (; turns < 64 && status >= 0; turns++) {
    gkit_value whole = gkit_value_dict(dict);
    snprintf(key, sizeof key, "%d", turns);
    status = gkit_dict_set(dict, key, &whole);
  }
  CHECK_STATUS(status, GKIT_ERROR_LIMIT);
  CHECK_INT(gkit_dict_count(dict), turns - 1);
  CHECK(turns > 20 && turns < 30);
  gkit_release(dict);
}

/* `assemble(d, d, d)` of itself: there are 3^N ways through it, and N things to tell of. */
static void what_is_shared_is_told_once(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_HOST))
    return;
  gkit_datasource *inner = keep_store(&keep, "memory", NULL), *outer = NULL;
  CHECK_OK(gkit_datasource_assemble(inner, inner, inner, &outer));
  char *text = gkit_describe(outer);
  CHECK_TEXT(text, "datasource assembly of (datasource memory #1, datasource #1, datasource #1)");
  gkit_free(text);
  gkit_release(outer);
  for (int i = 0; i < 100; i++) {
    CHECK_OK(gkit_datasource_assemble(inner, inner, inner, &outer));
    gkit_release(inner);
    inner = outer;
  }
  text = gkit_describe(inner);
  CHECK(text != NULL && strlen(text) < 10000);
  gkit_free(text);
  gkit_release(inner);
  keep_close(&keep);
}

int main(void) {
  RUN(what_is_too_much_is_refused);
  RUN(a_value_that_doubles_is_refused_in_time);
  RUN(what_is_shared_is_told_once);
  return check_report();
}
