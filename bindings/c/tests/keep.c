#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700
#include "keep.h"
#include "check.h"
#include <ftw.h>
#include <stdio.h>
#include <string.h>

bool keep_open(keep *keep, uint32_t mode) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  options.mode = mode;
  keep->context = NULL;
  return CHECK_OK(gkit_context_open("sim:phone&clock=manual", &options, &keep->context));
}

void keep_close(keep *keep) {
  CHECK_OK(gkit_context_close(keep->context));
  gkit_release(keep->context);
}

static gkit_value read_json(const char *json) {
  gkit_value value = gkit_value_none();
  CHECK_OK(gkit_value_from_json(json, strlen(json), &value));
  return value;
}

gkit_dict *keep_dict(const char *json) {
  gkit_value value;
  if (json == NULL)
    return NULL;
  value = read_json(json);
  CHECK_INT(value.type, GKIT_TYPE_DICT);
  return value.as.dict;
}

gkit_datasource *keep_store(keep *keep, const char *type, const char *options) {
  gkit_dict *given = keep_dict(options);
  gkit_datasource *store = NULL;
  CHECK_OK(gkit_datasource_open(keep->context, type, given, &store));
  gkit_release(given);
  return store;
}

void keep_say(char words[KEEP_WORDS], const char *word) {
  size_t length = strlen(words);
  snprintf(words + length, KEEP_WORDS - length, "%s%s", length ? " " : "", word);
}

const char *keep_take(char words[KEEP_WORDS]) {
  static char taken[KEEP_WORDS];
  memcpy(taken, words, sizeof taken);
  words[0] = 0;
  return taken;
}

const char *keep_id(const char *id) {
  static char texts[2][200];
  static int turn;
  turn = !turn;
  snprintf(texts[turn], sizeof texts[turn], "{\"type\":\"id\",\"id\":\"%s\"}", id);
  return texts[turn];
}

gkit_future *keep_ask(gkit_datasource *store, int32_t operation, const char *query,
                      const char *value) {
  gkit_dict *question = keep_dict(query);
  gkit_value given = value ? read_json(value) : gkit_value_none();
  gkit_future *future = NULL;
  CHECK_OK(gkit_datasource_perform(store, operation, question, value ? &given : NULL, &future));
  gkit_value_clear(&given);
  gkit_release(question);
  return future;
}

static void add_missing(gkit_future *future, char *text, size_t size) {
  gkit_dict *error = NULL;
  gkit_value missing, id;
  if (!CHECK_OK(gkit_future_get_error(future, &error)))
    return;
  if (CHECK_OK(gkit_dict_get(error, "missing", &missing)) && gkit_dict_count(missing.as.dict) > 0)
    strncat(text, " missing", size - strlen(text) - 1);
  for (size_t i = 0; i < gkit_dict_count(missing.as.dict); i++)
    if (CHECK_OK(gkit_dict_at(missing.as.dict, i, NULL, &id))) {
      strncat(text, " ", size - strlen(text) - 1);
      strncat(text, id.as.string, size - strlen(text) - 1);
    }
  gkit_release(error);
}

const char *keep_result(gkit_future *future, int64_t timeout_ns) {
  static char text[4096];
  gkit_value value;
  gkit_status status = gkit_future_wait(future, timeout_ns, &value);
  if (status < 0) {
    gkit_dict *error = NULL;
    snprintf(text, sizeof text, "%s", gkit_status_name(status) + strlen("GKIT_ERROR_"));
    bool isReady = gkit_future_get_error(future, &error) == GKIT_OK;
    gkit_release(error);
    if (isReady)
      add_missing(future, text, sizeof text);
  } else {
    char *json = gkit_value_to_json(&value);
    snprintf(text, sizeof text, "%s", json ? json : "?");
    gkit_free(json);
  }
  return text;
}

const char *keep_do(gkit_datasource *store, int32_t operation, const char *query,
                    const char *value) {
  gkit_future *future = keep_ask(store, operation, query, value);
  const char *text = keep_result(future, PATIENCE);
  gkit_release(future);
  return text;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place) {
  (void)info, (void)kind, (void)place;
  return remove(path);
}

void keep_remove(const char *folder) {
  CHECK_INT(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}
