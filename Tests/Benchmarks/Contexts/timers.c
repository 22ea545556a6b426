#include "timers.h"
#include "measure.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;

/** Moves the first moment of a heap to where it belongs. */
static void sink(int64_t *heap, int count) {
  for (int place = 0, child; (child = 2 * place + 1) < count; place = child) {
    if (child + 1 < count && heap[child + 1] < heap[child])
      child++;
    if (heap[place] <= heap[child])
      return;
    int64_t moment = heap[place];
    heap[place] = heap[child];
    heap[child] = moment;
  }
}

static int64_t boot_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * second + time.tv_nsec;
}

static void arm(int timer, int64_t moment) {
  struct itimerspec due = {{0, 0}, {moment / second, moment % second}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &due, NULL);
}

double share_of_timers(int count, int seconds) {
  int timer = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK), poll = epoll_create1(0);
  struct epoll_event interest = {.events = EPOLLIN}, ready;
  epoll_ctl(poll, EPOLL_CTL_ADD, timer, &interest);
  int64_t *heap = malloc((size_t)count * sizeof *heap), begin = boot_now();
  if (heap == NULL)
    give_up("timers", "no memory");
  // Ascending moments are a heap already.
  for (int i = 0; i < count; i++)
    heap[i] = begin + second * (i + 1) / count;
  double cpu = cpu_ns(), start = now_ns();
  while (boot_now() < begin + seconds * second) {
    uint64_t expirations;
    arm(timer, heap[0]);
    if (epoll_wait(poll, &ready, 1, -1) > 0 && read(timer, &expirations, sizeof expirations) < 0)
      continue;
    for (int64_t now = boot_now(); heap[0] <= now; sink(heap, count))
      heap[0] += second;
  }
  double share = 100 * (cpu_ns() - cpu) / (now_ns() - start);
  free(heap);
  close(timer);
  close(poll);
  return share;
}

double cost_of_ticks(int seconds, void (*work)(void *data), void *data) {
  int timer = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK), poll = epoll_create1(0);
  struct epoll_event interest = {.events = EPOLLIN | EPOLLET}, ready;
  epoll_ctl(poll, EPOLL_CTL_ADD, timer, &interest);
  int64_t begin = boot_now();
  double cpu = cpu_ns();
  for (int tick = 1; tick <= seconds; tick++) {
    arm(timer, begin + tick * second);
    epoll_wait(poll, &ready, 1, -1);
    work(data);
  }
  double spent = cpu_ns() - cpu;
  close(timer);
  close(poll);
  return spent / seconds;
}
