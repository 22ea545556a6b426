#include "peer.h"

#include <sqlite3.h>
#include <stdlib.h>

struct peer {
  sqlite3 *base;
  sqlite3_stmt *put, *get;
};

peer *peer_open(const char *path) {
  peer *peer = calloc(1, sizeof *peer);
  if (peer == NULL || sqlite3_open(path, &peer->base) != SQLITE_OK ||
      sqlite3_exec(peer->base,
                   "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                   "CREATE TABLE entries(key TEXT PRIMARY KEY, value) WITHOUT ROWID",
                   NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(peer->base, "INSERT OR REPLACE INTO entries VALUES (?, ?)", -1, &peer->put,
                         NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(peer->base, "SELECT value FROM entries WHERE key = ?", -1, &peer->get,
                         NULL) != SQLITE_OK) {
    return NULL;
  }
  return peer;
}

bool peer_put(peer *peer, const char *key, int64_t value) {
  sqlite3_bind_text(peer->put, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_int64(peer->put, 2, value);
  return sqlite3_step(peer->put) == SQLITE_DONE && sqlite3_reset(peer->put) == SQLITE_OK;
}

bool peer_get(peer *peer, const char *key, int64_t *value) {
  sqlite3_bind_text(peer->get, 1, key, -1, SQLITE_STATIC);
  bool isFound = sqlite3_step(peer->get) == SQLITE_ROW;
  if (isFound)
    *value = sqlite3_column_int64(peer->get, 0);
  return sqlite3_reset(peer->get) == SQLITE_OK && isFound;
}

bool peer_begin(peer *peer) {
  return sqlite3_exec(peer->base, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
}

bool peer_commit(peer *peer) {
  return sqlite3_exec(peer->base, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

void peer_close(peer *peer) {
  sqlite3_finalize(peer->put);
  sqlite3_finalize(peer->get);
  sqlite3_close(peer->base);
  free(peer);
}
