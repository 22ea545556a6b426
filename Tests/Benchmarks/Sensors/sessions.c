/* Three motion sensors at 1 kHz: processor time and memory of a process that follows them, beside
   one that does so with libiio alone. To be run by `with-sensors`; `sessions peer` prints
   the figures of the latter, `sessions FIGURES` the rows. */
#include "measure.h"

#include <fcntl.h>
#include <gatheredkit.h>
#include <iio.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { SENSORS = 3, AXES = 3, BLOCK = 10, SECONDS = 5 };

static const char *const kinds[SENSORS] = {"accelerometer", "gyroscope", "magnetometer"};
static const char *const names[SENSORS] = {"bench_accel", "bench_gyro", "bench_magn"};
static const char *const types[SENSORS] = {"accel", "anglvel", "magn"};
static volatile uint64_t rows;
static volatile double sum;

/* -- the sensors --------------------------------------------------------------------------------
 */

typedef struct record {
  int16_t axes[AXES + 1];
  int64_t stamp;
} record;

static int64_t boot_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/** What a kernel does: every ten milliseconds it lets a block of records through. */
static _Noreturn void feed(void) {
  static record block[BLOCK];
  int pipes[SENSORS];
  for (int i = 0; i < SENSORS; i++) {
    char path[64];
    snprintf(path, sizeof path, "/dev/iio:device%d", i);
    pipes[i] = open(path, O_RDWR | O_NONBLOCK);
  }
  for (int64_t due = boot_now();; due += BLOCK * INT64_C(1000000)) {
    for (int i = 0; i < BLOCK; i++)
      block[i] = (record){{(int16_t)i, (int16_t)-i, 16384, 0}, due - (BLOCK - 1 - i) * 1000000};
    // A pipe without a reader is full.
    for (int i = 0; i < SENSORS; i++)
      if (write(pipes[i], block, sizeof block) < 0)
        continue;
    int64_t rest = due + BLOCK * INT64_C(1000000) - boot_now();
    if (rest > 0)
      nanosleep(&(struct timespec){0, rest}, NULL);
  }
}

static pid_t fed(void) {
  pid_t feeder = fork();
  if (feeder == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    feed();
  }
  return feeder;
}

/** Resident memory of this process in MiB that it shares with no other one. */
static double own_memory(void) {
  char line[256];
  double kibibytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "RssAnon:", 8) == 0)
      sscanf(line + 8, "%lf", &kibibytes);
  if (file != NULL)
    fclose(file);
  return kibibytes / 1024;
}

/** Counts on rows coming at 3 kHz. */
static double share(double cpu, double start) {
  if (rows < SENSORS * 1000 * (SECONDS - 1))
    fprintf(stderr, "only %llu rows came\n", (unsigned long long)rows);
  return 100 * (cpu_ns() - cpu) / (now_ns() - start);
}

/* -- libiio alone -------------------------------------------------------------------------------
 */

typedef struct sensor {
  struct iio_channel *channels[AXES + 1];
  struct iio_buffer *buffer;
  double scale;
} sensor;

static void open_sensor(struct iio_context *local, int number, sensor *out) {
  struct iio_device *device = iio_context_find_device(local, names[number]);
  for (int i = 0; i <= AXES; i++) {
    char name[32] = "timestamp";
    if (i < AXES)
      snprintf(name, sizeof name, "%s_%c", types[number], 'x' + i);
    out->channels[i] = iio_device_find_channel(device, name, false);
    iio_channel_enable(out->channels[i]);
  }
  iio_channel_attr_read_double(out->channels[0], "scale", &out->scale);
  out->buffer = iio_device_create_buffer(device, BLOCK, false);
  if (out->buffer == NULL)
    give_up(names[number], "no buffer");
}

static void take(sensor *sensor) {
  int16_t numbers[AXES][BLOCK];
  int64_t stamps[BLOCK];
  double columns[BLOCK][AXES];
  if (iio_buffer_refill(sensor->buffer) < 0)
    give_up("libiio", "no records");
  for (int axis = 0; axis < AXES; axis++)
    iio_channel_read(sensor->channels[axis], sensor->buffer, numbers[axis], sizeof numbers[axis]);
  iio_channel_read(sensor->channels[AXES], sensor->buffer, stamps, sizeof stamps);
  for (int i = 0; i < BLOCK; i++)
    for (int axis = 0; axis < AXES; axis++)
      columns[i][axis] = numbers[axis][i] * sensor->scale;
  for (int i = 0; i < BLOCK; i++)
    sum += columns[i][0] + columns[i][1] + columns[i][2] + (double)stamps[i];
  rows += BLOCK;
}

static void follow_with_libiio(void) {
  sensor sensors[SENSORS];
  struct pollfd polled[SENSORS];
  struct iio_context *local = iio_create_local_context();
  for (int i = 0; i < SENSORS; i++) {
    open_sensor(local, i, &sensors[i]);
    polled[i] = (struct pollfd){.fd = iio_buffer_get_poll_fd(sensors[i].buffer), .events = POLLIN};
  }
  double cpu = cpu_ns(), start = now_ns();
  while (now_ns() - start < SECONDS * 1e9) {
    poll(polled, SENSORS, 1000);
    for (int i = 0; i < SENSORS; i++)
      if (polled[i].revents & POLLIN)
        take(&sensors[i]);
  }
  printf("%g %g\n", share(cpu, start), own_memory());
}

/* -- ours ---------------------------------------------------------------------------------------
 */

static void take_frame(gkit_reader *reader, gkit_source *source) {
  gkit_frame *frame = NULL;
  gkit_column column, times;
  if (gkit_reader_next_frame(reader, source, 0, &frame) < 0)
    return;
  if (gkit_frame_column(frame, 0, &column) < 0 ||
      gkit_frame_column(frame, GKIT_COLUMN_BOOT, &times) < 0)
    give_up("column", gkit_last_error()->message);
  for (size_t i = 0; i < column.rows; i++) {
    const double *axes = (const double *)((const char *)column.data + i * column.stride);
    const int64_t *time = (const int64_t *)((const char *)times.data + i * times.stride);
    sum += axes[0] + axes[1] + axes[2] + (double)*time;
  }
  rows += column.rows;
  gkit_release(frame);
}

static void follow(const char *peer) {
  gkit_context *context = NULL;
  gkit_source *sources[SENSORS];
  gkit_reader *reader = NULL;
  double peers_share = 0, peers_memory = 0;
  if (sscanf(peer, "%lf %lf", &peers_share, &peers_memory) != 2)
    give_up("sessions", "no figures of the peer");
  if (gkit_context_open("local:", NULL, &context) < 0 ||
      gkit_reader_new(context, NULL, &reader) < 0)
    give_up("local:", gkit_last_error()->message);
  for (int i = 0; i < SENSORS; i++) {
    char id[64];
    snprintf(id, sizeof id, "%s|%s", kinds[i], names[i]);
    if (gkit_source_open(context, id, &sources[i]) < 0 || gkit_reader_add(reader, sources[i]) < 0 ||
        gkit_source_start(sources[i], 1000000) < 0)
      give_up(id, gkit_last_error()->message);
  }
  struct pollfd polled = {.fd = gkit_reader_fd(reader), .events = POLLIN};
  double cpu = cpu_ns(), start = now_ns();
  while (now_ns() - start < SECONDS * 1e9) {
    poll(&polled, 1, 1000);
    for (int i = 0; i < SENSORS; i++)
      take_frame(reader, sources[i]);
  }
  row("3 motion sensors at 1 kHz", share(cpu, start), "% of a core", "libiio", peers_share, "");
  row("  memory not shared", own_memory(), "MiB", "libiio", peers_memory, "");
  gkit_context_close(context);
}

int main(int count, char **arguments) {
  if (count != 2)
    give_up("sessions", "peer | FIGURES");
  pid_t feeder = fed();
  if (strcmp(arguments[1], "peer") == 0)
    follow_with_libiio();
  else
    follow(arguments[1]);
  kill(feeder, SIGKILL);
  return 0;
}
