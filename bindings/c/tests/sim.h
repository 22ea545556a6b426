/* Simulated devices under a clock the test moves, and a journal of what they told.
 *
 * The journal is one line of words: started stopped stopped(error) failed asked
 * availability(REASON) for events; for updates the payload of the watched property, or the word of
 * its status: noData stale permission unsupported error. */
#ifndef SIM_H
#define SIM_H

#include <gatheredkit.h>

#define SECOND INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

/* The smallest world: a machine whose free memory is 5 bytes. */
#define MEMORY "0 add memory|machine\n0 set memory|machine/free 5\n"

typedef struct sim {
  gkit_context *context;
  /* Whose payload an update writes down: "free" unless changed. */
  const char *key;
  char journal[8192];
  char taken[8192];
} sim;

/* Writes a script to a new file, whose name replaces the XXXXXX of the path. */
bool sim_write_script(char *path, const char *script);
/* Opens a script in HOST mode with a manual clock. */
bool sim_open(sim *sim, const char *script);
/* The same, choosing the mode and what is appended to the URI: "&clock=manual", or "" for the
   machine's own clock. */
bool sim_open_as(sim *sim, const char *script, uint32_t mode, const char *parameters);
/* Closes and releases. */
void sim_close(sim *sim);

/* A new source that writes its updates and events into the journal; NULL if it cannot be opened. */
gkit_source *sim_source(sim *sim, const char *id);
/* Moves the clock to a position. */
gkit_status sim_seek(sim *sim, int64_t position_ns);
/* What was written down since the last time. */
const char *sim_take(sim *sim);
void sim_write(sim *sim, const char *word);

/* As callbacks: user_data is the sim. */
void sim_on_update(gkit_source *source, const gkit_sample *samples, size_t count, void *user_data);
void sim_on_event(gkit_source *source, const char *source_id, int32_t event,
                  const gkit_error *error, void *user_data);
/* As any destroy function: user_data is an int to count in. */
void sim_on_destroy(void *user_data);

/* The index of a property, and its last value. */
uint32_t sim_property(const gkit_source *source, const char *key);
gkit_sample sim_value(const gkit_source *source, const char *key);
uint32_t sim_property_count(const gkit_source *source);

#endif
