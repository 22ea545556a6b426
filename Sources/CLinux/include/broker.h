/* libmosquitto, opened at run time. Its header is not wanted to build: these declarations of our
   own are all that is asked of it, and have been the same since its version 2.0. */
#ifndef CLINUX_BROKER_H
#define CLINUX_BROKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- its own opaque types: a client, and the properties of MQTT 5. */
typedef struct clinux_mqtt clinux_mqtt;
typedef struct clinux_mqtt_property clinux_mqtt_property;

/* -- struct mosquitto_message. */
typedef struct {
  int mid;
  char *topic;
  void *payload;
  int payloadlen;
  int qos;
  bool retain;
} clinux_mqtt_message;

/* What is called: `owner` is what clinux_broker_create was given. */
typedef void clinux_mqtt_connected(clinux_mqtt *client, void *owner, int code, int flags,
                                   const clinux_mqtt_property *properties);
typedef void clinux_mqtt_ended(clinux_mqtt *client, void *owner, int code,
                               const clinux_mqtt_property *properties);
typedef void clinux_mqtt_published(clinux_mqtt *client, void *owner, int mid, int code,
                                   const clinux_mqtt_property *properties);
typedef void clinux_mqtt_received(clinux_mqtt *client, void *owner,
                                  const clinux_mqtt_message *message,
                                  const clinux_mqtt_property *properties);
typedef void clinux_mqtt_subscribed(clinux_mqtt *client, void *owner, int mid, int count,
                                    const int *granted, const clinux_mqtt_property *properties);
typedef void clinux_mqtt_unsubscribed(clinux_mqtt *client, void *owner, int mid,
                                      const clinux_mqtt_property *properties);
typedef void clinux_mqtt_logged(clinux_mqtt *client, void *owner, int level, const char *text);
typedef int clinux_mqtt_passphrase(char *buffer, int size, int writing, void *owner);

typedef struct {
  int (*lib_version)(int *major, int *minor, int *revision);
  int (*lib_init)(void);
  clinux_mqtt *(*create)(const char *id, bool clean, void *owner);
  void (*destroy)(clinux_mqtt *client);
  int (*threaded_set)(clinux_mqtt *client, bool threaded);
  int (*int_option)(clinux_mqtt *client, int option, int value);
  int (*username_pw_set)(clinux_mqtt *client, const char *user, const char *password);
  int (*will_set_v5)(clinux_mqtt *client, const char *topic, int length, const void *payload,
                     int qos, bool retain, clinux_mqtt_property *properties);
  int (*tls_set)(clinux_mqtt *client, const char *cafile, const char *capath, const char *certfile,
                 const char *keyfile, clinux_mqtt_passphrase *passphrase);
  int (*tls_opts_set)(clinux_mqtt *client, int verify, const char *version, const char *ciphers);
  int (*connect)(clinux_mqtt *client, const char *host, int port, int keepalive);
  int (*connect_async)(clinux_mqtt *client, const char *host, int port, int keepalive);
  int (*connect_bind_v5)(clinux_mqtt *client, const char *host, int port, int keepalive,
                         const char *bind, const clinux_mqtt_property *properties);
  int (*disconnect)(clinux_mqtt *client);
  int (*socket)(clinux_mqtt *client);
  bool (*want_write)(clinux_mqtt *client);
  int (*loop_read)(clinux_mqtt *client, int packets);
  int (*loop_write)(clinux_mqtt *client, int packets);
  int (*loop_misc)(clinux_mqtt *client);
  int (*publish_v5)(clinux_mqtt *client, int *mid, const char *topic, int length,
                    const void *payload, int qos, bool retain,
                    const clinux_mqtt_property *properties);
  int (*subscribe_multiple)(clinux_mqtt *client, int *mid, int count, char *const *filters, int qos,
                            int options, const clinux_mqtt_property *properties);
  int (*unsubscribe_multiple)(clinux_mqtt *client, int *mid, int count, char *const *filters,
                              const clinux_mqtt_property *properties);
  void (*connect_v5_callback_set)(clinux_mqtt *client, clinux_mqtt_connected *callback);
  void (*disconnect_v5_callback_set)(clinux_mqtt *client, clinux_mqtt_ended *callback);
  void (*publish_v5_callback_set)(clinux_mqtt *client, clinux_mqtt_published *callback);
  void (*message_v5_callback_set)(clinux_mqtt *client, clinux_mqtt_received *callback);
  void (*subscribe_v5_callback_set)(clinux_mqtt *client, clinux_mqtt_subscribed *callback);
  void (*unsubscribe_v5_callback_set)(clinux_mqtt *client, clinux_mqtt_unsubscribed *callback);
  void (*log_callback_set)(clinux_mqtt *client, clinux_mqtt_logged *callback);
  int (*pub_topic_check)(const char *topic);
  int (*property_add_int32)(clinux_mqtt_property **list, int identifier, uint32_t value);
  int (*property_add_string)(clinux_mqtt_property **list, int identifier, const char *value);
  const clinux_mqtt_property *(*property_read_byte)(const clinux_mqtt_property *list,
                                                    int identifier, uint8_t *value, bool skip);
  const clinux_mqtt_property *(*property_read_int16)(const clinux_mqtt_property *list,
                                                     int identifier, uint16_t *value, bool skip);
  const clinux_mqtt_property *(*property_read_int32)(const clinux_mqtt_property *list,
                                                     int identifier, uint32_t *value, bool skip);
  void (*property_free_all)(clinux_mqtt_property **list);
  /* Of the OpenSSL that it brings; NULL where it has no TLS. */
  void *(*ssl_get)(clinux_mqtt *client);
  int (*ssl_is_init_finished)(const void *ssl);
  int (*ssl_peek)(void *ssl, void *buffer, int size);
  int (*ssl_pending)(const void *ssl);
  int (*ssl_get_error)(const void *ssl, int outcome);
  unsigned long (*err_get_error)(void);
  void (*err_error_string_n)(unsigned long error, char *text, size_t size);
  void (*err_clear_error)(void);
} clinux_broker;

/* MOSQ_OPT_PROTOCOL_VERSION and what it may be. */
#define CLINUX_MQTT_VERSION 1
#define CLINUX_MQTT_311 4
#define CLINUX_MQTT_5 5
#define CLINUX_MQTT_SEND_MAXIMUM 5  /* MOSQ_OPT_SEND_MAXIMUM; 0 is 65 535 */
#define CLINUX_MQTT_TCP_NODELAY 12  /* MOSQ_OPT_TCP_NODELAY */
#define CLINUX_MQTT_SYSTEM_CERTS 13 /* MOSQ_OPT_TLS_USE_OS_CERTS */
#define CLINUX_MQTT_VERIFY_PEER 1   /* SSL_VERIFY_PEER */

/* MOSQ_ERR_… */
#define CLINUX_MQTT_PENDING (-1)
#define CLINUX_MQTT_NO_MEMORY 1
#define CLINUX_MQTT_PROTOCOL 2
#define CLINUX_MQTT_INVALID 3
#define CLINUX_MQTT_NO_CONNECTION 4
#define CLINUX_MQTT_REFUSED 5
#define CLINUX_MQTT_LOST 7
#define CLINUX_MQTT_TLS 8
#define CLINUX_MQTT_PAYLOAD_SIZE 9
#define CLINUX_MQTT_ERRNO 14
#define CLINUX_MQTT_NAME 15 /* MOSQ_ERR_EAI */
#define CLINUX_MQTT_BAD_TEXT 18
#define CLINUX_MQTT_KEEP_ALIVE 19
#define CLINUX_MQTT_MALFORMED 21
#define CLINUX_MQTT_TWICE 22 /* MOSQ_ERR_DUPLICATE_PROPERTY */
#define CLINUX_MQTT_OVERSIZE 25

/* MQTT_PROP_… */
#define CLINUX_MQTT_CONTENT_TYPE 3
#define CLINUX_MQTT_SERVER_KEEP_ALIVE 19
#define CLINUX_MQTT_RECEIVE_MAXIMUM 33
#define CLINUX_MQTT_MAXIMUM_QOS 36
#define CLINUX_MQTT_RETAIN_AVAILABLE 37
#define CLINUX_MQTT_MAXIMUM_PACKET_SIZE 39

/* Fills a table from an opened library; the name of the first symbol missing, or NULL. */
const char *clinux_broker_bind(clinux_broker *table, void *library);
/* Makes the library ready, once a process. It seeds rand(3), whose numbers are the host's: they go
   on as if it had not. */
int clinux_broker_init(const clinux_broker *table);
/* Makes a client. The library sets what SIGPIPE does, which is the host's, too: it is set back. */
clinux_mqtt *clinux_broker_create(const clinux_broker *table, const char *id, void *owner);
/* Makes a number stand for what another stands for; 0 or an errno. */
int clinux_broker_turn(int source, int number);
/* Whether TLS can be looked into. */
bool clinux_broker_sees_tls(const clinux_broker *table);
/* Copies what TLS has brought, and leaves it there: how many bytes, or CLINUX_TLS_…. */
int clinux_broker_peek(const clinux_broker *table, void *ssl, void *buffer, int size);
#define CLINUX_TLS_ENDED 0
#define CLINUX_TLS_WAITS (-1)
#define CLINUX_TLS_FAILED (-2)
/* The next error of OpenSSL's on this thread, in its words; false where there is none. */
bool clinux_broker_tls_error(const clinux_broker *table, char *text, size_t size);
/* Refuses to ask the terminal for the passphrase of a key. */
int clinux_broker_no_passphrase(char *buffer, int size, int writing, void *owner);

#endif
