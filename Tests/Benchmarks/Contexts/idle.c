/* How often a process with an idle context wakes up: context switches of all its threads. */
#include "measure.h"

#include <dirent.h>
#include <gatheredkit.h>
#include <stdio.h>
#include <unistd.h>

/** The voluntary context switches of all threads but the calling one. */
static double switches(void) {
  char path[300], line[256];
  double sum = 0, number;
  DIR *threads = opendir("/proc/self/task");
  struct dirent *entry;
  while (threads != NULL && (entry = readdir(threads)) != NULL) {
    snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
    FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
      if (sscanf(line, "voluntary_ctxt_switches: %lf", &number) == 1)
        sum += number;
    if (file != NULL)
      fclose(file);
  }
  if (threads != NULL)
    closedir(threads);
  return sum;
}

int main(void) {
  enum { SECONDS = 5 };
  gkit_context *context = NULL;
  gkit_source *source = NULL;
  if (gkit_context_open(NULL, NULL, &context) < 0 ||
      gkit_source_open(context, "memory", &source) < 0)
    give_up("local:", gkit_last_error()->message);
  usleep(300000);
  double before = switches();
  sleep(SECONDS);
  // The one sleep of this thread is not the library's.
  row("wake-ups in 5 idle seconds", switches() - before - 1, "", "", 0, "0");
  gkit_release(source);
  gkit_release(context);
  return 0;
}
