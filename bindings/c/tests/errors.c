/* Statuses, the last error, and the arguments that are refused. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Rule 9: code 0 before the first failure of a thread; success leaves it alone. */
static void *on_a_fresh_thread(void *unused) {
  double out;
  (void)unused;
  CHECK(gkit_last_error() != NULL);
  CHECK_INT(gkit_last_error()->code, 0);
  CHECK_INT(gkit_last_error()->sys_errno, 0);
  CHECK(gkit_last_error()->message != NULL);
  CHECK_INVALID(gkit_unit_convert(1, "m", "s", &out));
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_INVALID_ARGUMENT);
  CHECK_OK(gkit_unit_convert(1, "m", "km", &out));
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_INVALID_ARGUMENT);
  return NULL;
}

static void each_thread_has_its_own(void) {
  pthread_t thread;
  gkit_dict *parts;
  char message[256];
  CHECK_STATUS(gkit_id_parse("?", &parts), GKIT_ERROR_PARSE);
  snprintf(message, sizeof message, "%s", gkit_last_error()->message);
  pthread_create(&thread, NULL, on_a_fresh_thread, NULL);
  pthread_join(thread, NULL);
  CHECK_INT(gkit_last_error()->code, GKIT_ERROR_PARSE);
  CHECK_TEXT(gkit_last_error()->message, message);
}

static void names(void) {
  CHECK_TEXT(gkit_status_name(GKIT_OK), "GKIT_OK");
  CHECK_TEXT(gkit_status_name(GKIT_ERROR), "GKIT_ERROR");
  CHECK_TEXT(gkit_status_name(GKIT_ERROR_NOT_FOUND), "GKIT_ERROR_NOT_FOUND");
  CHECK_TEXT(gkit_status_name(GKIT_ERROR_NOT_IMPLEMENTED), "GKIT_ERROR_NOT_IMPLEMENTED");
  CHECK_TEXT(gkit_status_name(GKIT_ERROR_USER), "GKIT_ERROR_USER");
  for (gkit_status status = -120; status <= 0; status++)
    CHECK(gkit_status_name(status) != NULL);
  CHECK(gkit_status_name(INT32_MAX) != NULL);
  CHECK(gkit_status_name(INT32_MIN) != NULL);
}

/* C1, R16: what URIs are refused with; nothing is opened. */
static void uris(void) {
  static const struct {
    const char *uri;
    gkit_status status;
  } wrong[] = {
      {"", GKIT_ERROR_INVALID_ARGUMENT},
      {"local", GKIT_ERROR_INVALID_ARGUMENT},
      {"warp:9", GKIT_ERROR_INVALID_ARGUMENT},
      {"local:colour=red", GKIT_ERROR_INVALID_ARGUMENT},
      {"sim:empty&colour=red", GKIT_ERROR_INVALID_ARGUMENT},
      {"sim:empty&clock=manual&clock=manual", GKIT_ERROR_INVALID_ARGUMENT},
      {"sim:empty&clock=lunar", GKIT_ERROR_INVALID_ARGUMENT},
      {"sim:\xFF", GKIT_ERROR_INVALID_ARGUMENT},
      {"sim:toaster", GKIT_ERROR_NOT_FOUND},
      {"sim:file=/nowhere/at/all", GKIT_ERROR_NOT_FOUND},
      {"local:root=/nowhere/at/all", GKIT_ERROR_NOT_FOUND},
      {"replay:/nowhere/at/all", GKIT_ERROR_NOT_FOUND},
      {"mqtt:", GKIT_ERROR_INVALID_ARGUMENT},
      {"mqtt:user:word@broker", GKIT_ERROR_INVALID_ARGUMENT},
      {"mqtts:broker&ca=/nowhere/at/all", GKIT_ERROR_NOT_FOUND},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    gkit_context *context = (gkit_context *)(uintptr_t)8;
    if (CHECK_STATUS(gkit_context_open(wrong[i].uri, NULL, &context), wrong[i].status))
      CHECK(context == NULL);
    else
      gkit_release(context);
    CHECK(gkit_last_error()->message[0] != '\0');
  }
  CHECK_INVALID(gkit_context_open("sim:empty", NULL, NULL));
  CHECK_INT(gkit_live_count("context"), 0);
}

static void options(void) {
  gkit_context *context = NULL;
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  options.mode = 2;
  CHECK_INVALID(gkit_context_open("sim:empty", &options, &context));
  options.mode = GKIT_MODE_HOST;
  options.allow = "ssid,walls";
  CHECK_INVALID(gkit_context_open("sim:empty", &options, &context));
  options.allow = NULL;
  options.struct_size = 0;
  CHECK_INVALID(gkit_context_open("sim:empty", &options, &context));
  options.struct_size = sizeof options - 1;
  CHECK_INVALID(gkit_context_open("sim:empty", &options, &context));
  CHECK(context == NULL);
  /* R14: larger is fine: a program built with a later header. */
  options.struct_size = sizeof options + 64;
  options.allow = "all";
  CHECK_OK(gkit_context_open("sim:empty", &options, &context));
  gkit_release(context);
}

/* R14: what the library fills is cut at what the caller has room for. */
static void struct_sizes(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = NULL;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  info.struct_size = 0;
  CHECK_INVALID(gkit_source_get_info(source, &info));
  info.struct_size = 15;
  CHECK_INVALID(gkit_source_get_info(source, &info));
  memset(&info, 0x55, sizeof info);
  info.struct_size = 16;
  CHECK_OK(gkit_source_get_info(source, &info));
  CHECK_TEXT(info.id, "memory|machine");
  CHECK_INT(info.struct_size, 16);
  CHECK_INT(info.property_count, 0x55555555);
  CHECK_INVALID(gkit_source_get_info(source, NULL));
  gkit_release(source);
  sim_close(&sim);
}

/* Scripts: PARSE with the number of the line. */
static void scripts(void) {
  static const struct {
    const char *script, *message;
  } wrong[] = {
      {"0 dance memory|machine\n", "line 1: "},
      {"# a comment\n0 add memory|machine\n0 set memory|machine/colour 5\n", "line 3: "},
      {"0 add nothing|machine\n", "line 1: "},
      {"1 add memory|machine\n0 remove memory|machine\n", "line 2: "},
      {"-1 add memory|machine\n", "line 1: "},
      {"0 set memory|machine/free 5\n", "line 1: "},
      {"0 add memory|machine\n0 set memory|machine/free \"five\"\n", "line 2: "},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char path[] = "/tmp/gatheredkit-XXXXXX", uri[64];
    gkit_context *context = NULL;
    if (!CHECK(sim_write_script(path, wrong[i].script)))
      continue;
    snprintf(uri, sizeof uri, "sim:file=%s", path);
    CHECK_STATUS(gkit_context_open(uri, NULL, &context), GKIT_ERROR_PARSE);
    CHECK_BEGINS(gkit_last_error()->message, wrong[i].message);
    CHECK(context == NULL);
    remove(path);
  }
}

/* Out-parameters that cannot be NULL, and texts that are no UTF-8. */
static void arguments(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = NULL;
  int64_t number = 42;
  int destroyed = 0;
  CHECK_INVALID(gkit_source_open(sim.context, "memory", NULL));
  CHECK_INVALID(gkit_source_open(sim.context, NULL, &source));
  CHECK(gkit_source_open(sim.context, "\xFF", &source) < 0);
  CHECK_STATUS(gkit_source_open(sim.context, "memroy", &source), GKIT_ERROR_NOT_FOUND);
  CHECK(strstr(gkit_last_error()->message, "memory") != NULL);
  CHECK(source == NULL);
  CHECK_OK(gkit_source_open(sim.context, "memory", &source));
  CHECK_INVALID(gkit_source_listen(source, NULL, &destroyed, sim_on_destroy, NULL));
  CHECK_INVALID(gkit_source_listen_events(source, NULL, &destroyed, sim_on_destroy, NULL));
  CHECK_INVALID(gkit_source_watch(sim.context, NULL, NULL, &destroyed, sim_on_destroy, NULL));
  CHECK_INVALID(gkit_context_invoke(sim.context, NULL, &destroyed, sim_on_destroy));
  CHECK_INT(destroyed, 4);
  CHECK_STATUS(gkit_source_list(sim.context, "memroy", &(gkit_dict *){NULL}), GKIT_ERROR_NOT_FOUND);
  CHECK_STATUS(gkit_source_find_property(source, "colour"), GKIT_ERROR_NOT_FOUND);
  CHECK_INVALID(gkit_source_find_property(source, NULL));
  CHECK_STATUS(gkit_kind_get_default_interval("memroy", &number), GKIT_ERROR_NOT_FOUND);
  CHECK_INT(number, 42);
  CHECK_INVALID(gkit_live_count("nonsense"));
  gkit_release(source);
  sim_close(&sim);
}

int main(void) {
  RUN(each_thread_has_its_own);
  RUN(names);
  RUN(uris);
  RUN(options);
  RUN(struct_sizes);
  RUN(scripts);
  RUN(arguments);
  return check_report();
}
