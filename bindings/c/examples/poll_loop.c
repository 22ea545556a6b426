/* Prints the free memory from a program's own poll(2) loop: no callback leaves this thread.
 *
 *   cc -std=c99 poll_loop.c $(pkg-config --cflags --libs gatheredkit) -o poll_loop
 *   ./poll_loop [URI [UPDATES]]          until Ctrl-C, or so many updates
 */
#define _POSIX_C_SOURCE 200809L
#include <gatheredkit.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A signal handler may only write(2): the loop reads the other end. */
static int stop_pipe[2];

static void on_signal(int number) {
  int kept = errno;
  char byte = (char)number;
  if (write(stop_pipe[1], &byte, 1) < 0) {
    /* The pipe is full: the loop is being stopped already. */
  }
  errno = kept;
}

static void on_update(gkit_source *source, const gkit_sample *samples, size_t count,
                      void *user_data) {
  long *left = (long *)user_data;
  int32_t wanted = gkit_source_find_property(source, "available");
  for (size_t i = 0; i < count; i++) {
    char text[64];
    if (wanted < 0 || samples[i].property != (uint32_t)wanted)
      continue;
    if (samples[i].status == GKIT_SAMPLE_OK)
      gkit_value_format(&samples[i].value, "By", text, sizeof text);
    else
      snprintf(text, sizeof text, "no value");
    printf("available: %s\n", text);
  }
  fflush(stdout);
  if (*left > 0 && --*left == 0)
    on_signal(0);
}

static int loop(gkit_context *context) {
  struct pollfd fds[2];
  fds[0].fd = gkit_context_fd(context);
  fds[0].events = POLLIN;
  fds[1].fd = stop_pipe[0];
  fds[1].events = POLLIN;
  if (fds[0].fd < 0)
    return -1;
  for (;;) {
    if (poll(fds, 2, -1) < 0) {
      if (errno == EINTR)
        continue;
      perror("poll");
      return -1;
    }
    if (fds[1].revents != 0)
      return 0;
    if (fds[0].revents != 0 && gkit_context_dispatch(context, 0) < 0)
      return -1;
  }
}

int main(int argc, char **argv) {
  gkit_context *context = NULL;
  gkit_source *memory = NULL;
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  long left = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  int result = 0;

  if (pipe(stop_pipe) < 0 || sigaction(SIGINT, &action, NULL) < 0 ||
      sigaction(SIGTERM, &action, NULL) < 0) {
    perror("poll_loop");
    return 1;
  }
  options.mode = GKIT_MODE_HOST;
  if (gkit_context_open(argc > 1 ? argv[1] : NULL, &options, &context) < 0 ||
      gkit_source_open(context, "memory", &memory) < 0 ||
      gkit_source_start_and_listen(memory, INT64_C(1000000000), on_update, &left, NULL, NULL) < 0 ||
      loop(context) < 0) {
    fprintf(stderr, "%s\n", gkit_last_error()->message);
    result = 1;
  }
  gkit_release(memory);
  gkit_context_close(context);
  gkit_release(context);
  return result;
}
