/* What gkit_stream_list_operators lists is what gkit_stream_apply and gkit_stream_combine take. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "probe.h"
#include <string.h>

/* A member of a row; NONE if it has none of that name. */
static gkit_value member(const gkit_dict *row, const char *key) {
  gkit_value value = gkit_value_none();
  gkit_status status = gkit_dict_get(row, key, &value);
  CHECK(status == GKIT_OK || status == GKIT_ERROR_NOT_FOUND);
  return value;
}

static gkit_value needed(const gkit_dict *row, const char *key, int32_t type) {
  gkit_value value = member(row, key);
  CHECK_INT(value.type, type);
  return value;
}

static const char *word(const gkit_dict *row, const char *key) {
  gkit_value value = needed(row, key, GKIT_TYPE_STRING);
  return value.type == GKIT_TYPE_STRING ? value.as.string : "";
}

static bool flag(const gkit_dict *row, const char *key) {
  return needed(row, key, GKIT_TYPE_BOOL).as.boolean;
}

static gkit_dict *item(const gkit_dict *list, size_t index) {
  gkit_value value = gkit_value_none();
  CHECK_OK(gkit_dict_at(list, index, NULL, &value));
  CHECK_INT(value.type, GKIT_TYPE_DICT);
  return value.as.dict;
}

/* A value of the type of an option, within its bounds. */
static gkit_value fitting(const gkit_dict *option) {
  const char *hint = word(option, "hint");
  if (strcmp(hint, "int") == 0)
    return needed(option, "least", GKIT_TYPE_INT);
  if (strcmp(hint, "double") == 0)
    return needed(option, "least", GKIT_TYPE_DOUBLE);
  if (strcmp(hint, "bool") == 0)
    return needed(option, "default", GKIT_TYPE_BOOL);
  CHECK_TEXT(hint, "any");
  return gkit_value_string("x");
}

/* Applies an operator; what it makes is released. */
static gkit_status applied(gkit_stream *stream, const char *name, const gkit_dict *arguments) {
  gkit_stream *out = NULL;
  gkit_status status = gkit_stream_apply(stream, name, arguments, &out);
  CHECK((out != NULL) == (status >= 0));
  gkit_release(out);
  return status;
}

/* One option more, or another value of it. */
static gkit_status with(gkit_stream *stream, const char *name, const gkit_dict *arguments,
                        const char *option, gkit_value value) {
  gkit_value copy = gkit_value_none();
  gkit_dict *changed = gkit_dict_new();
  const char *key;
  for (size_t i = 0; i < gkit_dict_count(arguments); i++) {
    CHECK_OK(gkit_dict_at(arguments, i, &key, &copy));
    CHECK_OK(gkit_dict_set(changed, key, &copy));
  }
  CHECK_OK(gkit_dict_set(changed, option, &value));
  gkit_status status = applied(stream, name, changed);
  gkit_release(changed);
  return status;
}

/* What is beyond the bounds of an option, or of another type. */
static void beyond(gkit_stream *stream, const char *name, const gkit_dict *arguments,
                   const gkit_dict *option) {
  const char *key = word(option, "name");
  gkit_value least = member(option, "least"), most = member(option, "most");
  if (strcmp(word(option, "hint"), "any") != 0)
    CHECK_INVALID(with(stream, name, arguments, key, gkit_value_string("x")));
  if (least.type == GKIT_TYPE_INT)
    CHECK_INVALID(with(stream, name, arguments, key, gkit_value_int(least.as.integer - 1)));
  if (least.type == GKIT_TYPE_DOUBLE)
    CHECK_INVALID(with(stream, name, arguments, key, gkit_value_double(least.as.number - 1)));
  if (most.type == GKIT_TYPE_INT)
    CHECK_STATUS(with(stream, name, arguments, key, gkit_value_int(most.as.integer + 1)),
                 GKIT_ERROR_LIMIT);
  if (most.type == GKIT_TYPE_DOUBLE)
    CHECK_INVALID(with(stream, name, arguments, key, gkit_value_double(most.as.number + 1)));
}

/* Whether a choice of the options, one bit each, obeys the rule of the row. */
static bool obeys(const gkit_dict *row, const gkit_dict *options, unsigned chosen) {
  const char *need = word(row, "need");
  size_t count = 0, missing = 0;
  for (size_t i = 0; i < gkit_dict_count(options); i++) {
    bool is_given = chosen >> i & 1;
    count += is_given;
    missing += flag(item(options, i), "required") && !is_given;
  }
  if (strcmp(need, "exactlyOne") == 0)
    return count == 1;
  if (strcmp(need, "atLeastOne") == 0)
    return count >= 1;
  CHECK_TEXT(need, "required");
  return missing == 0;
}

/* Whether an operator takes streams of a type. */
static bool takes(const gkit_dict *row, const char *type) {
  gkit_value listed = gkit_value_none();
  if (member(row, "collections").type == GKIT_TYPE_NONE)
    return true;
  gkit_dict *types = needed(row, "collections", GKIT_TYPE_LIST).as.dict;
  for (size_t i = 0; i < gkit_dict_count(types); i++) {
    CHECK_OK(gkit_dict_at(types, i, NULL, &listed));
    CHECK_INT(listed.type, GKIT_TYPE_STRING);
    if (strcmp(listed.as.string, type) == 0)
      return true;
  }
  return false;
}

/* What an operator can be applied to. */
static gkit_stream *held_for(sim *sim, const gkit_dict *row) {
  if (takes(row, "variable"))
    return probe_variable(sim, 0);
  gkit_stream *stream = NULL;
  CHECK_OK(gkit_stream_new(sim->context, takes(row, "list") ? "list" : "set", NULL, &stream));
  return stream;
}

/* Every choice of the options of a row. */
static void choices(sim *sim, const gkit_dict *row) {
  const char *name = word(row, "name");
  gkit_dict *options = needed(row, "options", GKIT_TYPE_LIST).as.dict;
  size_t count = gkit_dict_count(options);
  gkit_stream *held = held_for(sim, row), *signal = probe_signal(sim);
  for (unsigned chosen = 0; chosen < 1u << count; chosen++) {
    gkit_dict *arguments = gkit_dict_new();
    for (size_t i = 0; i < count; i++)
      if (chosen >> i & 1) {
        gkit_value value = fitting(item(options, i));
        CHECK_OK(gkit_dict_set(arguments, word(item(options, i), "name"), &value));
      }
    if (obeys(row, options, chosen)) {
      CHECK_OK(applied(held, name, arguments));
      CHECK_STATUS(applied(signal, name, arguments),
                   flag(row, "needs_observable") ? GKIT_ERROR_NOT_SUPPORTED : GKIT_OK);
      CHECK_INVALID(with(held, name, arguments, "nonsense", gkit_value_int(1)));
      for (size_t i = 0; i < count; i++)
        if (chosen >> i & 1)
          beyond(held, name, arguments, item(options, i));
    } else {
      CHECK_INVALID(applied(held, name, arguments));
    }
    gkit_release(arguments);
  }
  gkit_release(held);
  gkit_release(signal);
}

/* Every number of streams that a row allows, up to 4, and what it does not. */
static void inputs(sim *sim, const gkit_dict *row) {
  gkit_value most = member(row, "most_inputs");
  int64_t least = needed(row, "least_inputs", GKIT_TYPE_INT).as.integer;
  gkit_stream *stream = held_for(sim, row);
  gkit_stream *streams[] = {stream, stream, stream, stream};
  CHECK(flag(row, "needs_observable") == !takes(row, "variable"));
  CHECK_TEXT(word(row, "need"), "required");
  CHECK_INT(gkit_dict_count(needed(row, "options", GKIT_TYPE_LIST).as.dict), 0);
  for (int64_t count = 0; count <= 4; count++) {
    bool fits = count >= least && (most.type == GKIT_TYPE_NONE || count <= most.as.integer);
    gkit_stream *out = NULL;
    CHECK_STATUS(gkit_stream_combine(streams, (size_t)count, word(row, "name"), &out),
                 fits ? GKIT_OK : GKIT_ERROR_INVALID_ARGUMENT);
    CHECK((out != NULL) == fits);
    gkit_release(out);
  }
  gkit_release(stream);
}

static void rows(void) {
  sim sim;
  gkit_dict *operators = NULL;
  size_t combining = 0;
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_OK(gkit_stream_list_operators(&operators));
  CHECK(gkit_dict_count(operators) > 30);
  for (size_t i = 0; i < gkit_dict_count(operators); i++) {
    gkit_dict *row = item(operators, i);
    CHECK(strlen(word(row, "summary")) > 10);
    if (strcmp(word(row, "by"), "combine") == 0) {
      combining++;
      inputs(&sim, row);
    } else {
      CHECK_TEXT(word(row, "by"), "apply");
      CHECK_INT(needed(row, "least_inputs", GKIT_TYPE_INT).as.integer, 1);
      CHECK_INT(needed(row, "most_inputs", GKIT_TYPE_INT).as.integer, 1);
      choices(&sim, row);
    }
  }
  CHECK_INT(combining, 21);
  gkit_release(operators);
  sim_close(&sim);
}

/* It needs no context; each caller has a list of its own, which outlives contexts. */
static void lists(void) {
  gkit_dict *first = NULL, *second = NULL;
  gkit_value one = gkit_value_int(1);
  CHECK_INVALID(gkit_stream_list_operators(NULL));
  CHECK_OK(gkit_stream_list_operators(&first));
  size_t count = gkit_dict_count(first);
  CHECK_OK(gkit_dict_set(first, NULL, &one));
  CHECK_OK(gkit_stream_list_operators(&second));
  CHECK(first != second);
  CHECK_INT(gkit_dict_count(second), count);
  CHECK_TEXT(word(item(second, 0), "name"), "distinct");
  gkit_release(first);
  gkit_release(second);
}

int main(void) {
  RUN(rows);
  RUN(lists);
  return check_report();
}
