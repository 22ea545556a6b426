#include "CLinux.h"
#include "bind.h"

const char *clinux_bus_bind(clinux_bus *table, void *library) {
#define WANTED(name)                                                                               \
  { &table->name, "sd_bus_" #name }
  const clinux_wanted wanted[] = {
      {&table->create, "sd_bus_new"},
      WANTED(set_address),
      WANTED(set_bus_client),
      WANTED(start),
      WANTED(get_fd),
      WANTED(get_events),
      WANTED(get_timeout),
      WANTED(process),
      WANTED(send),
      WANTED(close),
      WANTED(unref),
      WANTED(message_new_method_call),
      WANTED(message_set_auto_start),
      WANTED(message_append_basic),
      WANTED(message_append_array),
      WANTED(message_open_container),
      WANTED(message_close_container),
      WANTED(message_peek_type),
      WANTED(message_enter_container),
      WANTED(message_exit_container),
      WANTED(message_read_basic),
      WANTED(message_read_array),
      WANTED(message_get_type),
      WANTED(message_get_reply_cookie),
      WANTED(message_get_error),
      WANTED(message_get_sender),
      WANTED(message_get_path),
      WANTED(message_get_interface),
      WANTED(message_get_member),
      WANTED(message_unref),
  };
#undef WANTED
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}
