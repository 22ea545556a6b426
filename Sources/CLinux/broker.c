#define _GNU_SOURCE
#include "CLinux.h"
#include "bind.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

const char *clinux_broker_bind(clinux_broker *table, void *library) {
#define WANTED(name)                                                                               \
  { &table->name, "mosquitto_" #name }
  const clinux_wanted wanted[] = {
      WANTED(lib_version),
      WANTED(lib_init),
      {&table->create, "mosquitto_new"},
      WANTED(destroy),
      WANTED(threaded_set),
      WANTED(int_option),
      WANTED(username_pw_set),
      WANTED(will_set_v5),
      WANTED(tls_set),
      WANTED(tls_opts_set),
      WANTED(connect),
      WANTED(connect_async),
      WANTED(connect_bind_v5),
      WANTED(disconnect),
      WANTED(socket),
      WANTED(want_write),
      WANTED(loop_read),
      WANTED(loop_write),
      WANTED(loop_misc),
      WANTED(publish_v5),
      WANTED(subscribe_multiple),
      WANTED(unsubscribe_multiple),
      WANTED(connect_v5_callback_set),
      WANTED(disconnect_v5_callback_set),
      WANTED(publish_v5_callback_set),
      WANTED(message_v5_callback_set),
      WANTED(subscribe_v5_callback_set),
      WANTED(unsubscribe_v5_callback_set),
      WANTED(log_callback_set),
      WANTED(pub_topic_check),
      WANTED(property_add_int32),
      WANTED(property_add_string),
      WANTED(property_read_byte),
      WANTED(property_read_int16),
      WANTED(property_read_int32),
      WANTED(property_free_all),
  };
  const clinux_wanted tls[] = {
      WANTED(ssl_get),
      {&table->ssl_is_init_finished, "SSL_is_init_finished"},
      {&table->ssl_peek, "SSL_peek"},
      {&table->ssl_pending, "SSL_pending"},
      {&table->ssl_get_error, "SSL_get_error"},
      {&table->err_get_error, "ERR_get_error"},
      {&table->err_error_string_n, "ERR_error_string_n"},
      {&table->err_clear_error, "ERR_clear_error"},
  };
  /* The last stays NULL where one is missing. */
  (void)clinux_bind(library, tls, sizeof tls / sizeof *tls);
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}

int clinux_broker_turn(int source, int number) {
  return dup3(source, number, O_CLOEXEC) < 0 ? errno : 0;
}

bool clinux_broker_sees_tls(const clinux_broker *table) { return table->err_clear_error != NULL; }

int clinux_broker_peek(const clinux_broker *table, void *ssl, void *buffer, int size) {
  enum { wants_read = 2, wants_write = 3 };
  table->err_clear_error();
  const int count = table->ssl_peek(ssl, buffer, size);
  if (count > 0) {
    return count;
  }
  const int why = table->ssl_get_error(ssl, count);
  if (why == wants_read || why == wants_write) {
    return CLINUX_TLS_WAITS;
  }
  return count == 0 ? CLINUX_TLS_ENDED : CLINUX_TLS_FAILED;
}

bool clinux_broker_tls_error(const clinux_broker *table, char *text, size_t size) {
  const unsigned long error = table->err_get_error();
  if (error != 0) {
    table->err_error_string_n(error, text, size);
  }
  return error != 0;
}

int clinux_broker_init(const clinux_broker *table) {
  /* Lent to rand(3) meanwhile; another thread that asks for a number then may still use it. */
  static char other[128];
  char *own = initstate(1, other, sizeof other);
  const int outcome = table->lib_init();
  if (own != NULL) {
    setstate(own);
  }
  return outcome;
}

clinux_mqtt *clinux_broker_create(const clinux_broker *table, const char *id, void *owner) {
  struct sigaction before, after;
  const bool is_known = sigaction(SIGPIPE, NULL, &before) == 0;
  clinux_mqtt *client = table->create(id, true, owner);
  if (is_known && sigaction(SIGPIPE, NULL, &after) == 0 && after.sa_handler == SIG_IGN &&
      before.sa_handler != SIG_IGN) {
    sigaction(SIGPIPE, &before, NULL);
  }
  if (client != NULL) {
    /* What is to be sent waits for loop_write(): an acknowledgement that cannot be written any more
       would end the connection before the rest of what has come is read. */
    table->threaded_set(client, true);
  }
  return client;
}

int clinux_broker_no_passphrase(char *buffer, int size, int writing, void *owner) {
  (void)buffer, (void)size, (void)writing, (void)owner;
  return -1;
}
