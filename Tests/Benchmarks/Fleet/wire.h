/* A connection to a broker by libmosquitto, as a program in C has it that uses one thread. */
#ifndef WIRE_H
#define WIRE_H

#include <mosquitto.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct wire wire;

/** Called for each message that comes. */
typedef void (*wire_received)(void *data, const struct mosquitto_message *message);

/** Connects to a broker of this machine, and waits until it has accepted. */
wire *wire_open(int port, wire_received received, void *data);

void wire_close(wire *wire);

/** Waits so many milliseconds for something to come, and takes it. */
void wire_turn(wire *wire, int milliseconds);

/** The descriptor to poll. */
int wire_descriptor(const wire *wire);

/** Subscribes to a filter with QoS 1; waits for nothing. */
void wire_subscribe(wire *wire, const char *filter);

/** Sends a message with QoS 1. While many wait for their acknowledgement it waits for some. */
void wire_send(wire *wire, const char *topic, const void *payload, size_t length, bool is_retained);

/** Waits until all that was sent is acknowledged. */
void wire_settle(wire *wire);

/** A message that was kept. */
typedef struct kept {
  char *topic;
  char *payload;
  size_t length;
} kept;

/** Messages that were kept. */
typedef struct keeping {
  kept *messages;
  size_t count;
  size_t room;
} keeping;

/** Keeps a message, into a `keeping`: a `wire_received`. */
void keep(void *keeping, const struct mosquitto_message *message);

/** Keeps what the broker has retained below a filter, until none has come for half a second. */
keeping keep_retained(int port, const char *filter);

/** A text in which each of another is replaced; yours. */
char *replaced(const char *text, const char *former, const char *later);

#endif
