#include "calls.h"
#include <stdio.h>

char calls_folder[64], calls_recording[96];
int64_t calls_in_reserve;

static const call *const tables[] = {value_calls,  context_calls, source_calls, reader_calls,
                                     stream_calls, patch_calls,   sink_calls,   store_calls};
enum { TABLES = sizeof tables / sizeof tables[0] };

void calls_make_one(void) {
  const call *table = tables[pick(TABLES)];
  uint32_t total = 0;
  for (const call *each = table; each->name != NULL; each++)
    total += each->weight;
  uint32_t place = pick(total);
  for (const call *each = table; each->name != NULL; each++) {
    if (place < each->weight) {
      each->make();
      return;
    }
    place -= each->weight;
  }
}

void calls_list(void) {
  for (int i = 0; i < TABLES; i++)
    for (const call *each = tables[i]; each->name != NULL; each++)
      puts(each->name);
}

gkit_dict *pick_options(const char *const *texts) {
  gkit_value value;
  const char *text = pick_text(texts);
  size_t length = 0;
  while (text[length] != 0)
    length++;
  if (gkit_value_from_json(text, length, &value) < 0 || value.type != GKIT_TYPE_DICT)
    return NULL;
  gkit_dict *dict = gkit_retain(value.as.dict);
  gkit_value_clear(&value);
  pool_put(DICT, dict);
  return dict;
}

gkit_value pick_value(void) {
  static const double numbers[] = {1, -2.5, 0, 1e9};
  switch (pick(10)) {
  case 0:
    return gkit_value_none();
  case 1:
    return gkit_value_bool(pick(2) == 0);
  case 2:
  case 3:
    return gkit_value_int((int64_t)pick(10) - 5);
  case 4:
    return gkit_value_vector(numbers, 2 + pick(3));
  case 5:
    return gkit_value_string("text");
  case 6:
    return gkit_value_bytes("bytes", 5);
  case 7:
    return gkit_value_time(1000);
  case 8:
    return gkit_value_dict(pool_get(DICT));
  default:
    return gkit_value_double(numbers[pick(4)]);
  }
}

void calls_bound(gkit_stream *stream) {
  gkit_value limit = gkit_value_int(20);
  (void)gkit_stream_set_option(stream, "cascade_limit", &limit);
}

int64_t pick_timeout(void) { return pick(3) == 0 ? (int64_t)pick(4) * 500000 : 0; }

int64_t pick_interval(void) {
  static const int64_t intervals[] = {0, 1000000, 5000000, 20000000, 1000000000, -1};
  return intervals[pick(6)];
}

const char *pick_id(void) {
  static const char *const ids[] = {
      "memory",          "cpu|machine", "battery",   "battery|BAT0", "accelerometer",
      "device_attitude", "storage",     "thermal|x", "gps",          "no_such_kind",
      "network",         "microphone",  NULL};
  return pick_text(ids);
}
