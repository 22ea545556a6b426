/* What is told is true: a call that a close cancels was not done and never will be, no thread of
   the context is left, and every destroy function has run when it returns. */
#define _DEFAULT_SOURCE
#include "census.h"
#include "check.h"
#include "keep.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Another process, which holds what a store wants to write */

typedef struct holder {
  pid_t process;
  int orders, answers;
} holder;

/* Begins a transaction with SQLite itself; false where there is no SQLite. */
static bool hold_database(const char *path) {
  void *library = dlopen("libsqlite3.so.0", RTLD_NOW);
  int (*open_database)(const char *, void **);
  int (*run)(void *, const char *, void *, void *, void *);
  void *database = NULL;
  if (library == NULL)
    return false;
  *(void **)&open_database = dlsym(library, "sqlite3_open");
  *(void **)&run = dlsym(library, "sqlite3_exec");
  return open_database(path, &database) == 0 &&
         run(database, "BEGIN EXCLUSIVE", NULL, NULL, NULL) == 0;
}

static bool hold_folder(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY);
  return folder >= 0 && flock(folder, LOCK_EX) == 0;
}

/* Holds a path until it is ended. */
static holder holder_start(const char *path, bool is_folder) {
  int orders[2], answers[2];
  char answer = 0;
  if (!CHECK(pipe(orders) == 0 && pipe(answers) == 0))
    abort();
  fflush(NULL);
  pid_t process = fork();
  if (process == 0) {
    close(orders[1]);
    answer = (is_folder ? hold_folder(path) : hold_database(path)) ? 'y' : 'n';
    if (write(answers[1], &answer, 1) == 1)
      while (read(orders[0], &answer, 1) > 0) {
      }
    _exit(0);
  }
  close(orders[0]);
  close(answers[1]);
  CHECK(read(answers[0], &answer, 1) == 1 && answer == 'y');
  return (holder){process, orders[1], answers[0]};
}

static void holder_end(holder holder) {
  close(holder.orders);
  close(holder.answers);
  CHECK(waitpid(holder.process, NULL, 0) == holder.process);
}

/* ---- Stores that others can hold */

static char folder[] = "/tmp/gatheredkit-closing-XXXXXX";

typedef struct kind {
  const char *name, *type, *options, *held, *value;
} kind;

static const kind kinds[] = {
    {"storage", "storage", "{\"path\":\"%s/a.sqlite\"}", "%s/a.sqlite", "\"x\""},
    {"rows", "sqlite",
     "{\"path\":\"%s/b.sqlite\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"string\"},"
     "{\"name\":\"v\",\"type\":\"int\"}]}",
     "%s/b.sqlite", "{\"v\":1}"},
    {"files", "files", "{\"folder\":\"%s/files\"}", "%s/files", "{\"bytes\":\"AAEC\"}"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *in_folder(const char *format) {
  static char text[500];
  snprintf(text, sizeof text, format, folder);
  return text;
}

static gkit_status same(const gkit_value *in, gkit_value *out, void *user_data) {
  (void)user_data;
  if (out != NULL)
    *out = *in;
  return GKIT_OK;
}

enum { PLAIN, MAPPED, RETRIED, BEHIND_MEMORY, WAYS };

/* The store itself, or what has it inside. */
static gkit_datasource *open_way(keep *keep, const kind *kind, int way) {
  gkit_datasource *store = keep_store(keep, kind->type, in_folder(kind->options)), *outer = NULL;
  gkit_datasource *memory = keep_store(keep, "memory", NULL);
  gkit_dict *often = keep_dict("{\"retries\":100}");
  switch (way) {
  case MAPPED:
    CHECK_OK(gkit_datasource_map(store, same, same, NULL, NULL, &outer));
    break;
  case RETRIED:
    CHECK_OK(gkit_datasource_retry(store, often, NULL, NULL, NULL, &outer));
    break;
  case BEHIND_MEMORY:
    CHECK_OK(gkit_repository_new(store, memory, NULL, NULL, NULL, NULL, NULL, &outer));
    break;
  default:
    outer = gkit_retain(store);
  }
  gkit_release(often);
  gkit_release(memory);
  gkit_release(store);
  return outer;
}

/* Whether something stands under an id. */
static bool is_there(gkit_datasource *store, const char *id) {
  const char *text = keep_do(store, GKIT_OPERATION_GET, keep_id(id), NULL);
  bool is_absent = strncmp(text, "NOT_FOUND", 9) == 0;
  CHECK(is_absent || text[0] == '{' || text[0] == '"');
  return !is_absent;
}

/* A context that comes later, and what it sees. */
static gkit_datasource *reopen(keep *later, const kind *kind) {
  CHECK(keep_open(later, GKIT_MODE_THREAD));
  return keep_store(later, kind->type, in_folder(kind->options));
}

static void try_held(const kind *kind, int way, uint32_t mode) {
  keep keep;
  if (!keep_open(&keep, mode))
    return;
  gkit_datasource *store = open_way(&keep, kind, way);
  char id[40];
  snprintf(id, sizeof id, "held %d %u", way, mode);
  CHECK_TEXT(keep_do(store, GKIT_OPERATION_PUT, keep_id("first"), kind->value)[0] ? "" : "-", "");
  char held[500];
  snprintf(held, sizeof held, kind->held, folder);
  holder holder = holder_start(held, strcmp(kind->type, "files") == 0);
  gkit_future *future = keep_ask(store, GKIT_OPERATION_PUT, keep_id(id), kind->value);
  gkit_future *second = keep_ask(store, GKIT_OPERATION_DELETE, keep_id("first"), NULL);
  CHECK_OK(gkit_context_close(keep.context));
  CHECK_STATUS(gkit_future_wait(future, 0, NULL), GKIT_ERROR_CANCELLED);
  CHECK_STATUS(gkit_future_wait(second, 0, NULL), GKIT_ERROR_CANCELLED);
  holder_end(holder);
  gkit_release(second);
  gkit_release(future);
  gkit_release(store);
  keep_close(&keep);
  store = reopen(&keep, kind);
  CHECK(!is_there(store, id));
  CHECK(is_there(store, "first"));
  gkit_release(store);
  keep_close(&keep);
}

static void what_is_cancelled_is_never_done(void) {
  for (int kind = 0; kind < KINDS; kind++)
    for (int way = 0; way < WAYS; way++) {
      try_held(&kinds[kind], way, GKIT_MODE_THREAD);
      try_held(&kinds[kind], way, GKIT_MODE_HOST);
    }
}

enum { CALLS = 40 };

/* How many writes there are: fewer where every instruction is watched. */
static int calls(void) { return getenv("GKIT_TEST_SLOW") != NULL ? CALLS / 4 : CALLS; }

/* Closes amid many writes: what each is told is so. */
static void try_amid(const kind *kind, int way, uint32_t mode, int before) {
  gkit_future *futures[CALLS];
  char ids[CALLS][60];
  keep keep, later;
  if (!keep_open(&keep, mode))
    return;
  gkit_datasource *store = open_way(&keep, kind, way);
  for (int i = 0; i < calls(); i++) {
    snprintf(ids[i], sizeof ids[i], "amid %d %u %d %d", way, mode, before, i);
    futures[i] = keep_ask(store, GKIT_OPERATION_PUT, keep_id(ids[i]), kind->value);
  }
  if (before > 0)
    CHECK_OK(gkit_future_wait(futures[before - 1], -1, NULL));
  CHECK_OK(gkit_context_close(keep.context));
  gkit_release(store);
  store = reopen(&later, kind);
  for (int i = 0; i < calls(); i++) {
    gkit_status status = gkit_future_wait(futures[i], 0, NULL);
    CHECK(status == GKIT_OK || status == GKIT_ERROR_CANCELLED);
    CHECK_INT(is_there(store, ids[i]), status == GKIT_OK);
    gkit_release(futures[i]);
  }
  gkit_release(store);
  keep_close(&later);
  keep_close(&keep);
}

static void what_is_told_amid_writes_is_so(void) {
  for (int kind = 0; kind < KINDS; kind++)
    for (int way = 0; way < WAYS; way++) {
      try_amid(&kinds[kind], way, GKIT_MODE_THREAD, 0);
      try_amid(&kinds[kind], way, GKIT_MODE_THREAD, calls() / 2);
      try_amid(&kinds[kind], way, GKIT_MODE_HOST, 1);
    }
}

/* ---- Threads */

static const char *const thread_stores[][2] = {
    {"storage", "{\"path\":\"%s/t.sqlite\"}"},
    {"files", "{\"folder\":\"%s/t\"}"},
    {"keychain", "{\"service\":\"gatheredkit-closing\"}"},
    {"recording", "{\"path\":\"%s/t.gkrec\"}"},
    {"sqlite", "{\"path\":\"%s/"
               "t2.sqlite\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"int\"}]}"},
};

/* C6: every handle is still held, and no thread of the context is left. */
static void no_thread_stays(void) {
  keep keep;
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  /* GLib, which the keychain may ask, has a thread for as long as the process lives. */
  gkit_datasource *keychain =
      keep_store(&keep, "keychain", "{\"service\":\"gatheredkit-closing\"}");
  keep_do(keychain, GKIT_OPERATION_GET, keep_id("a"), NULL);
  gkit_release(keychain);
  keep_close(&keep);
  census before = census_take();
  if (!keep_open(&keep, GKIT_MODE_THREAD))
    return;
  enum { STORES = sizeof thread_stores / sizeof *thread_stores, FORMATS = 3 };
  const char *const formats[FORMATS] = {"recording", "csv", "jsonl"};
  gkit_datasource *stores[STORES];
  gkit_sink *sinks[FORMATS];
  gkit_source *source = NULL;
  char path[600];
  CHECK_OK(gkit_source_open(keep.context, "battery", &source));
  for (int i = 0; i < FORMATS; i++) {
    snprintf(path, sizeof path, "%s/sink.%s", folder, formats[i]);
    CHECK_OK(gkit_sink_open(keep.context, formats[i], path, NULL, &sinks[i]));
    CHECK_OK(gkit_sink_add_source(sinks[i], source));
  }
  CHECK_OK(gkit_source_start(source, 0));
  for (int i = 0; i < STORES; i++) {
    stores[i] = keep_store(&keep, thread_stores[i][0], in_folder(thread_stores[i][1]));
    keep_do(stores[i], GKIT_OPERATION_GET, keep_id("a"), NULL);
  }
  CHECK_OK(gkit_context_close(keep.context));
  /* One of GLib's that had nothing to do may have ended meanwhile. */
  CHECK(census_threads_ended(before));
  for (int i = 0; i < FORMATS; i++) {
    /* What was gathered is in it. */
    CHECK_OK(gkit_sink_close(sinks[i]));
    gkit_release(sinks[i]);
  }
  for (int i = 0; i < STORES; i++)
    gkit_release(stores[i]);
  gkit_release(source);
  keep_close(&keep);
}

int main(void) {
  if (!CHECK(mkdtemp(folder) != NULL))
    return check_report();
  RUN(what_is_cancelled_is_never_done);
  RUN(what_is_told_amid_writes_is_so);
  RUN(no_thread_stays);
  keep_remove(folder);
  return check_report();
}
