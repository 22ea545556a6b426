/* Lists, watchers, the doctor, hot-plug, and a captured tree. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *text_of(const gkit_dict *list, size_t index, const char *key) {
  gkit_value entry, value;
  if (gkit_dict_at(list, index, NULL, &entry) < 0 || entry.type != GKIT_TYPE_DICT ||
      gkit_dict_get(entry.as.dict, key, &value) < 0 || value.type != GKIT_TYPE_STRING)
    return NULL;
  return value.as.string;
}

/* H1, R7: complete, natural order, aggregate first. */
static void listed(void) {
  sim sim;
  gkit_dict *list = NULL;
  if (!sim_open(&sim, MEMORY "0 add battery|BAT10\n0 add battery|BAT2\n"))
    return;
  if (CHECK_OK(gkit_source_list(sim.context, "battery", &list))) {
    CHECK_INT(gkit_dict_count(list), 3);
    CHECK_TEXT(text_of(list, 0, "id"), "battery|aggregate");
    CHECK_TEXT(text_of(list, 1, "id"), "battery|BAT2");
    CHECK_TEXT(text_of(list, 2, "id"), "battery|BAT10");
    CHECK_TEXT(text_of(list, 1, "kind"), "battery");
    CHECK_TEXT(text_of(list, 1, "name"), "Battery");
    CHECK_TEXT(text_of(list, 1, "reason"), "available");
    CHECK_TEXT(text_of(list, 1, "availability"), "available");
    CHECK_TEXT(text_of(list, 1, "remedy"), "");
    CHECK(text_of(list, 1, "label") != NULL && text_of(list, 1, "detail") != NULL);
  }
  gkit_release(list);
  if (CHECK_OK(gkit_source_list(sim.context, "temperature", &list)))
    CHECK_INT(gkit_dict_count(list), 0);
  gkit_release(list);
  sim_close(&sim);
}

static char *json_of(gkit_dict *list) {
  gkit_value value = {.type = GKIT_TYPE_LIST};
  value.as.dict = list;
  return gkit_value_to_json(&value);
}

/* R7, R15: a list is its owner's. What is changed in one is in no other, nor in its text. */
static void listed_again(void) {
  sim sim;
  gkit_dict *changed = NULL, *other = NULL, *more = NULL;
  gkit_value number = {.type = GKIT_TYPE_INT};
  if (!sim_open(&sim, MEMORY "1 add battery|BAT1\n"))
    return;
  CHECK_OK(gkit_source_list(sim.context, "memory", &changed));
  CHECK_OK(gkit_source_list(sim.context, "memory", &other));
  char *before = json_of(changed);
  CHECK_OK(gkit_dict_set(changed, NULL, &number));
  char *after = json_of(changed), *untouched = json_of(other);
  CHECK(before != NULL && after != NULL && strcmp(before, after) != 0);
  CHECK_TEXT(untouched, before);
  CHECK_INT(gkit_dict_count(other), 1);
  CHECK_OK(gkit_source_list(sim.context, "battery", &more));
  CHECK_INT(gkit_dict_count(more), 0);
  gkit_release(more);
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_OK(gkit_source_list(sim.context, "battery", &more));
  CHECK_TEXT(text_of(more, 1, "id"), "battery|BAT1");
  gkit_release(more);
  gkit_release(other);
  gkit_release(changed);
  gkit_free(untouched);
  gkit_free(after);
  gkit_free(before);
  sim_close(&sim);
}

static void on_watch(gkit_source *source, const char *source_id, int32_t event,
                     const gkit_error *error, void *user_data) {
  char word[64];
  CHECK(source == NULL);
  CHECK(error == NULL);
  snprintf(word, sizeof word, "%s%s",
           event == GKIT_EVENT_ADDED     ? "+"
           : event == GKIT_EVENT_REMOVED ? "-"
                                         : "~",
           source_id);
  sim_write(user_data, word);
}

/* H2, R6: those already there are not announced. */
static void watched(void) {
  sim sim;
  gkit_connection *connection = NULL;
  if (!sim_open(&sim, MEMORY "1 add temperature|g\n2 remove temperature|g\n3 add memory|other\n"
                             "4 add temperature|g\n"))
    return;
  CHECK_OK(gkit_source_watch(sim.context, "temperature", on_watch, &sim, NULL, &connection));
  CHECK_OK(sim_seek(&sim, 0));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  CHECK_TEXT(sim_take(&sim), "+temperature|g -temperature|g");
  CHECK_OK(gkit_context_rescan(sim.context));
  CHECK_TEXT(sim_take(&sim), "");
  gkit_release(connection);
  CHECK_OK(sim_seek(&sim, 4 * SECOND));
  CHECK_TEXT(sim_take(&sim), "");
  sim_close(&sim);
}

/* N5, A5: a kind without instances opens, and says why there is nothing. */
static void nothing_there(void) {
  sim sim;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  if (!sim_open(&sim, "1 add temperature|g\n"))
    return;
  gkit_source *source = sim_source(&sim, "temperature");
  CHECK_OK(gkit_source_get_info(source, &info));
  CHECK_TEXT(info.id, "temperature");
  CHECK_INT(info.reason, GKIT_REASON_NO_HARDWARE);
  CHECK(info.property_count > 0);
  CHECK_STATUS(gkit_source_start(source, 0), GKIT_ERROR_UNAVAILABLE);
  CHECK_TEXT(sim_take(&sim), "failed");
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "availability(available)");
  CHECK_OK(gkit_source_get_info(source, &info));
  CHECK_TEXT(info.id, "temperature|g");
  gkit_release(source);
  sim_close(&sim);
}

/* A6, R7 */
static void reported(void) {
  sim sim;
  gkit_dict *report = NULL;
  gkit_value kinds, mechanisms;
  if (!sim_open(&sim, MEMORY))
    return;
  if (CHECK_OK(gkit_context_report(sim.context, &report)) &&
      CHECK_OK(gkit_dict_get(report, "kinds", &kinds))) {
    CHECK(gkit_dict_count(kinds.as.dict) > 10);
    for (size_t i = 0; i < gkit_dict_count(kinds.as.dict); i++) {
      int64_t interval;
      CHECK_OK(gkit_kind_get_default_interval(text_of(kinds.as.dict, i, "kind"), &interval));
    }
    CHECK_OK(gkit_dict_get(report, "mechanisms", &mechanisms));
  }
  gkit_release(report);
  sim_close(&sim);
}

static void write_meminfo(const char *path, long total) {
  FILE *file = fopen(path, "w");
  if (CHECK(file != NULL)) {
    fprintf(file, "MemTotal: %ld kB\nMemFree: 1000 kB\nMemAvailable: 2000 kB\n", total);
    fclose(file);
  }
}

/* A captured tree is a machine: `local:root=DIR`. */
static void a_captured_tree(void) {
  char root[] = "/tmp/gatheredkit-XXXXXX", proc[64], meminfo[128], uri[64];
  gkit_context *context = NULL;
  gkit_source *memory = NULL;
  if (!CHECK(mkdtemp(root) != NULL))
    return;
  snprintf(proc, sizeof proc, "%s/proc", root);
  snprintf(meminfo, sizeof meminfo, "%s/meminfo", proc);
  snprintf(uri, sizeof uri, "local:root=%s&clock=manual", root);
  mkdir(proc, 0700);
  write_meminfo(meminfo, 8000);
  if (CHECK_OK(gkit_context_open(uri, NULL, &context)) &&
      CHECK_OK(gkit_source_open(context, "memory", &memory))) {
    CHECK_OK(gkit_source_update_values(memory, SECOND));
    CHECK_INT(sim_value(memory, "total").value.as.integer, 8000 * 1024);
    CHECK_INT(sim_value(memory, "used").value.as.integer, 6000 * 1024);
    CHECK_INT(sim_value(memory, "pressure_some_avg10").status, GKIT_SAMPLE_UNSUPPORTED);
    write_meminfo(meminfo, 9000);
    CHECK_OK(gkit_source_update_values(memory, SECOND));
    CHECK_INT(sim_value(memory, "total").value.as.integer, 9000 * 1024);
    CHECK_INT(sim_value(memory, "total").sequence, 2);
  }
  gkit_release(memory);
  gkit_release(context);
  unlink(meminfo);
  rmdir(proc);
  rmdir(root);
}

int main(void) {
  RUN(listed);
  RUN(listed_again);
  RUN(watched);
  RUN(nothing_there);
  RUN(reported);
  RUN(a_captured_tree);
  return check_report();
}
