/* One random call of each function of the header. */
#ifndef CALLS_H
#define CALLS_H

#include "pool.h"

typedef struct call {
  const char *name;
  void (*make)(void);
  /* How often, beside the others. */
  uint32_t weight;
} call;

#define CALL(name)                                                                                 \
  { #name, random_##name, 4 }
#define RARE(name)                                                                                 \
  { #name, random_##name, 1 }
#define END                                                                                        \
  { NULL, NULL, 0 }

extern const call value_calls[], context_calls[], source_calls[], reader_calls[], stream_calls[],
    patch_calls[], store_calls[], sink_calls[];

/* The folder in which files are made, and a recording. */
extern char calls_folder[64], calls_recording[96];

/* How many calls functions of the host may make. */
extern int64_t calls_in_reserve;

/* Makes a random call. */
void calls_make_one(void);
/* Prints the names of all functions that are called. */
void calls_list(void);

/* -- arguments */

/* A dictionary of one of several JSON texts, the last being NULL; put into the pool, NULL at
   times. */
gkit_dict *pick_options(const char *const *texts);
/* A value, of any type; what it refers to lives as long as the pool keeps it. */
gkit_value pick_value(void);
/* Lets streams that feed one another soon reach their limit: the default one takes minutes. On a
   port it is that of all patches connected with it. */
void calls_bound(gkit_stream *stream);
/* A short time-out, which may be 0. */
int64_t pick_timeout(void);
int64_t pick_interval(void);
/* An id or a kind. */
const char *pick_id(void);

/* -- functions of the host, which make calls themselves */

void host_update(gkit_source *source, const gkit_sample *samples, size_t count, void *user_data);
void host_batch(gkit_source *source, const gkit_sample *newest, size_t count,
                const gkit_batch *batch, size_t readings, void *user_data);
void host_event(gkit_source *source, const char *id, int32_t event, const gkit_error *error,
                void *user_data);
void host_sample(const gkit_sample *samples, size_t count, void *user_data);
bool host_transform(const gkit_sample *in, gkit_value *out, void *user_data);
gkit_status host_input(gkit_patch *patch, const gkit_sample *in, void *user_data);
gkit_status host_make(gkit_patch *patch, const gkit_dict *options, void *user_data);
gkit_status host_map(const gkit_value *in, gkit_value *out, void *user_data);
void host_perform(int32_t operation, const gkit_dict *query, const gkit_value *value,
                  gkit_future *reply, void *user_data);
bool host_retry(const gkit_error *error, uint32_t attempt, void *user_data);
bool host_fallback(const gkit_error *main_error, const gkit_error *cache_error, void *user_data);
void host_future(gkit_future *future, void *user_data);
void host_log(int32_t level, const char *subsystem, const char *message, void *user_data);
void host_invoke(void *user_data);

#endif
