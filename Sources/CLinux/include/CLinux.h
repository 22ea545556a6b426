/* What Swift cannot import from Glibc, and why. Every name begins with clinux_. */
#ifndef CLINUX_H
#define CLINUX_H

#include <dirent.h>
#include <iio.h>
#include <libudev.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/nl80211.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "display.h"
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

/* -- threads: pthread_setname_np is a GNU extension that Glibc's module hides. Names the calling
      thread; longer names are cut to the 15 bytes Linux keeps. */
void clinux_name_thread(const char *name);

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

/* -- fork: a handler may only be a C function, and must not allocate. The number of times this
      process image was forked since the first call, counted in the child. */
unsigned clinux_fork_generation(void);

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

/* -- sd-bus, opened at run time: prototypes of our own, so that building needs no header of it. */
typedef struct clinux_sd_bus clinux_sd_bus;
typedef struct clinux_sd_message clinux_sd_message;
/* What an answer says that is an error: sd_bus_error. */
typedef struct {
  const char *name;
  const char *message;
  int needs_free;
} clinux_sd_error;

#define CLINUX_BUS_CALL 1
#define CLINUX_BUS_ANSWER 2
#define CLINUX_BUS_ERROR 3
#define CLINUX_BUS_SIGNAL 4

typedef struct {
  int (*create)(clinux_sd_bus **bus);
  int (*set_address)(clinux_sd_bus *bus, const char *address);
  int (*set_bus_client)(clinux_sd_bus *bus, int flag);
  int (*start)(clinux_sd_bus *bus);
  int (*get_fd)(clinux_sd_bus *bus);
  int (*get_events)(clinux_sd_bus *bus);
  /* The moment on CLOCK_MONOTONIC, in microseconds, it wants to be processed at. */
  int (*get_timeout)(clinux_sd_bus *bus, uint64_t *moment);
  int (*process)(clinux_sd_bus *bus, clinux_sd_message **message);
  int (*send)(clinux_sd_bus *bus, clinux_sd_message *message, uint64_t *cookie);
  void (*close)(clinux_sd_bus *bus);
  clinux_sd_bus *(*unref)(clinux_sd_bus *bus);
  int (*message_new_method_call)(clinux_sd_bus *bus, clinux_sd_message **message,
                                 const char *destination, const char *path, const char *interface,
                                 const char *member);
  int (*message_set_auto_start)(clinux_sd_message *message, int flag);
  int (*message_append_basic)(clinux_sd_message *message, char type, const void *value);
  int (*message_append_array)(clinux_sd_message *message, char type, const void *data, size_t size);
  int (*message_open_container)(clinux_sd_message *message, char type, const char *contents);
  int (*message_close_container)(clinux_sd_message *message);
  int (*message_peek_type)(clinux_sd_message *message, char *type, const char **contents);
  int (*message_enter_container)(clinux_sd_message *message, char type, const char *contents);
  int (*message_exit_container)(clinux_sd_message *message);
  int (*message_read_basic)(clinux_sd_message *message, char type, void *value);
  int (*message_read_array)(clinux_sd_message *message, char type, const void **data, size_t *size);
  int (*message_get_type)(clinux_sd_message *message, uint8_t *type);
  int (*message_get_reply_cookie)(clinux_sd_message *message, uint64_t *cookie);
  const clinux_sd_error *(*message_get_error)(clinux_sd_message *message);
  const char *(*message_get_sender)(clinux_sd_message *message);
  const char *(*message_get_path)(clinux_sd_message *message);
  const char *(*message_get_interface)(clinux_sd_message *message);
  const char *(*message_get_member)(clinux_sd_message *message);
  clinux_sd_message *(*message_unref)(clinux_sd_message *message);
} clinux_bus;

/* Fills a table from an opened library; the name of the first symbol missing, or NULL. */
const char *clinux_bus_bind(clinux_bus *table, void *library);

/* -- libnl, opened at run time, which builds and walks all netlink attributes. Its headers are not
      needed to build: the few prototypes and constants are our own declarations. */
struct nl_sock;
struct nl_cb;
struct nl_msg;
struct nl_cache;
struct genl_family;

#define CLINUX_NL_CB_VALID 0      /* the kinds of callback (enum nl_cb_type) */
#define CLINUX_NL_CB_FINISH 1     /* the end of a list */
#define CLINUX_NL_CB_ACK 4        /* the end of what is no list */
#define CLINUX_NL_CB_DUMP_INTR 10 /* a list that changed while it was told */
#define CLINUX_NL_CB_DEFAULT 0    /* who answers (enum nl_cb_kind) */
#define CLINUX_NL_CB_CUSTOM 3
#define CLINUX_NL_OK 0 /* what a callback returns (enum nl_cb_action) */
#define CLINUX_NL_STOP 2
#define CLINUX_NLE_AGAIN 4 /* error codes, returned negative */
#define CLINUX_NLE_NOMEM 5
#define CLINUX_NLE_OBJ_NOTFOUND 12
#define CLINUX_NLE_PROTO_MISMATCH 26

typedef int clinux_nl_answer(struct nl_msg *message, void *argument);
typedef int clinux_nl_failure(struct sockaddr_nl *from, struct nlmsgerr *error, void *argument);

typedef struct {
  int version[3];
  const char *(*geterror)(int error);
  struct nl_cb *(*cb_alloc)(int kind);
  int (*cb_set)(struct nl_cb *, int type, int kind, clinux_nl_answer *, void *argument);
  int (*cb_err)(struct nl_cb *, int kind, clinux_nl_failure *, void *argument);
  void (*cb_put)(struct nl_cb *);
  struct nl_sock *(*socket_alloc)(void);
  void (*socket_free)(struct nl_sock *);
  int (*socket_get_fd)(const struct nl_sock *);
  int (*socket_set_nonblocking)(const struct nl_sock *);
  int (*socket_add_membership)(struct nl_sock *, int group);
  int (*send_auto)(struct nl_sock *, struct nl_msg *);
  int (*recvmsgs)(struct nl_sock *, struct nl_cb *);
  struct nl_msg *(*msg_alloc)(void);
  void (*msg_free)(struct nl_msg *);
  struct nlmsghdr *(*msg_hdr)(struct nl_msg *);
  void *(*msg_data)(const struct nlmsghdr *);
  int (*msg_datalen)(const struct nlmsghdr *);
  int (*attr_put_u32)(struct nl_msg *, int type, uint32_t value);
  struct nlattr *(*attr_find)(const struct nlattr *first, int length, int type);
  void *(*attr_data)(const struct nlattr *);
  int (*attr_len)(const struct nlattr *);
  void (*cache_free)(struct nl_cache *);
  int (*genl_connect)(struct nl_sock *);
  int (*genl_ctrl_alloc_cache)(struct nl_sock *, struct nl_cache **);
  struct genl_family *(*genl_ctrl_search_by_name)(struct nl_cache *, const char *name);
  unsigned (*genl_family_get_id)(struct genl_family *);
  void (*genl_family_put)(struct genl_family *);
  int (*genl_ctrl_resolve_grp)(struct nl_sock *, const char *family, const char *group);
  void *(*genlmsg_put)(struct nl_msg *, uint32_t port, uint32_t sequence, int family,
                       int header_length, int flags, uint8_t command, uint8_t version);
  struct genlmsghdr *(*genlmsg_hdr)(struct nlmsghdr *);
  int (*genlmsg_valid_hdr)(struct nlmsghdr *, int header_length);
  struct nlattr *(*genlmsg_attrdata)(const struct genlmsghdr *, int header_length);
  int (*genlmsg_attrlen)(const struct genlmsghdr *, int header_length);
} clinux_nl;

/* Fills a table from the opened libnl-genl-3, which brings libnl-3 with it; the name of the first
   symbol missing, or NULL. */
const char *clinux_nl_bind(clinux_nl *table, void *library);

/* -- See names.c: what the linker puts in the place of Swift's table of character names. */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity);

#endif
