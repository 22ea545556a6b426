#define _XOPEN_SOURCE 700
#include "tape.h"
#include "check.h"
#include "keep.h"
#include <stdio.h>
#include <stdlib.h>

bool tape_make(tape *tape) {
  snprintf(tape->folder, sizeof tape->folder, "/tmp/gkit-tape-XXXXXX");
  if (mkdtemp(tape->folder) == NULL)
    return CHECK(!"a folder");
  snprintf(tape->path, sizeof tape->path, "%s/a.gkr", tape->folder);
  snprintf(tape->uri, sizeof tape->uri, "replay:%s", tape->path);
  return true;
}

void tape_remove(tape *tape) { keep_remove(tape->folder); }

gkit_sink *tape_record(const tape *tape, gkit_context *context, const char *options) {
  char text[200];
  snprintf(text, sizeof text, "{\"existing\":\"overwrite\"%s}", options);
  gkit_dict *given = keep_dict(text);
  gkit_sink *sink = NULL;
  CHECK_OK(gkit_sink_open(context, "recording", tape->path, given, &sink));
  gkit_release(given);
  return sink;
}

gkit_context *tape_replay(const tape *tape, const gkit_context_options *options) {
  gkit_context *context = NULL;
  CHECK_OK(gkit_context_open(tape->uri, options, &context));
  return context;
}
