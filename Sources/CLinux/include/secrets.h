/* libsecret with the GLib it stands on, opened at run time, and the kernel's key ring. No header of
   theirs is wanted to build: these declarations of our own are all that is asked of them, and have
   been the same since libsecret 0.18. */
#ifndef CLINUX_SECRETS_H
#define CLINUX_SECRETS_H

#include <stddef.h>
#include <stdint.h>

/* -- GLib's error, list and opaque objects. */
typedef struct {
  uint32_t domain;
  int code;
  char *message;
} clinux_g_error;

typedef struct clinux_g_list {
  void *data;
  struct clinux_g_list *next, *previous;
} clinux_g_list;

typedef struct clinux_g_hash clinux_g_hash;
typedef struct clinux_g_object clinux_g_object;

/* -- SecretSchema: how items are told apart. */
typedef struct {
  const char *name;
  int flags;
  struct {
    const char *name;
    int type;
  } attributes[32];
  int reserved;
  void *more[7];
} clinux_secret_schema;

typedef struct {
  clinux_g_hash *(*hash_new)(unsigned (*hash)(const void *),
                             int (*equal)(const void *, const void *));
  unsigned (*str_hash)(const void *text);
  int (*str_equal)(const void *left, const void *right);
  int (*hash_insert)(clinux_g_hash *hash, void *key, void *value);
  void (*hash_unref)(clinux_g_hash *hash);
  const char *(*quark_to_string)(uint32_t quark);
  void (*error_free)(clinux_g_error *error);
  void (*list_free)(clinux_g_list *list);
  void (*object_unref)(void *object);
  clinux_g_object *(*cancellable_new)(void);
  void (*cancellable_cancel)(clinux_g_object *cancellable);
  clinux_g_object *(*proxy_connection)(clinux_g_object *proxy);
  void (*set_exit_on_close)(clinux_g_object *connection, int exits);
  clinux_g_object *(*service_get)(int flags, clinux_g_object *cancellable, clinux_g_error **error);
  void (*service_disconnect)(void);
  clinux_g_list *(*service_search)(clinux_g_object *service, const clinux_secret_schema *schema,
                                   clinux_g_hash *attributes, int flags,
                                   clinux_g_object *cancellable, clinux_g_error **error);
  int (*service_store)(clinux_g_object *service, const clinux_secret_schema *schema,
                       clinux_g_hash *attributes, const char *collection, const char *label,
                       clinux_g_object *value, clinux_g_object *cancellable,
                       clinux_g_error **error);
  int (*item_locked)(clinux_g_object *item);
  clinux_g_object *(*item_secret)(clinux_g_object *item);
  int (*item_delete)(clinux_g_object *item, clinux_g_object *cancellable, clinux_g_error **error);
  clinux_g_object *(*value_new)(const char *secret, ptrdiff_t length, const char *type);
  const char *(*value_get)(clinux_g_object *value, size_t *length);
  void (*value_unref)(clinux_g_object *value);
} clinux_secrets;

#define CLINUX_SECRET_SESSION 2 /* SECRET_SERVICE_OPEN_SESSION */
#define CLINUX_SECRET_ALL 2     /* SECRET_SEARCH_ALL, _UNLOCK and _LOAD_SECRETS */
#define CLINUX_SECRET_UNLOCK 4
#define CLINUX_SECRET_LOAD 8

/* Fills a table from the opened libsecret, which brings GLib with it; the name of the first symbol
   missing, or NULL. */
const char *clinux_secrets_bind(clinux_secrets *table, void *library);
/* The schema of this library's items, with the attributes `service` and `key`. */
const clinux_secret_schema *clinux_secrets_schema(void);

/* -- the kernel's key ring: glibc has no functions for its calls. Negative errno on failure. */

/* Adds a key of type `user` to the ring of the user, or updates it; the key's serial number. */
int32_t clinux_key_add(const char *description, const void *bytes, size_t length);
/* The serial number of a key of the ring of the user. */
int32_t clinux_key_find(const char *description);
/* How long the content is, of which at most `capacity` bytes are put into the buffer. */
int64_t clinux_key_read(int32_t key, void *buffer, size_t capacity);
/* Takes a key from the ring, and with it its content. */
int32_t clinux_key_remove(int32_t key);

#endif
