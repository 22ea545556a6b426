#include "CLinux.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SAME(ours, theirs) _Static_assert((ours) == (uint32_t)(theirs), #theirs)
SAME(CLINUX_READABLE, EPOLLIN);
SAME(CLINUX_PRIORITY, EPOLLPRI);
SAME(CLINUX_FAILED, EPOLLERR);
SAME(CLINUX_HUNG_UP, EPOLLHUP);
SAME(CLINUX_EDGES, EPOLLET);
SAME(CLINUX_ONE, EPOLLEXCLUSIVE);

static int answer(int result) { return result < 0 ? -errno : result; }

int clinux_epoll_create(void) { return answer(epoll_create1(EPOLL_CLOEXEC)); }

int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return answer(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event));
}

int clinux_epoll_remove(int epoll, int descriptor) {
  return answer(epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL));
}

int clinux_epoll_wait(int epoll, clinux_ready *ready, int capacity, int timeout) {
  struct epoll_event events[64];
  int limit = capacity < 64 ? capacity : 64;
  int count = epoll_wait(epoll, events, limit, timeout);
  if (count < 0) {
    return errno == EINTR ? 0 : -errno;
  }
  for (int i = 0; i < count; i++) {
    ready[i].token = events[i].data.u64;
    ready[i].events = events[i].events;
  }
  return count;
}

int clinux_boot_timer_create(void) {
  return answer(timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC));
}

int clinux_boot_timer_set(int timer, int64_t moment) {
  /* Zero would switch the timer off. */
  int64_t safe = moment < 1 ? 1 : moment;
  struct itimerspec when = {
      .it_value = {.tv_sec = safe / 1000000000, .tv_nsec = safe % 1000000000}};
  return answer(timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL));
}

int clinux_boot_timer_clear(int timer) {
  struct itimerspec never;
  memset(&never, 0, sizeof never);
  return answer(timerfd_settime(timer, 0, &never, NULL));
}

int clinux_eventfd_create(void) { return answer(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

const char *clinux_entry_name(const struct dirent *entry) { return entry->d_name; }

uint32_t clinux_file_system(const char *path) {
  struct statfs found;
  return statfs(path, &found) ? 0 : (uint32_t)found.f_type;
}

ptrdiff_t clinux_pread(int descriptor, void *bytes, size_t count, int64_t offset) {
#if __SIZEOF_LONG__ == 8
  return syscall(SYS_pread64, descriptor, bytes, count, offset);
#else
  return pread64(descriptor, bytes, count, offset);
#endif
}
