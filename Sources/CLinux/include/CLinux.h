/* What Swift cannot import from Glibc, and why. Every name begins with clinux_. */
#ifndef CLINUX_H
#define CLINUX_H

#include <dirent.h>
#include <iio.h>
#include <libudev.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broker.h"
#include "bus.h"
#include "columns.h"
#include "database.h"
#include "display.h"
#include "gzip.h"
#include "locks.h"
#include "netlink.h"
#include "nvml.h"
#include "secrets.h"
#include "sound.h"

/* -- epoll, timerfd, eventfd: Swift's Glibc module leaves their headers out, and epoll_event is a
      packed union. Failures are returned as negative errno. */

/* One descriptor that became ready. */
typedef struct {
  uint64_t token;
  uint32_t events;
} clinux_ready;

#define CLINUX_READABLE 0x001U   /* EPOLLIN */
#define CLINUX_PRIORITY 0x002U   /* EPOLLPRI */
#define CLINUX_FAILED 0x008U     /* EPOLLERR */
#define CLINUX_HUNG_UP 0x010U    /* EPOLLHUP */
#define CLINUX_EDGES 0x80000000U /* EPOLLET */
#define CLINUX_ONE 0x10000000U   /* EPOLLEXCLUSIVE: of several epolls that wait, one is woken */

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int descriptor);
/* Waits without limit (timeout -1) or not at all (0); an interrupted wait gives 0. */
int clinux_epoll_wait(int epoll, clinux_ready *ready, int capacity, int timeout);

/* A timer on CLOCK_BOOTTIME, which goes on during suspend. */
int clinux_boot_timer_create(void);
/* Sets the one moment it fires at, in nanoseconds; a moment in the past fires at once. */
int clinux_boot_timer_set(int timer, int64_t moment);
int clinux_boot_timer_clear(int timer);

int clinux_eventfd_create(void);

/* -- files: pread(2) that is no point of cancellation, which costs two locked instructions in a
      process with threads. The number of bytes, or -1 with errno. */
ptrdiff_t clinux_pread(int descriptor, void *bytes, size_t count, int64_t offset);

/* -- threads: pthread_setname_np is a GNU extension that Glibc's module hides. Names the calling
      thread; longer names are cut to the 15 bytes Linux keeps. */
void clinux_name_thread(const char *name);

/* A number no other living thread of the process has; never 0. */
static inline uintptr_t clinux_thread_identity(void) { return (uintptr_t)pthread_self(); }

/* Prepares the process, again after a fork, for clinux_barrier; false where the kernel has none
   (Linux 4.14, membarrier(2)). */
bool clinux_barrier_prepare(void);
/* A full memory barrier on every thread of the process that runs. */
void clinux_barrier(void);

/* How deep the calling thread is inside host callbacks: Swift has no thread-local variables. Adds
   to the depth and gives the new one. */
int clinux_callback_depth(int change);

/* The calling thread's last error: laid out as gkit_error, which must outlive the call that set it
   and belongs to one thread. */
typedef struct {
  int32_t code;
  int32_t sys_errno;
  const char *message;
} clinux_error;
const clinux_error *clinux_last_error(void);
/* Keeps a copy of the message, cut at a whole UTF-8 character if it is too long. */
void clinux_set_last_error(int32_t code, int32_t sys_errno, const char *message, size_t length);

/* -- directories: dirent ends in a flexible name, which a Swift copy would cut or overrun. */
const char *clinux_entry_name(const struct dirent *entry);

/* -- file systems: Swift's Glibc leaves out statfs. The magic number of the one a path is on; 0 if
      that is not known. */
uint32_t clinux_file_system(const char *path);

/* -- fork: a handler may only be a C function, and must not allocate. The number of times this
      process image was forked, counted in the child. */
extern unsigned clinux_forks;
static inline unsigned clinux_fork_generation(void) {
  return __atomic_load_n(&clinux_forks, __ATOMIC_RELAXED);
}

/* -- input devices: the ioctl numbers are macros with arguments. */
int clinux_switches_on(int descriptor, uint64_t *mask);
/* Asks for events stamped on CLOCK_BOOTTIME, where the kernel can (since 4.x). */
int clinux_stamp_with_boot_time(int descriptor);

#define CLINUX_SWITCH_NONE 0
#define CLINUX_SWITCH_MOVED 1
/* Takes all queued events; whether a switch moved or events were lost. `*moment` is the time of
   the last such event in nanoseconds of the clock it is stamped on. */
int clinux_drain_switch_events(int descriptor, int64_t *moment);

/* -- rtnetlink: sockaddr_nl and the group numbers are missing from Glibc. A socket that hears of
      links and of IPv4 and IPv6 addresses. */
int clinux_network_notices_open(void);
#define CLINUX_NETWORK_QUIET 0
#define CLINUX_NETWORK_CHANGED 1
#define CLINUX_NETWORK_LINK_GOING 2
/* Takes all queued messages, and says what there was; lost ones are taken for the last. */
int clinux_network_notices_drain(int socket);

/* -- clocks: sys/timex.h and the ioctl of hardware clocks are missing from Glibc. */

/* What adjtimex(2) tells, under the kernel's names; `state` is its answer, TIME_OK and so on. */
typedef struct {
  int64_t state;
  int64_t status;
  int64_t offset;
  int64_t freq;
  int64_t maxerror;
  int64_t esterror;
  int64_t tick;
  int64_t jitter;
  int64_t tai;
} clinux_clock;

/* Reads the kernel's clock and changes nothing; 0 or a negative errno. */
int clinux_clock_read(clinux_clock *clock);
/* By how many nanoseconds the clock of an open /dev/ptp0 is ahead of the system's: of five pairs
   the tightest. 0 or a negative errno. */
int clinux_hardware_clock_offset(int descriptor, int64_t *offset);

/* -- sock_diag: whether a TCP socket listens where a connection to this address and port of this
      computer would end, by one look-up that makes no connection. 1 with its inode, 0, or a
      negative errno where the kernel does not say; the address is an in_addr or an in6_addr. */
int clinux_listener(int family, const void *address, uint16_t port, uint64_t *inode);

/* -- memory: malloc.h and link.h are missing from Glibc. Has all threads allocate in one place: a
   few that work little would each keep a place whose free memory no other can use. */
void clinux_share_one_heap(void);
/* Gives up the pages of code and constants that were touched so far. Those that are used
   again come back as they are, from the page cache. */
void clinux_give_up_clean_pages(void);

/* -- scans: records of IIO buffers to columns of doubles, by vectors of four lanes, which Swift
      only has in an optimised build. */

/* One number of a record: the word at `offset`, shifted down, cut to `bits`, sign-extended. */
typedef struct {
  uint32_t offset;
  uint8_t bytes, bits, shift;
  bool is_signed, is_big;
} clinux_scan_number;

/* The most numbers of one column's channels. */
#define CLINUX_SCAN_NUMBERS 1024

/* Rows of `width` doubles: `matrix` x the n numbers + `offset`. */
void clinux_scan_column(const void *records, size_t size, size_t count,
                        const clinux_scan_number *numbers, size_t n, const double *matrix,
                        const double *offset, size_t width, double *out);
void clinux_scan_stamps(const void *records, size_t size, size_t count,
                        const clinux_scan_number *stamp, int64_t *out);

/* -- libudev, opened at run time: the types come from its real header. */
typedef struct {
  __typeof__(udev_new) *new_context;
  __typeof__(udev_unref) *unref_context;
  __typeof__(udev_monitor_new_from_netlink) *monitor_new_from_netlink;
  __typeof__(udev_monitor_unref) *monitor_unref;
  __typeof__(udev_monitor_enable_receiving) *monitor_enable_receiving;
  __typeof__(udev_monitor_get_fd) *monitor_get_fd;
  __typeof__(udev_monitor_receive_device) *monitor_receive_device;
  __typeof__(udev_monitor_filter_add_match_subsystem_devtype) *monitor_filter_add_subsystem;
  __typeof__(udev_monitor_filter_update) *monitor_filter_update;
  __typeof__(udev_monitor_filter_remove) *monitor_filter_remove;
  __typeof__(udev_device_unref) *device_unref;
  __typeof__(udev_device_get_action) *device_action;
  __typeof__(udev_device_get_subsystem) *device_subsystem;
  __typeof__(udev_device_get_devpath) *device_path;
} clinux_udev;

/* Fills a table from an opened library; the name of the first symbol missing, or NULL. */
const char *clinux_udev_bind(clinux_udev *table, void *library);

/* -- libiio, opened at run time: the types come from its real header. */
typedef struct {
  __typeof__(iio_library_get_version) *library_get_version;
  __typeof__(iio_create_context_from_uri) *create_context_from_uri;
  __typeof__(iio_context_destroy) *context_destroy;
  __typeof__(iio_context_set_timeout) *context_set_timeout;
  __typeof__(iio_context_get_devices_count) *context_get_devices_count;
  __typeof__(iio_context_get_device) *context_get_device;
  __typeof__(iio_context_find_device) *context_find_device;
  __typeof__(iio_device_get_id) *device_get_id;
  __typeof__(iio_device_get_name) *device_get_name;
  __typeof__(iio_device_get_label) *device_get_label;
  __typeof__(iio_device_get_attrs_count) *device_get_attrs_count;
  __typeof__(iio_device_get_attr) *device_get_attr;
  __typeof__(iio_device_find_attr) *device_find_attr;
  __typeof__(iio_device_attr_read) *device_attr_read;
  __typeof__(iio_device_attr_write_raw) *device_attr_write_raw;
  __typeof__(iio_device_get_channels_count) *device_get_channels_count;
  __typeof__(iio_device_get_channel) *device_get_channel;
  __typeof__(iio_device_get_trigger) *device_get_trigger;
  __typeof__(iio_device_set_trigger) *device_set_trigger;
  __typeof__(iio_device_is_trigger) *device_is_trigger;
  __typeof__(iio_device_set_kernel_buffers_count) *device_set_kernel_buffers_count;
  __typeof__(iio_device_create_buffer) *device_create_buffer;
  __typeof__(iio_channel_get_id) *channel_get_id;
  __typeof__(iio_channel_get_name) *channel_get_name;
  __typeof__(iio_channel_get_index) *channel_get_index;
  __typeof__(iio_channel_is_output) *channel_is_output;
  __typeof__(iio_channel_is_scan_element) *channel_is_scan_element;
  __typeof__(iio_channel_is_enabled) *channel_is_enabled;
  __typeof__(iio_channel_enable) *channel_enable;
  __typeof__(iio_channel_disable) *channel_disable;
  __typeof__(iio_channel_get_data_format) *channel_get_data_format;
  __typeof__(iio_channel_get_attrs_count) *channel_get_attrs_count;
  __typeof__(iio_channel_get_attr) *channel_get_attr;
  __typeof__(iio_channel_find_attr) *channel_find_attr;
  __typeof__(iio_channel_attr_get_filename) *channel_attr_get_filename;
  __typeof__(iio_channel_attr_read) *channel_attr_read;
  __typeof__(iio_channel_attr_write_raw) *channel_attr_write_raw;
  __typeof__(iio_buffer_set_blocking_mode) *buffer_set_blocking_mode;
  __typeof__(iio_buffer_get_poll_fd) *buffer_get_poll_fd;
  __typeof__(iio_buffer_refill) *buffer_refill;
  __typeof__(iio_buffer_cancel) *buffer_cancel;
  __typeof__(iio_buffer_destroy) *buffer_destroy;
  __typeof__(iio_buffer_start) *buffer_start;
  __typeof__(iio_buffer_first) *buffer_first;
  __typeof__(iio_buffer_end) *buffer_end;
  __typeof__(iio_buffer_step) *buffer_step;
} clinux_iio;

/* Fills a table from an opened library; the name of the first symbol missing, or NULL. */
const char *clinux_iio_bind(clinux_iio *table, void *library);
/* Makes a library write nowhere what it would write to standard error; the process's own stays.
   To be called once a library, before it is used. */
void clinux_silence(void *library);

/* -- bounds: libiio waits for each part of an answer anew, and takes an answer of any length. What
      a library that is bound takes from sockets ends at a moment and after so many bytes. */
typedef struct {
  /* On CLOCK_MONOTONIC in nanoseconds, INT64_MAX for none; then ETIMEDOUT. */
  int64_t moment;
  /* How many may still come, PTRDIFF_MAX for any; then EMSGSIZE. */
  size_t bytes;
} clinux_bounds;

/* Sets the bounds of the calling thread; those before. */
clinux_bounds clinux_bound(clinux_bounds new);
/* Binds a library, before it is used; whether it could be. */
bool clinux_bound_library(void *library);

/* -- libxml2, which libiio brings: whether what it says of what it parses goes nowhere, for the
      calling thread alone; otherwise to standard error. */
void clinux_silence_xml(void *library, bool is_silent);

/* -- See unicode.c: what the linker puts in the place of what reads tables of Unicode. */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);
const char *__wrap__swift_stdlib_getNameAlias(uint32_t scalar);
uint16_t __wrap__swift_stdlib_getAge(uint32_t scalar);
uint8_t __wrap__swift_stdlib_getGeneralCategory(uint32_t scalar);
double __wrap__swift_stdlib_getNumericValue(uint32_t scalar);
void __wrap__swift_stdlib_getCaseMapping(uint32_t scalar, uint32_t *folded);
uint8_t __wrap__swift_stdlib_getScript(uint32_t scalar);
const uint8_t *__wrap__swift_stdlib_getScriptExtensions(uint32_t scalar, uint8_t *count);
uint8_t __wrap__swift_stdlib_getWordBreakProperty(uint32_t scalar);

#endif
