/* A table of small values in SQLite, as a program uses it that has no library of ours. */
#ifndef STORES_PEER_H
#define STORES_PEER_H

#include <stdbool.h>
#include <stdint.h>

/** A database with prepared statements. */
typedef struct peer peer;

/** Opens a database: a path, or ":memory:". Each write is on the disk when it has returned (WAL,
    synchronous = FULL). NULL when that fails. */
peer *peer_open(const char *path);

/** Writes one value. */
bool peer_put(peer *peer, const char *key, int64_t value);

/** Reads one value. */
bool peer_get(peer *peer, const char *key, int64_t *value);

/** Begins a transaction, or commits it: one synchronisation for all that is in it. */
bool peer_begin(peer *peer);
bool peer_commit(peer *peer);

void peer_close(peer *peer);

#endif
