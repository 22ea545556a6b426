#define _GNU_SOURCE
#include "CLinux.h"
#include "bind.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/input.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int clinux_switches_on(int descriptor, uint64_t *mask) {
  unsigned char bits[8] = {0};
  if (ioctl(descriptor, EVIOCGSW(sizeof bits), bits) < 0) {
    return -errno;
  }
  /* The kernel's bitmap is an array of unsigned long, of which the first one or two are wanted. */
  unsigned long words[sizeof bits / sizeof(unsigned long)];
  memcpy(words, bits, sizeof bits);
  *mask = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    *mask |= (uint64_t)words[i] << (i * 8 * sizeof *words);
  }
  return 0;
}

int clinux_stamp_with_boot_time(int descriptor) {
  int clock = CLOCK_BOOTTIME;
  return ioctl(descriptor, EVIOCSCLOCKID, &clock) < 0 ? -errno : 0;
}

int clinux_drain_switch_events(int descriptor, int64_t *moment) {
  struct input_event events[32];
  int answer = CLINUX_SWITCH_NONE;
  for (;;) {
    ssize_t length = read(descriptor, events, sizeof events);
    if (length < 0 && errno == EINTR) {
      continue;
    }
    if (length < 0) {
      return errno == EAGAIN ? answer : -errno;
    }
    if (length == 0) {
      return -ENODEV;
    }
    for (size_t i = 0; i < (size_t)length / sizeof *events; i++) {
      const struct input_event *event = &events[i];
      bool lost = event->type == EV_SYN && event->code == SYN_DROPPED;
      if (event->type == EV_SW || lost) {
        answer = CLINUX_SWITCH_MOVED;
        *moment =
            (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000;
      }
    }
  }
}

int clinux_network_notices_open(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (fd < 0) {
    return -errno;
  }
  struct sockaddr_nl address = {
      .nl_family = AF_NETLINK,
      .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR,
  };
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

int clinux_network_notices_drain(int socket) {
  /* What a message says is read elsewhere; longer ones are cut, which takes them all the same. */
  union {
    struct nlmsghdr header;
    char bytes[64];
  } message;
  int answer = CLINUX_NETWORK_QUIET;
  for (;;) {
    ssize_t length = recv(socket, &message, sizeof message, 0);
    if (length < 0 && errno == EINTR) {
      continue;
    }
    if (length < 0 && errno != ENOBUFS) {
      return errno == EAGAIN ? answer : -errno;
    }
    /* Among messages that were lost there may have been anything. */
    bool is_removal = length < 0 || ((size_t)length >= sizeof message.header &&
                                     message.header.nlmsg_type == RTM_DELLINK);
    if (is_removal) {
      answer = CLINUX_NETWORK_LINK_GOING;
    } else if (answer == CLINUX_NETWORK_QUIET) {
      answer = CLINUX_NETWORK_CHANGED;
    }
  }
}

const char *clinux_udev_bind(clinux_udev *table, void *library) {
  const clinux_wanted wanted[] = {
      {&table->new_context, "udev_new"},
      {&table->unref_context, "udev_unref"},
      {&table->monitor_new_from_netlink, "udev_monitor_new_from_netlink"},
      {&table->monitor_unref, "udev_monitor_unref"},
      {&table->monitor_enable_receiving, "udev_monitor_enable_receiving"},
      {&table->monitor_get_fd, "udev_monitor_get_fd"},
      {&table->monitor_receive_device, "udev_monitor_receive_device"},
      {&table->monitor_filter_add_subsystem, "udev_monitor_filter_add_match_subsystem_devtype"},
      {&table->monitor_filter_update, "udev_monitor_filter_update"},
      {&table->monitor_filter_remove, "udev_monitor_filter_remove"},
      {&table->device_unref, "udev_device_unref"},
      {&table->device_action, "udev_device_get_action"},
      {&table->device_subsystem, "udev_device_get_subsystem"},
      {&table->device_path, "udev_device_get_devpath"},
  };
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}
