#ifndef CLINUX_BUS_H
#define CLINUX_BUS_H

#include <stddef.h>
#include <stdint.h>

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

#endif
