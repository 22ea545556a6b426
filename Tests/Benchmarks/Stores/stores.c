/* Small values put and got through data sources, beside the C interface of SQLite:
   stores FOLDER. Durable means that each answered write is on the disk, on both sides. */
#include "measure.h"
#include "peer.h"

#include <gatheredkit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Writes that are on their way at the same time, and how often they are all made. */
enum { AT_ONCE = 2000, TIMES = 10 };

/** A store and a query for one of its keys. */
typedef struct entry {
  gkit_datasource *store;
  gkit_dict *query;
} entry;

static void must(gkit_status status) {
  if (status < 0)
    give_up("data sources", gkit_last_error()->message);
}

static entry open_store(gkit_context *context, const char *type, const char *folder) {
  entry entry = {NULL, gkit_query_new("id", "key 1")};
  gkit_dict *options = gkit_dict_new();
  char path[300];
  if (folder != NULL) {
    snprintf(path, sizeof path, "%s/ours.sqlite", folder);
    gkit_value text = gkit_value_string(path);
    must(gkit_dict_set(options, "path", &text));
  }
  must(gkit_datasource_open(context, type, options, &entry.store));
  gkit_release(options);
  return entry;
}

static void get_one(void *data) {
  entry *entry = data;
  gkit_future *future = NULL;
  gkit_value value;
  must(gkit_datasource_get(entry->store, entry->query, &future));
  must(gkit_future_wait(future, -1, &value));
  gkit_release(future);
}

static void put_one(void *data) {
  entry *entry = data;
  gkit_future *future = NULL;
  gkit_value value = gkit_value_int(7);
  must(gkit_datasource_put(entry->store, entry->query, &value, &future));
  must(gkit_future_wait(future, -1, NULL));
  gkit_release(future);
}

static void peer_get_one(void *data) {
  int64_t value;
  if (!peer_get(data, "key 1", &value))
    give_up("SQLite", "nothing found");
}

static void peer_put_one(void *data) {
  if (!peer_put(data, "key 1", 7))
    give_up("SQLite", "not written");
}

/** Prints microseconds of one work of ours beside one of a peer. */
static void compare(const char *name, work ours, const char *peer, work theirs, const char *aim) {
  double spent[2];
  measure((const work[]){ours, theirs}, 2, spent);
  row(name, spent[0] / 1e3, "us", peer, spent[1] / 1e3, aim);
}

/** Many puts under way at once, of which each is answered when it is on the disk; a second. */
static double puts_a_second(entry *store) {
  static gkit_dict *queries[AT_ONCE];
  static gkit_future *futures[AT_ONCE];
  char key[32];
  for (int i = 0; i < AT_ONCE; i++) {
    snprintf(key, sizeof key, "key %d", i);
    queries[i] = gkit_query_new("id", key);
  }
  double best = 0;
  for (int round = 0; round < TIMES; round++) {
    double start = now_ns();
    for (int i = 0; i < AT_ONCE; i++) {
      gkit_value value = gkit_value_int(round + i);
      must(gkit_datasource_put(store->store, queries[i], &value, &futures[i]));
    }
    for (int i = 0; i < AT_ONCE; i++) {
      must(gkit_future_wait(futures[i], -1, NULL));
      gkit_release(futures[i]);
    }
    double rate = AT_ONCE / (now_ns() - start) * 1e9;
    best = rate > best ? rate : best;
  }
  for (int i = 0; i < AT_ONCE; i++)
    gkit_release(queries[i]);
  return best;
}

/** The same many puts, one transaction for all of them; a second. */
static double peer_puts_a_second(peer *peer) {
  char key[32];
  double best = 0;
  for (int round = 0; round < TIMES; round++) {
    double start = now_ns();
    if (!peer_begin(peer))
      give_up("SQLite", "no transaction");
    for (int i = 0; i < AT_ONCE; i++) {
      snprintf(key, sizeof key, "key %d", i);
      if (!peer_put(peer, key, round + i))
        give_up("SQLite", "not written");
    }
    if (!peer_commit(peer))
      give_up("SQLite", "not committed");
    double rate = AT_ONCE / (now_ns() - start) * 1e9;
    best = rate > best ? rate : best;
  }
  return best;
}

static void in_memory(gkit_context *context) {
  peer *peer = peer_open(":memory:");
  entry memory = open_store(context, "memory", NULL);
  if (peer == NULL)
    give_up("SQLite", "no database in memory");
  put_one(&memory);
  peer_put_one(peer);
  compare("get from memory", (work){get_one, &memory},
          "SQLite :memory:", (work){peer_get_one, peer}, "<= 0.4 us");
  compare("put into memory", (work){put_one, &memory},
          "SQLite :memory:", (work){peer_put_one, peer}, "");
  gkit_release(memory.query);
  gkit_release(memory.store);
  peer_close(peer);
}

static void on_disk(gkit_context *context, const char *folder) {
  char path[300];
  snprintf(path, sizeof path, "%s/theirs.sqlite", folder);
  peer *peer = peer_open(path);
  entry storage = open_store(context, "storage", folder), cached = storage;
  if (peer == NULL)
    give_up("SQLite", "no database in the folder");
  must(gkit_datasource_wrap(storage.store, "cache", NULL, &cached.store));
  put_one(&storage);
  peer_put_one(peer);
  compare("get from device storage", (work){get_one, &storage}, "SQLite, file",
          (work){peer_get_one, peer}, "<= 2 x");
  compare("get, cached", (work){get_one, &cached}, "SQLite, file", (work){peer_get_one, peer},
          "<= 0.4 us");
  compare("durable put (WAL, FULL)", (work){put_one, &storage}, "SQLite, same",
          (work){peer_put_one, peer}, "");
  row("durable puts, 2000 at once", puts_a_second(&storage), "puts/s", "SQLite, 1 commit",
      peer_puts_a_second(peer), ">= 400 000/s");
  gkit_release(cached.store);
  gkit_release(storage.query);
  gkit_release(storage.store);
  peer_close(peer);
}

int main(int count, char **arguments) {
  gkit_context *context = NULL;
  if (count < 2)
    give_up("stores", "name a folder");
  must(gkit_context_open("sim:empty", NULL, &context));
  in_memory(context);
  on_disk(context, arguments[1]);
  gkit_context_close(context);
  gkit_release(context);
  return 0;
}
