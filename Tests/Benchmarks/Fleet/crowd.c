/* As many machines as one likes, at one broker:  crowd PORT ROOT DEVICE COUNT [HEARTBEAT]
   What a publisher has the broker retain of DEVICE below ROOT is sent again below `gathered` for
   COUNT devices `m00000`, `m00001` and so on, each source with one more property, `told`: a reader
   that knows it has the source's `about`. Says `ready` when the broker has all. With HEARTBEAT each
   device says in so many seconds once that it is online, until standard input ends. */
#include "measure.h"
#include "wire.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char property[] =
    "\"properties\":[{\"key\":\"told\",\"type\":\"int\",\"unit\":\"1\",\"mode\":\"static\"},";
static const char value[] = "\"values\":{\"told\":{\"value\":1,\"unit\":\"1\",\"status\":\"ok\","
                            "\"sequence\":1},";

/** The texts that name a device in topics and messages. */
typedef struct names {
  char level[64];
  char member[64];
} names;

static names names_of(const char *device) {
  names made;
  snprintf(made.level, sizeof made.level, "/%s/", device);
  snprintf(made.member, sizeof made.member, "\"device\":\"%s\"", device);
  return made;
}

/** Gives every source its property. */
static void mark(keeping *all) {
  for (size_t i = 0; i < all->count; i++) {
    kept *message = &all->messages[i];
    char *about = replaced(message->payload, "\"properties\":[", property);
    char *state = replaced(about, "\"values\":{", value);
    free(message->payload);
    free(about);
    message->payload = state;
  }
}

static void send_one(wire *wire, const kept *message, const names *former, const names *later) {
  char *below = replaced(strchr(message->topic, '/'), former->level, later->level);
  char topic[600];
  char *payload = replaced(message->payload, former->member, later->member);
  snprintf(topic, sizeof topic, "gathered%s", below);
  wire_send(wire, topic, payload, strlen(payload), true);
  free(below);
  free(payload);
}

static bool tells(const kept *message, const char *what) {
  size_t length = strlen(message->topic);
  return length >= strlen(what) && strcmp(message->topic + length - strlen(what), what) == 0;
}

static void send_all(wire *wire, const keeping *all, const names *former, int count) {
  char device[16];
  for (int number = 0; number < count; number++) {
    snprintf(device, sizeof device, "m%05d", number);
    names later = names_of(device);
    for (size_t i = 0; i < all->count; i++)
      send_one(wire, &all->messages[i], former, &later);
  }
  wire_settle(wire);
}

/** Repeats `online` of each device, one after the other, until standard input ends. */
static void pulse(wire *wire, const kept *online, const names *former, int count, double seconds) {
  struct pollfd input = {STDIN_FILENO, POLLIN, 0};
  char device[16];
  double begin = now_ns(), step = seconds * 1e9 / count;
  for (long long number = 0; poll(&input, 1, 0) == 0;) {
    if (now_ns() < begin + (double)number * step) {
      wire_turn(wire, 1);
      continue;
    }
    snprintf(device, sizeof device, "m%05d", (int)(number++ % count));
    names later = names_of(device);
    send_one(wire, online, former, &later);
  }
}

int main(int count, char **arguments) {
  if (count < 5)
    give_up("crowd", "name a port, a root, a device and how many there are to be");
  int port = atoi(arguments[1]), devices = atoi(arguments[4]);
  char filter[128];
  snprintf(filter, sizeof filter, "%s/v1/%s/#", arguments[2], arguments[3]);
  keeping all = keep_retained(port, filter);
  names former = names_of(arguments[3]);
  const kept *online = NULL;
  for (size_t i = 0; i < all.count; i++)
    if (tells(&all.messages[i], "/online"))
      online = &all.messages[i];
  if (online == NULL)
    give_up(arguments[3], "it does not publish here");
  mark(&all);
  wire *wire = wire_open(port, NULL, NULL);
  send_all(wire, &all, &former, devices);
  puts("ready");
  fflush(stdout);
  if (count > 5)
    pulse(wire, online, &former, devices, atof(arguments[5]));
  wire_close(wire);
  return 0;
}
