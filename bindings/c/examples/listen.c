/* Prints the battery, or the memory of a machine without one, as it changes. The updates arrive on
 * the library's own thread.
 *
 *   cc -std=c99 listen.c $(pkg-config --cflags --libs gatheredkit) -o listen
 *   ./listen [URI [UPDATES]]             until Ctrl-C, or so many updates
 */
#define _POSIX_C_SOURCE 200809L
#include <gatheredkit.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
                      void *user_data) {
  long *left = (long *)user_data;
  for (size_t i = 0; i < count; i++) {
    gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
    char text[64];
    if (!(samples[i].flags & GKIT_FLAG_IS_NEW) || samples[i].status != GKIT_SAMPLE_OK ||
        gkit_source_get_property_info(source, samples[i].property, &property) < 0)
      continue;
    gkit_value_format(&samples[i].value, property.unit, text, sizeof text);
    printf("%-28s %s\n", property.name, text);
  }
  printf("\n");
  fflush(stdout);
  /* The callbacks of a context never overlap, so the count needs no lock. */
  if (*left > 0 && --*left == 0)
    kill(getpid(), SIGTERM);
}

static void on_event(gkit_source *source, const char *source_id, int32_t event,
                     const gkit_error *error, void *user_data) {
  (void)user_data;
  if (event == GKIT_EVENT_AVAILABILITY_CHANGED) {
    gkit_source_info info = GKIT_SOURCE_INFO_INIT;
    if (gkit_source_get_info(source, &info) == GKIT_OK)
      printf("%s: %s %s\n", source_id, info.reason_text, info.remedy);
  }
  if (error != NULL)
    fprintf(stderr, "%s: %s\n", source_id, error->message);
}

/* Opens the battery if it can be used now, otherwise the memory. */
static gkit_status open_source(gkit_context *context, gkit_source **out) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  gkit_source *battery = NULL;
  if (gkit_source_open(context, "battery", &battery) == GKIT_OK &&
      gkit_source_get_info(battery, &info) == GKIT_OK &&
      info.availability == GKIT_AVAILABILITY_AVAILABLE) {
    *out = battery;
    return GKIT_OK;
  }
  gkit_release(battery);
  return gkit_source_open(context, "memory", out);
}

int main(int argc, char **argv) {
  gkit_context *context = NULL;
  gkit_source *source = NULL;
  long left = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  int result = 1;
  int caught;

  /* Blocked before there are threads, the signals wait for sigwait() below. */
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGINT);
  sigaddset(&stop, SIGTERM);
  sigprocmask(SIG_BLOCK, &stop, NULL);

  if (gkit_context_open(argc > 1 ? argv[1] : NULL, NULL, &context) < 0 ||
      open_source(context, &source) < 0 ||
      gkit_source_listen_events(source, on_event, NULL, NULL, NULL) < 0 ||
      gkit_source_start_and_listen(source, INT64_C(1000000000), on_update, &left, NULL, NULL) < 0) {
    fprintf(stderr, "%s\n", gkit_last_error()->message);
  } else {
    sigwait(&stop, &caught);
    result = 0;
  }
  gkit_release(source);
  gkit_context_close(context); /* returns when no callback runs: `left` may go */
  gkit_release(context);
  return result;
}
