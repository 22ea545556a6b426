/* A recording under test, in a folder of its own. */
#ifndef TAPE_H
#define TAPE_H

#include <gatheredkit.h>

typedef struct tape {
  char folder[32], path[48], uri[56];
} tape;

bool tape_make(tape *tape);
void tape_remove(tape *tape);

/* A recorder over what was recorded before, with further options as JSON members, or "". */
gkit_sink *tape_record(const tape *tape, gkit_context *context, const char *options);
/* The context of what was recorded. */
gkit_context *tape_replay(const tape *tape, const gkit_context_options *options);

#endif
