#define _POSIX_C_SOURCE 200809L
#include "census.h"
#include <dirent.h>
#include <gatheredkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One that was waited for may still be listed, but is marked as exiting: see proc(5). */
static bool is_exiting(const char *thread) {
  char path[300], text[512];
  unsigned flags = 0;
  snprintf(path, sizeof path, "/proc/self/task/%s/stat", thread);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return true;
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  char *behind = strrchr(text, ')');
  return behind == NULL || sscanf(behind, ") %*c %*d %*d %*d %*d %*d %u", &flags) != 1 || flags & 4;
}

static int entries(const char *folder, bool are_threads) {
  DIR *all = opendir(folder);
  int count = 0;
  if (all == NULL)
    return -1;
  for (struct dirent *entry; (entry = readdir(all)) != NULL;)
    if (entry->d_name[0] != '.')
      count += !are_threads || !is_exiting(entry->d_name);
  closedir(all);
  return count;
}

census census_take(void) {
  return (census){gkit_live_count(NULL), entries("/proc/self/task", true),
                  entries("/proc/self/fd", false)};
}

bool census_threads_ended(census before) {
  bool waits = getenv("GKIT_TEST_SLOW") != NULL;
  for (int tries = 0; waits && tries < 1000 && census_take().threads > before.threads; tries++)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  return census_take().threads <= before.threads;
}

bool census_returns(census before) {
  for (int tries = 0; tries < 60000; tries++) {
    census now = census_take();
    if (now.objects == before.objects && now.threads <= before.threads &&
        now.descriptors <= before.descriptors)
      return true;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  census now = census_take();
  fprintf(stderr, "objects %lld, threads %d, descriptors %d; now %lld, %d, %d\n",
          (long long)before.objects, before.threads, before.descriptors, (long long)now.objects,
          now.threads, now.descriptors);
  return false;
}
