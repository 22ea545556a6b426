/* What a publisher tells Home Assistant (fleet F51, F55), by a real broker and another client of
 * it. Without those programs only what needs no broker is tested. */
#define _GNU_SOURCE
#include "check.h"
#include "loopback.h"
#include "keep.h"
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

#define BROKER "/usr/sbin/mosquitto"
#define LISTENER "/usr/bin/mosquitto_sub"

extern char **environ;

static int port;
static pid_t process;

static bool answers(void) {
  int client = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = loopback(port);
  bool is_there = connect(client, (struct sockaddr *)&address, sizeof address) == 0;
  close(client);
  return is_there;
}

/* Starts a broker that takes every client on this machine, and waits until it answers. */
static bool start(void) {
  char number[16];
  const struct timespec pause = {0, 50 * MILLISECOND};
  port = free_port();
  snprintf(number, sizeof number, "%d", port);
  char *words[] = {BROKER, "-p", number, NULL};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
  int failure = posix_spawn(&process, BROKER, &quiet, NULL, words, environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (!CHECK_INT(failure, 0))
    return false;
  for (int64_t spent = 0; spent < PATIENCE && !answers(); spent += 50 * MILLISECOND)
    nanosleep(&pause, NULL);
  return CHECK(answers());
}

static void stop(void) {
  kill(process, SIGTERM);
  waitpid(process, NULL, 0);
}

/* What the broker keeps below a filter: a line each of topic and payload. Yours. */
static char *kept(const char *filter) {
  char command[200];
  size_t size = 0, room = 1 << 20;
  char *text = calloc(1, room + 1);
  snprintf(command, sizeof command,
           LISTENER " -h 127.0.0.1 -p %d -t '%s' -F '%%t %%p' --retained-only -W 2 2>/dev/null",
           port, filter);
  FILE *pipe = popen(command, "r");
  if (CHECK(text != NULL && pipe != NULL)) {
    while (size < room && !feof(pipe))
      size += fread(text + size, 1, room - size, pipe);
    pclose(pipe);
  }
  return text;
}

/* Publishes the memory of a machine until the broker has all of it. */
static void publish(const char *options) {
  sim sim;
  gkit_sink *sink = NULL;
  char uri[64];
  snprintf(uri, sizeof uri, "mqtt:127.0.0.1:%d", port);
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_dict *members = keep_dict(options);
  gkit_source *source = sim_source(&sim, "memory|machine");
  if (CHECK_OK(gkit_sink_open(sim.context, "mqtt", uri, members, &sink))) {
    CHECK_OK(gkit_sink_add_source(sink, source));
    CHECK_OK(gkit_source_start(source, SECOND));
    CHECK_OK(gkit_sink_flush(sink, PATIENCE));
    CHECK_OK(gkit_sink_close(sink));
  }
  gkit_release(sink);
  gkit_release(members);
  gkit_release(source);
  sim_close(&sim);
}

/* F51: nothing is told unless a prefix is given; then a message a kind, below that. */
static void discovery(void) {
  if (access(BROKER, X_OK) != 0 || access(LISTENER, X_OK) != 0) {
    printf("skipped discovery: mosquitto or mosquitto_sub is not installed\n");
    return;
  }
  if (start()) {
    publish("{\"device\":\"pi\"}");
    publish("{\"device\":\"pc\",\"discovery\":\"\"}");
    char *all = kept("#");
    CHECK(strstr(all, "gathered/v1/pi/memory/machine/state ") != NULL);
    CHECK(strstr(all, "gathered/v1/pc/memory/machine/state ") != NULL);
    CHECK(strstr(all, "/config ") == NULL);
    free(all);
    publish("{\"device\":\"pi\",\"discovery\":\"home/ha\"}");
    char *told = kept("home/ha/#");
    CHECK_BEGINS(told, "home/ha/device/gathered_pi_memory/config {");
    CHECK(strstr(told, "\"gathered_pi_memory_machine_free\"") != NULL);
    CHECK(strstr(told, "\"gathered/v1/pi/memory/machine/state\"") != NULL);
    CHECK(strchr(told, '\n') == strrchr(told, '\n'));
    free(told);
  }
  stop();
}

/* Prefixes that are none. */
static void refused(void) {
  static const char *const wrong[] = {
      "{\"discovery\":\"a#b\"}", "{\"discovery\":\"a+\"}", "{\"discovery\":\"a//b\"}",
      "{\"discovery\":\"/\"}",   "{\"discovery\":7}",
  };
  sim sim;
  gkit_sink *sink = NULL;
  if (!sim_open(&sim, MEMORY))
    return;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    gkit_dict *options = keep_dict(wrong[i]);
    CHECK_INVALID(gkit_sink_open(sim.context, "mqtt", "mqtt:127.0.0.1:1", options, &sink));
    gkit_release(options);
  }
  CHECK(sink == NULL);
  sim_close(&sim);
}

int main(void) {
  RUN(refused);
  RUN(discovery);
  return check_report();
}
