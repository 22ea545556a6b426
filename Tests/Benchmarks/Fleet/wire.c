#include "wire.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** How many messages may wait for their acknowledgement. */
enum { WINDOW = 1000, MILLISECONDS = 20000 };

struct wire {
  struct mosquitto *client;
  wire_received received;
  void *data;
  bool is_connected;
  size_t waiting;
};

static void note_answer(struct mosquitto *client, void *data, int code) {
  (void)client;
  if (code != 0)
    give_up("broker", mosquitto_connack_string(code));
  ((wire *)data)->is_connected = true;
}

static void note_arrival(struct mosquitto *client, void *data, int number) {
  (void)client;
  (void)number;
  ((wire *)data)->waiting--;
}

static void note_message(struct mosquitto *client, void *data,
                         const struct mosquitto_message *message) {
  (void)client;
  wire *wire = data;
  if (wire->received != NULL)
    wire->received(wire->data, message);
}

static void must(int outcome) {
  if (outcome != MOSQ_ERR_SUCCESS)
    give_up("broker", mosquitto_strerror(outcome));
}

wire *wire_open(int port, wire_received received, void *data) {
  wire *made = calloc(1, sizeof *made);
  mosquitto_lib_init();
  if (made == NULL || (made->client = mosquitto_new(NULL, true, made)) == NULL)
    give_up("libmosquitto", "no client");
  made->received = received;
  made->data = data;
  mosquitto_connect_callback_set(made->client, note_answer);
  mosquitto_publish_callback_set(made->client, note_arrival);
  mosquitto_message_callback_set(made->client, note_message);
  mosquitto_int_option(made->client, MOSQ_OPT_TCP_NODELAY, 1);
  must(mosquitto_connect(made->client, "127.0.0.1", port, 30));
  for (int turn = 0; !made->is_connected && turn < MILLISECONDS; turn++)
    wire_turn(made, 1);
  if (!made->is_connected)
    give_up("broker", "it does not answer");
  return made;
}

void wire_close(wire *wire) {
  mosquitto_disconnect(wire->client);
  mosquitto_destroy(wire->client);
  free(wire);
}

void wire_turn(wire *wire, int milliseconds) {
  must(mosquitto_loop(wire->client, milliseconds, 1));
}

int wire_descriptor(const wire *wire) { return mosquitto_socket(wire->client); }

void wire_subscribe(wire *wire, const char *filter) {
  must(mosquitto_subscribe(wire->client, NULL, filter, 1));
}

void wire_send(wire *wire, const char *topic, const void *payload, size_t length,
               bool is_retained) {
  while (wire->waiting >= WINDOW)
    wire_turn(wire, 100);
  wire->waiting++;
  must(mosquitto_publish(wire->client, NULL, topic, (int)length, payload, 1, is_retained));
}

void wire_settle(wire *wire) {
  while (wire->waiting > 0)
    wire_turn(wire, 100);
}

void keep(void *data, const struct mosquitto_message *message) {
  keeping *all = data;
  if (all->count == all->room) {
    all->room = 2 * all->room + 64;
    all->messages = realloc(all->messages, all->room * sizeof *all->messages);
    if (all->messages == NULL)
      give_up("messages", "no memory");
  }
  size_t length = (size_t)message->payloadlen;
  kept *made = &all->messages[all->count++];
  *made = (kept){strdup(message->topic), malloc(length + 1), length};
  if (made->topic == NULL || made->payload == NULL)
    give_up("messages", "no memory");
  if (length > 0)
    memcpy(made->payload, message->payload, length);
  made->payload[length] = '\0';
}

keeping keep_retained(int port, const char *filter) {
  keeping all = {NULL, 0, 0};
  wire *wire = wire_open(port, keep, &all);
  wire_subscribe(wire, filter);
  double end = now_ns() + 2e9;
  size_t known = 0;
  while (now_ns() < end) {
    wire_turn(wire, 10);
    if (all.count != known)
      end = now_ns() + 5e8;
    known = all.count;
  }
  wire_close(wire);
  return all;
}

char *replaced(const char *text, const char *former, const char *later) {
  size_t count = 0;
  for (const char *place = text; (place = strstr(place, former)) != NULL; place += strlen(former))
    count++;
  char *made = malloc(strlen(text) + count * strlen(later) + 1), *end = made;
  if (made == NULL)
    give_up("text", "no memory");
  for (const char *place; (place = strstr(text, former)) != NULL; text = place + strlen(former)) {
    memcpy(end, text, (size_t)(place - text));
    end = stpcpy(end + (place - text), later);
  }
  strcpy(end, text);
  return made;
}
