#include "CLinux.h"

#include <errno.h>
#include <linux/ptp_clock.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timex.h>

int clinux_clock_read(clinux_clock *clock) {
  struct timex state;
  memset(&state, 0, sizeof state);
  int answer = adjtimex(&state);
  if (answer < 0) {
    return -errno;
  }
  *clock = (clinux_clock){
      .state = answer,
      .status = state.status,
      .offset = state.offset,
      .freq = state.freq,
      .maxerror = state.maxerror,
      .esterror = state.esterror,
      .tick = state.tick,
      .jitter = state.jitter,
      .tai = state.tai,
  };
  return 0;
}

static int64_t nanoseconds(struct ptp_clock_time time) {
  return (int64_t)((uint64_t)time.sec * 1000000000U + time.nsec);
}

int clinux_hardware_clock_offset(int descriptor, int64_t *offset) {
  struct ptp_sys_offset pairs;
  memset(&pairs, 0, sizeof pairs);
  pairs.n_samples = 5;
  if (ioctl(descriptor, PTP_SYS_OFFSET, &pairs) < 0) {
    return -errno;
  }
  int64_t least = INT64_MAX;
  for (unsigned i = 0; i < 5; i++) {
    /* The system's clock is read before and after the other one. */
    int64_t before = nanoseconds(pairs.ts[2 * i]);
    int64_t after = nanoseconds(pairs.ts[2 * i + 2]);
    if (after - before < least) {
      least = after - before;
      *offset = nanoseconds(pairs.ts[2 * i + 1]) - (before + least / 2);
    }
  }
  return 0;
}
