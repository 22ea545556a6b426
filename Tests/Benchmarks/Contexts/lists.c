/* What it costs to follow a thousand sources of which one changes, beside listing them. */
#include "measure.h"

#include <gatheredkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SOURCES = 1000, STEPS = 200, KINDS = 3 };

static volatile uint64_t received;

static void must(gkit_status status, const char *what) {
  if (status < 0)
    give_up(what, gkit_last_error()->message);
}

/** A script of a thousand fans, of which another one is in use or free again each second. */
static void write_script(char *path) {
  FILE *file = fdopen(mkstemp(path), "w");
  if (file == NULL)
    give_up(path, "it cannot be written");
  for (int i = 0; i < SOURCES; i++)
    fprintf(file, "0 add fan|f%d\n", i);
  for (int i = 1; i <= STEPS; i++)
    fprintf(file, "%d availability fan|f%d %s\n", i, i / 2 * 7 % SOURCES,
            i % 2 ? "available" : "busy in use");
  fclose(file);
}

static void take(const gkit_sample *samples, size_t count, void *user_data) {
  (void)samples;
  (void)user_data;
  received += count;
}

static void note(gkit_source *source, const char *source_id, int32_t event, const gkit_error *error,
                 void *user_data) {
  (void)source;
  (void)source_id;
  (void)event;
  (void)error;
  (void)user_data;
  received += 1;
}

/** A context whose list is followed: by its changes, by events, or not at all. */
static gkit_context *opened(const char *path, int kind) {
  gkit_context *context = NULL;
  gkit_stream *list = NULL, *changes = NULL;
  char uri[256];
  snprintf(uri, sizeof uri, "sim:file=%s&clock=manual", path);
  must(gkit_context_open(uri, NULL, &context), uri);
  if (kind == 0) {
    must(gkit_stream_new(context, "sources", NULL, &list), "sources");
    must(gkit_stream_apply(list, "changes", NULL, &changes), "changes");
    must(gkit_stream_subscribe(changes, NULL, 0, take, NULL, NULL, NULL), "subscribe");
  } else if (kind == 1) {
    must(gkit_source_watch(context, NULL, note, NULL, NULL, NULL), "watch");
  }
  return context;
}

int main(void) {
  char path[] = "/tmp/gatheredkit-XXXXXX";
  static double steps[KINDS][STEPS], lists[STEPS];
  gkit_context *contexts[KINDS];
  write_script(path);
  for (int kind = 0; kind < KINDS; kind++)
    contexts[kind] = opened(path, kind);
  for (int step = 0; step < STEPS; step++) {
    for (int kind = 0; kind < KINDS; kind++) {
      double start = now_ns();
      must(gkit_context_seek(contexts[kind], INT64_C(1000000000) * (step + 1)), "seek");
      steps[kind][step] = now_ns() - start;
    }
    gkit_dict *rows = NULL;
    double start = now_ns();
    must(gkit_source_list(contexts[2], NULL, &rows), "list");
    lists[step] = now_ns() - start;
    gkit_release(rows);
  }
  unlink(path);
  if (received < STEPS)
    give_up("sources", "changes were not told");
  double followed = median(steps[0], STEPS), watched = median(steps[1], STEPS);
  row("follow 1000 sources, one changes", (followed - watched) / 1e3, "us", "gkit_source_list",
      median(lists, STEPS) / 1e3, "<= 0.02 x");
  row("  with the look at them", followed / 1e3, "us", "gkit_source_watch", watched / 1e3, "");
  return 0;
}
