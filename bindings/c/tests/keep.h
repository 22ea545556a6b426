/* Data sources under test: contexts, stores and calls in one line each. */
#ifndef KEEP_H
#define KEEP_H

#include <gatheredkit.h>

#define SECOND INT64_C(1000000000)

typedef struct keep {
  gkit_context *context;
} keep;

/* A context of simulated devices, whose clock is moved by hand. */
bool keep_open(keep *keep, uint32_t mode);
void keep_close(keep *keep);

/* The dictionary that JSON text describes; NULL of NULL. Yours. */
gkit_dict *keep_dict(const char *json);
/* A store; the test fails if it cannot be opened. */
gkit_datasource *keep_store(keep *keep, const char *type, const char *options);
/* The query of an id, as JSON text that lives until the call after the next. */
const char *keep_id(const char *id);
/* Makes a call and waits for it: the answer as JSON text, or the status without GKIT_ERROR_, and
   "missing" with the ids that were. It lives until the next call. */
const char *keep_do(gkit_datasource *store, int32_t operation, const char *query,
                    const char *value);
/* A pending or ready future of a call. */
gkit_future *keep_ask(gkit_datasource *store, int32_t operation, const char *query,
                      const char *value);
/* The result of a future, as keep_do() writes it. */
const char *keep_result(gkit_future *future, int64_t timeout_ns);

enum { KEEP_WORDS = 400 };
/* What callbacks write down: one line of words. */
void keep_say(char words[KEEP_WORDS], const char *word);
/* What was written down since the last time; it lives until the next call. */
const char *keep_take(char words[KEEP_WORDS]);

/* Removes a folder of the test with what is in it. */
void keep_remove(const char *folder);

#endif
