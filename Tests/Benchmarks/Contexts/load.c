/* What it takes to have the library: time to load it, its size, and the memory it then uses.
   `load PROGRAM LIBRARY OTHER` runs PROGRAM bare, with the library and with another one. */
#include "measure.h"

#include <gatheredkit.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

static void run(void *data) {
  char **arguments = data;
  pid_t process;
  int status = 1;
  if (posix_spawn(&process, arguments[0], NULL, NULL, arguments, environ) != 0 ||
      waitpid(process, &status, 0) < 0 || status != 0)
    give_up(arguments[1], "cannot be loaded");
}

/** Resident memory of this process in MiB, by its kind: RssAnon and so on. */
static double resident(const char *kind) {
  char line[256];
  double kibibytes = 0;
  size_t length = strlen(kind);
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, kind, length) == 0 && line[length] == ':')
      sscanf(line + length + 1, "%lf", &kibibytes);
  if (file != NULL)
    fclose(file);
  return kibibytes / 1024;
}

static void read_all_kinds(gkit_context *context) {
  gkit_dict *list = NULL;
  if (gkit_source_list(context, NULL, &list) < 0)
    give_up("list", gkit_last_error()->message);
  for (size_t i = 0; i < gkit_dict_count(list); i++) {
    gkit_value entry, id;
    gkit_source *source = NULL;
    if (gkit_dict_at(list, i, NULL, &entry) < 0 || gkit_dict_get(entry.as.dict, "id", &id) < 0)
      continue;
    if (gkit_source_open(context, id.as.string, &source) == GKIT_OK)
      (void)gkit_source_update_values(source, -1);
  }
  gkit_release(list);
}

int main(int count, char **arguments) {
  if (count != 4)
    give_up("load", "PROGRAM LIBRARY OTHER");
  char *bare[] = {arguments[1], NULL};
  char *ours[] = {arguments[1], arguments[2], NULL};
  char *other[] = {arguments[1], arguments[3], NULL};
  work works[] = {{run, bare}, {run, ours}, {run, other}};
  double spent[3];
  measure(works, 3, spent);
  const char *slash = strrchr(arguments[3], '/');
  row("start an empty program", spent[0] / 1e6, "ms", "", 0, "");
  row("load and call gkit_version", (spent[1] - spent[0]) / 1e6, "ms", slash ? slash + 1 : "other",
      (spent[2] - spent[0]) / 1e6, "<= 2 ms");
  struct stat status;
  if (stat(arguments[2], &status) == 0)
    row("stripped .so", (double)status.st_size / 1048576, "MiB", "", 0, "<= 10 MiB");
  double before = resident("VmRSS");
  gkit_context *context = NULL;
  if (gkit_context_open(NULL, NULL, &context) < 0)
    give_up("local:", gkit_last_error()->message);
  read_all_kinds(context);
  row("resident after reading all kinds", resident("VmRSS"), "MiB", "only linked", before,
      "<= 12 MiB");
  row("  of which not shared", resident("RssAnon"), "MiB", "", 0, "<= 2 MiB");
  gkit_release(context);
  return 0;
}
