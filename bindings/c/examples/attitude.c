/* Prints how a device is turned, where it points and what its motion sensors measure, four times a
 * second. Nothing is called back: the last values are always there to be read.
 *
 *   cc -std=c99 attitude.c $(pkg-config --cflags --libs gatheredkit) -o attitude
 *   ./attitude [URI [LINES]]             this computer; or sim:phone, ip:HOST
 */
#define _POSIX_C_SOURCE 200809L
#include <gatheredkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What is shown, and how often it is measured: five times as often as it is printed. */
static const struct {
  const char *kind, *key;
} shown[] = {
    {"device_attitude", "roll"},        {"device_attitude", "pitch"},
    {"device_attitude", "yaw"},         {"compass", "magnetic_heading"},
    {"accelerometer", "acceleration"},  {"gyroscope", "rotation_rate"},
    {"magnetometer", "magnetic_field"},
};
enum { COUNT = sizeof shown / sizeof shown[0] };
static const int64_t interval_ns = 50000000;

/* Starts the source of a kind; NULL, having said why, where that cannot be. */
static gkit_source *start(gkit_context *context, const char *kind) {
  gkit_source *source = NULL;
  if (gkit_source_open(context, kind, &source) == GKIT_OK &&
      gkit_source_start(source, interval_ns) == GKIT_OK)
    return source;
  fprintf(stderr, "%s: %s\n", kind, gkit_last_error()->message);
  gkit_release(source);
  return NULL;
}

/* Prints a value rounded, with its unit: one number, or the three of a vector. */
static void print(const gkit_source *source, const char *key) {
  gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
  gkit_sample sample;
  int32_t index = gkit_source_find_property(source, key);
  if (index < 0 || gkit_source_get_property_info(source, (uint32_t)index, &property) < 0 ||
      gkit_source_get_value(source, (uint32_t)index, &sample) < 0)
    return;
  printf("%-18s", property.name);
  if (sample.status != GKIT_SAMPLE_OK)
    printf(" no value yet");
  else if (sample.value.type == GKIT_TYPE_DOUBLE)
    printf(" %8.3f %s", sample.value.as.number, property.unit);
  else
    printf(" %8.3f %8.3f %8.3f %s", sample.value.as.vector[0], sample.value.as.vector[1],
           sample.value.as.vector[2], property.unit);
  printf("\n");
}

int main(int argc, char **argv) {
  gkit_context *context = NULL;
  gkit_source *sources[COUNT] = {NULL};
  long left = argc > 2 ? strtol(argv[2], NULL, 10) : -1;
  int running = 0;

  if (gkit_context_open(argc > 1 ? argv[1] : NULL, NULL, &context) < 0) {
    fprintf(stderr, "%s\n", gkit_last_error()->message);
    return 1;
  }
  for (int i = 0; i < COUNT; i++) {
    /* Rows of one kind share its source. */
    if (i > 0 && strcmp(shown[i].kind, shown[i - 1].kind) == 0)
      sources[i] = (gkit_source *)gkit_retain(sources[i - 1]);
    else
      sources[i] = start(context, shown[i].kind);
    running += sources[i] != NULL;
  }
  for (; running > 0 && left != 0; left--) {
    struct timespec quarter = {0, 250000000};
    nanosleep(&quarter, NULL);
    for (int i = 0; i < COUNT; i++)
      if (sources[i] != NULL)
        print(sources[i], shown[i].key);
    printf("\n");
    fflush(stdout);
  }
  for (int i = 0; i < COUNT; i++)
    gkit_release(sources[i]);
  gkit_context_close(context);
  gkit_release(context);
  return running > 0 ? 0 : 1;
}
