#define _GNU_SOURCE
#include "CLinux.h"
#include "bind.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *clinux_secrets_bind(clinux_secrets *table, void *library) {
  const clinux_wanted wanted[] = {
      {&table->hash_new, "g_hash_table_new"},
      {&table->str_hash, "g_str_hash"},
      {&table->str_equal, "g_str_equal"},
      {&table->hash_insert, "g_hash_table_insert"},
      {&table->hash_unref, "g_hash_table_unref"},
      {&table->quark_to_string, "g_quark_to_string"},
      {&table->error_free, "g_error_free"},
      {&table->list_free, "g_list_free"},
      {&table->object_unref, "g_object_unref"},
      {&table->cancellable_new, "g_cancellable_new"},
      {&table->cancellable_cancel, "g_cancellable_cancel"},
      {&table->proxy_connection, "g_dbus_proxy_get_connection"},
      {&table->set_exit_on_close, "g_dbus_connection_set_exit_on_close"},
      {&table->service_get, "secret_service_get_sync"},
      {&table->service_disconnect, "secret_service_disconnect"},
      {&table->service_search, "secret_service_search_sync"},
      {&table->service_store, "secret_service_store_sync"},
      {&table->item_locked, "secret_item_get_locked"},
      {&table->item_secret, "secret_item_get_secret"},
      {&table->item_delete, "secret_item_delete_sync"},
      {&table->value_new, "secret_value_new"},
      {&table->value_get, "secret_value_get"},
      {&table->value_unref, "secret_value_unref"},
  };
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}

static const clinux_secret_schema schema = {
    .name = "org.gatheredkit.Entry",
    .attributes = {{"service", 0}, {"key", 0}},
};

const clinux_secret_schema *clinux_secrets_schema(void) { return &schema; }

/* Who does not possess the ring of the user, as in a session without a link to it, may not read its
   keys; the ring of the thread's process is always possessed. Where this fails, so will the call
   that follows. */
static void possess_user_ring(void) {
  syscall(SYS_keyctl, KEYCTL_LINK, (long)KEY_SPEC_USER_KEYRING, (long)KEY_SPEC_PROCESS_KEYRING);
}

int32_t clinux_key_add(const char *description, const void *bytes, size_t length) {
  possess_user_ring();
  long key = syscall(SYS_add_key, "user", description, bytes, length, (long)KEY_SPEC_USER_KEYRING);
  return key < 0 ? -errno : (int32_t)key;
}

int32_t clinux_key_find(const char *description) {
  possess_user_ring();
  long key =
      syscall(SYS_keyctl, KEYCTL_SEARCH, (long)KEY_SPEC_USER_KEYRING, "user", description, 0);
  return key < 0 ? -errno : (int32_t)key;
}

int64_t clinux_key_read(int32_t key, void *buffer, size_t capacity) {
  long length = syscall(SYS_keyctl, KEYCTL_READ, key, buffer, capacity);
  return length < 0 ? -errno : length;
}

int32_t clinux_key_remove(int32_t key) {
  long answer = syscall(SYS_keyctl, KEYCTL_UNLINK, key, (long)KEY_SPEC_USER_KEYRING);
  return answer < 0 ? -errno : 0;
}
