/* `ip:`: the IIO devices of another machine, against a real iiod on loopback whose devices umockdev
 * pretends. Without those programs only what needs no server is tested. */
#define _GNU_SOURCE
#include "check.h"
#include "loopback.h"
#include "sim.h"
#include <arpa/inet.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RECORDS 200
#define SERVER "/usr/sbin/iiod"
#define PRETENDER "/usr/bin/umockdev-run"

extern char **environ;

typedef struct server {
  int port;
  pid_t process;
  char devices[64];
} server;

/* A chip of three axes that counts up along x, down along y and rests at 20 along z. */
static bool describe(const char *path) {
  const char *attributes = "A: name=bmi160\\n\nA: sampling_frequency=100\\n\n"
                           "A: sampling_frequency_available=100\\n\nA: in_accel_scale=0.5\\n\n"
                           "A: in_accel_x_raw=16\\n\nA: in_accel_y_raw=17\\n\n"
                           "A: in_accel_z_raw=20\\n\nA: buffer/enable=0\\n\n"
                           "A: buffer/length=2\\n\nA: buffer/watermark=1\\n\n";
  FILE *file = fopen(path, "w");
  if (!CHECK(file != NULL))
    return false;
  fprintf(file, "P: /devices/bus/bmi160/iio:device0\nN: iio:device0=");
  for (int i = 0; i < RECORDS; i++) {
    int axes[3] = {i, -i, 20};
    for (int axis = 0; axis < 3; axis++)
      fprintf(file, "%02X%02X", (unsigned)axes[axis] & 0xFF, (unsigned)axes[axis] >> 8 & 0xFF);
  }
  fprintf(file, "\nE: DEVNAME=/dev/iio:device0\nE: SUBSYSTEM=iio\nE: DEVTYPE=iio_device\n%s",
          attributes);
  for (int axis = 0; axis < 3; axis++) {
    fprintf(file, "A: scan_elements/in_accel_%c_en=0\\n\n", "xyz"[axis]);
    fprintf(file, "A: scan_elements/in_accel_%c_index=%d\\n\n", "xyz"[axis], axis);
    fprintf(file, "A: scan_elements/in_accel_%c_type=le:s16/16>>0\\n\n", "xyz"[axis]);
  }
  fprintf(file, "\n");
  return CHECK(fclose(file) == 0);
}

static void nap(void) {
  struct timespec pause = {0, 50 * MILLISECOND};
  nanosleep(&pause, NULL);
}

static bool answers(int port) {
  int client = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = loopback(port);
  bool is_there = connect(client, (struct sockaddr *)&address, sizeof address) == 0;
  close(client);
  return is_there;
}

/* Starts the server, in a group of its own with the pretender, and waits until it answers. */
static bool start(server *self) {
  char port[16];
  posix_spawnattr_t attributes;
  snprintf(port, sizeof port, "%d", self->port);
  char *words[] = {PRETENDER, "-d", self->devices, "--", SERVER, "-p", port, NULL};
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  int failure = posix_spawn(&self->process, PRETENDER, NULL, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  if (!CHECK_INT(failure, 0))
    return false;
  for (int64_t spent = 0; spent < PATIENCE && !answers(self->port); spent += 50 * MILLISECOND)
    nap();
  return CHECK(answers(self->port));
}

/* It ignores SIGTERM. */
static void stop(server *self) {
  kill(-self->process, SIGKILL);
  waitpid(self->process, NULL, 0);
}

typedef struct world {
  server server;
  gkit_context *context;
  gkit_source *source;
  uint32_t acceleration;
} world;

static int32_t availability_of(const world *self) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  CHECK_OK(gkit_source_get_info(self->source, &info));
  return info.availability;
}

static bool has_value(const world *self) {
  return sim_value(self->source, "acceleration").status == GKIT_SAMPLE_OK;
}

static bool is_gone(const world *self) {
  return availability_of(self) == GKIT_AVAILABILITY_UNAVAILABLE && !has_value(self);
}

static bool is_back(const world *self) {
  return availability_of(self) == GKIT_AVAILABILITY_AVAILABLE && has_value(self);
}

/* Dispatches until something holds. */
static bool wait_until(world *self, bool (*holds)(const world *)) {
  for (int64_t spent = 0; spent < PATIENCE && !holds(self); spent += 50 * MILLISECOND)
    gkit_context_dispatch(self->context, 50 * MILLISECOND);
  return holds(self);
}

/* L10: a server that goes away takes values with it, not the session; with it they come back. */
static void stream_from(world *self) {
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  gkit_reader *reader = NULL;
  gkit_frame *frame = NULL;
  gkit_column column;
  char id[64];
  snprintf(id, sizeof id, "accelerometer|bmi160@127.0.0.1:%d", self->server.port);
  CHECK_OK(gkit_source_get_info(self->source, &info));
  CHECK_TEXT(info.id, id);
  CHECK_OK(gkit_reader_new(self->context, NULL, &reader));
  CHECK_OK(gkit_reader_add(reader, self->source));
  CHECK_OK(gkit_source_start(self->source, 10 * MILLISECOND));
  CHECK(wait_until(self, is_back));
  for (int i = 0; i < 20; i++)
    gkit_context_dispatch(self->context, 50 * MILLISECOND);
  if (CHECK_OK(gkit_reader_next_frame(reader, self->source, PATIENCE, &frame)) &&
      CHECK_OK(gkit_frame_column(frame, self->acceleration, &column)) && CHECK(column.rows > 1)) {
    const double *last = (const double *)((const char *)column.data + column.stride);
    CHECK_NEAR(last[2], 10);
    CHECK_NEAR(last[0], -last[1]);
  }
  gkit_release(frame);
  stop(&self->server);
  CHECK(wait_until(self, is_gone));
  CHECK_OK(gkit_source_get_info(self->source, &info));
  CHECK(info.reason_text != NULL && *info.reason_text != 0);
  CHECK(gkit_source_is_updating(self->source, NULL));
  if (start(&self->server)) {
    CHECK(wait_until(self, is_back));
    CHECK_NEAR(sim_value(self->source, "acceleration").value.as.vector[2], 10);
  }
  gkit_release(reader);
}

static void a_server(void) {
  world world;
  gkit_source *elsewhere = NULL;
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  char uri[64];
  if (access(SERVER, X_OK) != 0 || access(PRETENDER, X_OK) != 0)
    return;
  memset(&world, 0, sizeof world);
  world.server.port = free_port();
  snprintf(world.server.devices, sizeof world.server.devices, "/tmp/gatheredkit-%d", (int)getpid());
  snprintf(uri, sizeof uri, "ip:127.0.0.1:%d", world.server.port);
  options.mode = GKIT_MODE_HOST;
  if (describe(world.server.devices) && start(&world.server) &&
      CHECK_OK(gkit_context_open(uri, &options, &world.context)) &&
      CHECK_OK(gkit_source_open(world.context, "accelerometer|bmi160", &world.source))) {
    world.acceleration = sim_property(world.source, "acceleration");
    CHECK_STATUS(gkit_source_open(world.context, "accelerometer|bmi160@elsewhere", &elsewhere),
                 GKIT_ERROR_NOT_FOUND);
    stream_from(&world);
  }
  stop(&world.server);
  gkit_release(world.source);
  gkit_release(world.context);
  unlink(world.server.devices);
}

/* E3: a host that refuses is an availability with a remedy; nothing fails to open. */
static void nobody_there(void) {
  gkit_context *context = NULL;
  gkit_source *source = NULL;
  gkit_dict *list = NULL;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  char uri[64];
  snprintf(uri, sizeof uri, "ip:127.0.0.1:%d", free_port());
  CHECK(gkit_has_feature("ip"));
  CHECK_OK(gkit_context_open(uri, NULL, &context));
  CHECK_OK(gkit_source_list(context, NULL, &list));
  CHECK_INT(gkit_dict_count(list), 0);
  CHECK_OK(gkit_source_open(context, "accelerometer", &source));
  CHECK_OK(gkit_source_get_info(source, &info));
  CHECK_INT(info.reason, GKIT_REASON_SERVICE_NOT_RUNNING);
  CHECK(info.remedy != NULL && *info.remedy != 0);
  CHECK_STATUS(gkit_source_start(source, 0), GKIT_ERROR_UNAVAILABLE);
  gkit_release(list);
  gkit_release(source);
  gkit_release(context);
}

int main(void) {
  RUN(nobody_there);
  RUN(a_server);
  return check_report();
}
