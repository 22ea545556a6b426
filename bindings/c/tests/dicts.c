/* Dictionaries and lists. */
#include "check.h"
#include <stdio.h>

/* R15: in the order first set; replacing keeps the position. */
static void members_keep_their_order(void) {
  gkit_dict *dict = gkit_dict_new();
  gkit_value value = gkit_value_int(1), found;
  const char *key = NULL;
  CHECK_INT(gkit_dict_count(dict), 0);
  CHECK_OK(gkit_dict_set(dict, "b", &value));
  CHECK_OK(gkit_dict_set(dict, "a", &value));
  CHECK_OK(gkit_dict_set(dict, "c", &value));
  value = gkit_value_string("new");
  CHECK_OK(gkit_dict_set(dict, "b", &value));
  CHECK_INT(gkit_dict_count(dict), 3);
  CHECK_OK(gkit_dict_at(dict, 0, &key, &found));
  CHECK_TEXT(key, "b");
  if (CHECK_INT(found.type, GKIT_TYPE_STRING))
    CHECK_TEXT(found.as.string, "new");
  CHECK_OK(gkit_dict_at(dict, 2, &key, &found));
  CHECK_TEXT(key, "c");
  CHECK_OK(gkit_dict_at(dict, 1, NULL, &found));
  CHECK_STATUS(gkit_dict_at(dict, 3, &key, &found), GKIT_ERROR_NOT_FOUND);
  CHECK_STATUS(gkit_dict_at(dict, SIZE_MAX, &key, &found), GKIT_ERROR_NOT_FOUND);
  CHECK_TEXT(key, "c");
  CHECK_STATUS(gkit_dict_get(dict, "d", &found), GKIT_ERROR_NOT_FOUND);
  gkit_release(dict);
}

/* R15: a dictionary takes keys, a list none. */
static void keys_belong_to_dictionaries(void) {
  gkit_dict *dict = gkit_dict_new(), *list = gkit_list_new();
  gkit_value value = gkit_value_bool(true), found;
  const char *key = "untouched";
  CHECK_INVALID(gkit_dict_set(dict, NULL, &value));
  CHECK_INVALID(gkit_dict_set(list, "a", &value));
  CHECK_OK(gkit_dict_set(list, NULL, &value));
  value = gkit_value_int(2);
  CHECK_OK(gkit_dict_set(list, NULL, &value));
  CHECK_INT(gkit_dict_count(list), 2);
  CHECK_OK(gkit_dict_at(list, 1, &key, &found));
  CHECK(key == NULL);
  CHECK_INT(found.as.integer, 2);
  CHECK_INVALID(gkit_dict_get(list, "a", &found));
  CHECK_INVALID(gkit_dict_get(dict, NULL, &found));
  CHECK_INVALID(gkit_dict_set(dict, "\xC3", &value));
  CHECK_INT(gkit_dict_count(dict), 0);
  gkit_release(dict);
  gkit_release(list);
}

/* R15: a dictionary may be put into itself; it holds the copy. */
static void into_itself(void) {
  gkit_dict *dict = gkit_dict_new();
  gkit_value one = gkit_value_int(1), self = gkit_value_dict(dict), found;
  CHECK_OK(gkit_dict_set(dict, "one", &one));
  CHECK_OK(gkit_dict_set(dict, "self", &self));
  CHECK_INT(gkit_dict_count(dict), 2);
  if (CHECK_OK(gkit_dict_get(dict, "self", &found)) && CHECK_INT(found.type, GKIT_TYPE_DICT)) {
    CHECK(found.as.dict != dict);
    CHECK_INT(gkit_dict_count(found.as.dict), 1);
  }
  gkit_release(dict);
}

/* What is set is a copy: changing the original afterwards changes nothing. */
static void setting_copies_deeply(void) {
  gkit_dict *outer = gkit_dict_new(), *list = gkit_list_new();
  gkit_value item = gkit_value_int(1), value = gkit_value_list(list), found;
  CHECK_OK(gkit_dict_set(list, NULL, &item));
  CHECK_OK(gkit_dict_set(outer, "list", &value));
  CHECK_OK(gkit_dict_set(list, NULL, &item));
  gkit_release(list);
  if (CHECK_OK(gkit_dict_get(outer, "list", &found)) && CHECK_INT(found.type, GKIT_TYPE_LIST))
    CHECK_INT(gkit_dict_count(found.as.dict), 1);
  gkit_release(outer);
}

/* R16: lists count as dict, what is inside another does not; R2: retaining keeps a borrowed one. */
static void counting_and_keeping(void) {
  int64_t before = gkit_live_count("dict");
  gkit_dict *outer = gkit_dict_new(), *inner = gkit_list_new();
  gkit_value value = gkit_value_list(inner), found = gkit_value_none();
  CHECK_INT(gkit_live_count("dict"), before + 2);
  CHECK_OK(gkit_dict_set(inner, NULL, &value));
  CHECK_OK(gkit_dict_set(outer, "inner", &value));
  gkit_release(inner);
  CHECK_INT(gkit_live_count("dict"), before + 1);
  CHECK_OK(gkit_dict_get(outer, "inner", &found));
  CHECK(gkit_retain(found.as.dict) != NULL);
  gkit_release(outer);
  CHECK_INT(gkit_dict_count(found.as.dict), 1);
  gkit_release(found.as.dict);
  CHECK_INT(gkit_live_count("dict"), before);
}

static void no_dictionary(void) {
  gkit_value value = gkit_value_int(1), found;
  gkit_dict *gone = gkit_dict_new();
  gkit_release(gone);
  CHECK_INT(gkit_dict_count(NULL), 0);
  CHECK_INT(gkit_dict_count(gone), 0);
  CHECK_INVALID(gkit_dict_set(gone, "a", &value));
  CHECK_INVALID(gkit_dict_get(gone, "a", &found));
  CHECK_INVALID(gkit_dict_at(gone, 0, NULL, &found));
  CHECK_INVALID(gkit_dict_set(NULL, "a", &value));
}

static void many_members(void) {
  gkit_dict *dict = gkit_dict_new();
  char key[32];
  for (int i = 0; i < 2000; i++) {
    gkit_value value = gkit_value_int(i);
    snprintf(key, sizeof key, "key %d", i);
    CHECK_OK(gkit_dict_set(dict, key, &value));
  }
  for (int i = 0; i < 2000; i += 97) {
    gkit_value found = gkit_value_none();
    snprintf(key, sizeof key, "key %d", i);
    CHECK_OK(gkit_dict_get(dict, key, &found));
    CHECK_INT(found.as.integer, i);
  }
  gkit_release(dict);
}

int main(void) {
  RUN(members_keep_their_order);
  RUN(keys_belong_to_dictionaries);
  RUN(into_itself);
  RUN(setting_copies_deeply);
  RUN(counting_and_keeping);
  RUN(no_dictionary);
  RUN(many_members);
  return check_report();
}
