#include "limits.h"
#include "measure.h"
#include "parse.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { MOST_FILES = 256, FIELDS_A_FILE = 32, STAT_FIELDS = 1024 };

typedef struct kept_file {
  int descriptor;
  parser parse;
  field *fields;
} kept_file;

struct limit {
  const char *mount_point;
  struct statvfs sizes;
  size_t count, used;
  kept_file files[MOST_FILES];
  field fields[MOST_FILES * FIELDS_A_FILE + STAT_FIELDS];
};

void limit_read(void *data) {
  limit *limit = data;
  char text[32768];
  if (limit->mount_point != NULL)
    statvfs(limit->mount_point, &limit->sizes);
  for (size_t i = 0; i < limit->count; i++) {
    kept_file *file = &limit->files[i];
    ssize_t length = pread(file->descriptor, text, sizeof text - 1, 0);
    if (length < 0)
      continue;
    text[length] = '\0';
    file->parse(text, file->fields);
  }
}

void limit_close(limit *limit) {
  for (size_t i = 0; i < limit->count; i++)
    close(limit->files[i].descriptor);
  free(limit);
}

static limit *empty_limit(void) {
  limit *new = calloc(1, sizeof *new);
  if (new == NULL)
    give_up("limit", "no memory");
  return new;
}

/** Keeps a file open, if there is one; the rest is a path as printf makes it. */
static void keep(limit *limit, parser parse, const char *format, ...) {
  char path[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path, sizeof path, format, arguments);
  va_end(arguments);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || limit->count == MOST_FILES)
    return;
  kept_file file = {descriptor, parse, &limit->fields[limit->used]};
  limit->files[limit->count++] = file;
  limit->used += parse == parse_stat ? STAT_FIELDS : FIELDS_A_FILE;
}

limit *memory_limit(void) {
  limit *limit = empty_limit();
  keep(limit, parse_meminfo, "/proc/meminfo");
  keep(limit, parse_pressure, "/proc/pressure/memory");
  char line[512];
  FILE *groups = fopen("/proc/self/cgroup", "r");
  while (groups != NULL && fgets(line, sizeof line, groups) != NULL) {
    if (strncmp(line, "0::", 3) != 0)
      continue;
    line[strcspn(line, "\n")] = '\0';
    keep(limit, parse_integer, "/sys/fs/cgroup%s/memory.max", line + 3);
    keep(limit, parse_integer, "/sys/fs/cgroup%s/memory.current", line + 3);
  }
  if (groups != NULL)
    fclose(groups);
  return limit;
}

limit *cpu_limit(void) {
  static const char folder[] = "/sys/devices/system/cpu";
  limit *limit = empty_limit();
  keep(limit, parse_stat, "/proc/stat");
  keep(limit, parse_decimals, "/proc/loadavg");
  keep(limit, parse_pressure, "/proc/pressure/cpu");
  keep(limit, parse_word, "%s/online", folder);
  for (long cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
    keep(limit, parse_integer, "%s/cpu%ld/cpufreq/scaling_cur_freq", folder, cpu);
    keep(limit, parse_integer, "%s/cpu%ld/cpufreq/cpuinfo_min_freq", folder, cpu);
    keep(limit, parse_integer, "%s/cpu%ld/cpufreq/cpuinfo_max_freq", folder, cpu);
  }
  return limit;
}

limit *storage_limit(const char *mount_point) {
  limit *limit = empty_limit();
  limit->mount_point = mount_point;
  struct stat status;
  if (stat(mount_point, &status) != 0)
    give_up(mount_point, "cannot be asked");
  char device[64];
  snprintf(device, sizeof device, "/sys/dev/block/%u:%u", major(status.st_dev),
           minor(status.st_dev));
  keep(limit, parse_integers, "%s/stat", device);
  keep(limit, parse_integer, "%s/removable", device);
  keep(limit, parse_integer, "%s/queue/rotational", device);
  keep(limit, parse_word, "%s/device/model", device);
  return limit;
}

static void keep_interface(limit *limit, const char *name) {
  static const char *const numbers[] = {"mtu",
                                        "carrier",
                                        "speed",
                                        "type",
                                        "statistics/rx_bytes",
                                        "statistics/tx_bytes",
                                        "statistics/rx_packets",
                                        "statistics/tx_packets",
                                        "statistics/rx_errors",
                                        "statistics/tx_errors",
                                        "statistics/rx_dropped",
                                        "statistics/tx_dropped"};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    keep(limit, parse_integer, "/sys/class/net/%s/%s", name, numbers[i]);
  keep(limit, parse_word, "/sys/class/net/%s/operstate", name);
  keep(limit, parse_word, "/sys/class/net/%s/uevent", name);
}

/** The next interface of a class folder that is not the loopback; with a device, if asked. */
static const char *next_interface(DIR *folder, int with_device) {
  struct dirent *entry;
  char path[512];
  while ((entry = readdir(folder)) != NULL) {
    snprintf(path, sizeof path, "/sys/class/net/%s/device", entry->d_name);
    if (entry->d_name[0] != '.' && strcmp(entry->d_name, "lo") != 0 &&
        (!with_device || access(path, F_OK) == 0))
      return entry->d_name;
  }
  return NULL;
}

static limit *limit_of_interfaces(int with_device) {
  limit *limit = empty_limit();
  DIR *folder = opendir("/sys/class/net");
  const char *name;
  while (folder != NULL && (name = next_interface(folder, with_device)) != NULL)
    keep_interface(limit, name);
  if (folder != NULL)
    closedir(folder);
  return limit;
}

limit *network_limit(const char *interface) {
  limit *limit;
  if (interface != NULL) {
    limit = empty_limit();
    keep_interface(limit, interface);
    return limit;
  }
  limit = limit_of_interfaces(1);
  if (limit->count > 0)
    return limit;
  limit_close(limit);
  return limit_of_interfaces(0);
}

const char *first_interface(void) {
  static char name[256] = "lo";
  DIR *folder = opendir("/sys/class/net");
  const char *first = folder == NULL ? NULL : next_interface(folder, 1);
  if (first != NULL)
    snprintf(name, sizeof name, "%s", first);
  if (folder != NULL)
    closedir(folder);
  return name;
}

limit *battery_limit(const char *root, const char *name) {
  static const char *const numbers[] = {
      "capacity",        "energy_now",        "energy_full",        "energy_full_design",
      "charge_now",      "charge_full",       "charge_full_design", "voltage_min_design",
      "power_now",       "current_now",       "voltage_now",        "temp",
      "cycle_count",     "time_to_empty_now", "time_to_empty_avg",  "time_to_full_now",
      "time_to_full_avg"};
  static const char *const words[] = {"capacity_level", "status",     "health", "technology",
                                      "manufacturer",   "model_name", "scope"};
  limit *limit = empty_limit();
  char folder[512];
  snprintf(folder, sizeof folder, "%s/sys/class/power_supply", root);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    keep(limit, parse_integer, "%s/%s/%s", folder, name, numbers[i]);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    keep(limit, parse_word, "%s/%s/%s", folder, name, words[i]);
  if (limit->count == 0) {
    limit_close(limit);
    return NULL;
  }
  keep(limit, parse_integer, "%s/AC/online", folder);
  return limit;
}
