/* One reading of each of some sources beside the same files kept open and read in C:
     files URI NAME AIM
   The input is the ids of the sources, a line each, an empty line, and the paths of the files. */
#include "measure.h"

#include <fcntl.h>
#include <gatheredkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8192 };

static gkit_source *sources[MOST];
static int descriptors[MOST];
static size_t source_count, file_count;
static double sum;

static void must(gkit_status status) {
  if (status < 0)
    give_up("files", gkit_last_error()->message);
}

static void update(void *data) {
  (void)data;
  for (size_t i = 0; i < source_count; i++)
    must(gkit_source_update_values(sources[i], -1));
}

static void read_files(void *data) {
  (void)data;
  char text[4096];
  for (size_t i = 0; i < file_count; i++) {
    ssize_t length = pread(descriptors[i], text, sizeof text - 1, 0);
    if (length <= 0)
      continue;
    text[length] = '\0';
    sum += strtod(text, NULL);
  }
}

/** The next line of the input without its end; NULL at an empty line and at the end. */
static const char *next_line(void) {
  static char line[4096];
  if (fgets(line, sizeof line, stdin) == NULL)
    return NULL;
  line[strcspn(line, "\n")] = '\0';
  return *line == '\0' ? NULL : line;
}

static void open_all(const char *uri) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  options.mode = GKIT_MODE_HOST;
  gkit_context *context = NULL;
  must(gkit_context_open(uri, &options, &context));
  const char *line;
  while (source_count < MOST && (line = next_line()) != NULL)
    must(gkit_source_open(context, line, &sources[source_count++]));
  while (file_count < MOST && (line = next_line()) != NULL) {
    descriptors[file_count] = open(line, O_RDONLY | O_CLOEXEC);
    if (descriptors[file_count++] < 0)
      give_up(line, "cannot be opened");
  }
}

int main(int count, char **arguments) {
  if (count < 4)
    give_up("files", "URI NAME AIM");
  open_all(arguments[1]);
  work works[] = {{update, NULL}, {read_files, NULL}};
  double spent[2];
  measure(works, 2, spent);
  row(arguments[2], spent[0] / 1e3, "us", "kept files in C", spent[1] / 1e3, arguments[3]);
  return 0;
}
