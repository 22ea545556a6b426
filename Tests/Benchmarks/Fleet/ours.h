/* What the measured programs ask of the library. */
#ifndef OURS_H
#define OURS_H

#include <gatheredkit.h>

/** Ends the program with the library's word for what has failed. */
void must(gkit_status status);

/** A context. */
gkit_context *opened(const char *uri);

/** A source of it. */
gkit_source *source_of(gkit_context *context, const char *id);

/** An option of a sink. */
typedef struct option {
  const char *name;
  int64_t number;
} option;

/** A publisher to a broker of this machine.
    @param options the last one has no name */
gkit_sink *publisher(gkit_context *context, int port, const char *device, const option *options);

/** A number that it tells of itself. */
double told_by(const gkit_sink *sink, const char *key);

#endif
