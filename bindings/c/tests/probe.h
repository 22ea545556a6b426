/* Streams under test, and what their subscribers heard, as one line of words. */
#ifndef PROBE_H
#define PROBE_H

#include "sim.h"

/* A subscriber writes each value down as JSON, behind its name and "=" if it has one. What comes
   without GKIT_FLAG_IS_NEW is marked "~", a status other than OK "!". */
typedef struct probe {
  sim *sim;
  const char *name;
  int calls, destroyed;
} probe;

void probe_on_sample(const gkit_sample *samples, size_t count, void *user_data);
void probe_on_destroy(void *user_data);

/* Subscribes a probe; floating without a place for the connection. */
gkit_status probe_listen(gkit_stream *stream, probe *probe, gkit_connection **out);

/* Makes streams; the test fails if that does. */
gkit_stream *probe_signal(sim *sim);
gkit_stream *probe_publink(sim *sim);
gkit_stream *probe_variable(sim *sim, int64_t value);
gkit_stream *probe_apply(gkit_stream *stream, const char *op, const char *arguments);
gkit_stream *probe_combine(gkit_stream *a, gkit_stream *b, const char *op);

/* Sends; JSON text for what is no number. */
gkit_status probe_send(gkit_stream *stream, int64_t value);
gkit_status probe_send_json(gkit_stream *stream, const char *json);
/* The value a stream holds, as JSON. */
const char *probe_get(gkit_stream *stream);

#endif
