#include "CLinux.h"
#include "imports.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

static __thread clinux_bounds bounds = {INT64_MAX, PTRDIFF_MAX};

clinux_bounds clinux_bound(clinux_bounds new) {
  clinux_bounds old = bounds;
  bounds = new;
  return old;
}

/* Milliseconds until the thread's moment, rounded up; at most `most`, which may be -1. */
static int time_left(int most) {
  if (bounds.moment == INT64_MAX) {
    return most;
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t left = bounds.moment - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
  left = left <= 0 ? 0 : (left - 1) / 1000000 + 1;
  return most >= 0 && most < left ? most : left > INT_MAX ? INT_MAX : (int)left;
}

static int bounded_poll(struct pollfd *polled, nfds_t count, int timeout) {
  int left = time_left(timeout);
  int ready = poll(polled, count, left);
  if (ready == 0 && left != timeout) {
    errno = ETIMEDOUT;
    return -1;
  }
  return ready;
}

static ssize_t bounded_recv(int socket, void *buffer, size_t size, int flags) {
  if (bounds.bytes == 0) {
    errno = EMSGSIZE;
    return -1;
  }
  /* The socket's own time-out, which may be later, holds for each part anew. */
  struct pollfd polled = {socket, POLLIN, 0};
  int left = time_left(-1);
  if (left >= 0 && !(flags & MSG_DONTWAIT) && poll(&polled, 1, left) == 0) {
    errno = ETIMEDOUT;
    return -1;
  }
  ssize_t count = recv(socket, buffer, size < bounds.bytes ? size : bounds.bytes, flags);
  /* What is only looked at comes again. */
  if (count > 0 && !(flags & MSG_PEEK) && bounds.bytes != PTRDIFF_MAX) {
    bounds.bytes -= (size_t)count;
  }
  return count;
}

bool clinux_bound_library(void *library) {
  return clinux_replace_import(library, "recv", (void *)recv, (void *)bounded_recv) &&
         clinux_replace_import(library, "poll", (void *)poll, (void *)bounded_poll);
}
