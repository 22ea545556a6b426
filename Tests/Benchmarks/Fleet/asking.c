/* Asks a broker for a fleet as a fleet context does, keeps what comes, and does nothing with it:
     asking PORT DEVICES SOURCES
   Prints the seconds until the list of machines is there, the seconds until what all their sources
   are has come, how many came of each, and the memory that is resident, in MiB. */
#include "measure.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** How many machines are asked at the same time. */
enum { AT_ONCE = 8 };
/** How long nothing may come before a list is complete, or a machine given up. */
static const double quiet_ns = 0.25e9;

/** What has come. */
typedef struct fleet {
  keeping online, devices, abouts;
  double heard;
  int wanted;
  /** How many sources each device has told, by its number. */
  int *told;
  int devices_done;
} fleet;

static void take(void *data, const struct mosquitto_message *message) {
  fleet *fleet = data;
  int number;
  char *end = strrchr(message->topic, '/');
  fleet->heard = now_ns();
  if (end == NULL || sscanf(message->topic, "gathered/v1/m%d", &number) != 1)
    return;
  if (strcmp(end, "/online") == 0)
    keep(&fleet->online, message);
  else if (strcmp(end, "/device") == 0)
    keep(&fleet->devices, message);
  else if (strcmp(end, "/about") == 0) {
    keep(&fleet->abouts, message);
    fleet->devices_done += ++fleet->told[number] == fleet->wanted;
  }
}

static void list(wire *wire, fleet *fleet, const char *filter) {
  fleet->heard = now_ns();
  wire_subscribe(wire, filter);
  while (now_ns() < fleet->heard + quiet_ns)
    wire_turn(wire, 10);
}

static void ask(wire *wire, fleet *fleet) {
  char filter[64];
  int asked = 0, known = (int)fleet->devices.count;
  fleet->heard = now_ns();
  while (fleet->devices_done < known && now_ns() < fleet->heard + 4 * quiet_ns) {
    for (; asked < known && asked < fleet->devices_done + AT_ONCE; asked++) {
      char device[32] = "";
      sscanf(fleet->devices.messages[asked].topic, "gathered/v1/%31[^/]", device);
      snprintf(filter, sizeof filter, "gathered/v1/%s/+/+/about", device);
      wire_subscribe(wire, filter);
    }
    wire_turn(wire, 10);
  }
}

int main(int count, char **arguments) {
  if (count < 4)
    give_up("asking", "name a port, and how many devices and sources there are");
  fleet fleet = {.wanted = atoi(arguments[3])};
  fleet.told = calloc((size_t)atoi(arguments[2]) + 1, sizeof *fleet.told);
  double begin = now_ns();
  wire *wire = wire_open(atoi(arguments[1]), take, &fleet);
  list(wire, &fleet, "gathered/v1/+/online");
  list(wire, &fleet, "gathered/v1/+/device");
  double listed = now_ns();
  ask(wire, &fleet);
  printf("%g %g %zu %zu %zu %g\n", (listed - begin) / 1e9, (now_ns() - listed) / 1e9,
         fleet.online.count, fleet.devices.count, fleet.abouts.count, resident_mib());
  wire_close(wire);
  return 0;
}
