/* V1 to V10, R6: properties, their values, and why there is none. */
#include "check.h"
#include "sim.h"
#include <errno.h>
#include <string.h>

static const char *text_of(const gkit_dict *dict, const char *key) {
  gkit_value value;
  if (gkit_dict_get(dict, key, &value) < 0 || value.type != GKIT_TYPE_STRING)
    return NULL;
  return value.as.string;
}

/* V1, V10: the list and the values are there before the first start. */
static void declared_before_the_start(void) {
  sim sim;
  gkit_sample samples[64];
  gkit_property_info info = GKIT_PROPERTY_INFO_INIT;
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  uint32_t count = sim_property_count(source);
  CHECK_INT(gkit_source_get_values(source, NULL, 0), count);
  CHECK_INT(gkit_source_get_values(source, samples, 64), count);
  for (uint32_t i = 0; i < count && i < 64; i++) {
    CHECK_INT(samples[i].property, i);
    CHECK_INT(samples[i].status, GKIT_SAMPLE_NO_DATA);
    CHECK_INT(samples[i].value.type, GKIT_TYPE_NONE);
  }
  memset(samples, 0x55, sizeof samples);
  CHECK_INT(gkit_source_get_values(source, samples, 2), count);
  CHECK_INT(samples[2].source, 0x55555555);
  CHECK_OK(gkit_source_get_property_info(source, 0, &info));
  CHECK_TEXT(info.key, "total");
  CHECK_TEXT(info.unit, "By");
  CHECK_INT(info.type, GKIT_TYPE_INT);
  CHECK_INT(info.reporting_mode, GKIT_REPORTING_ON_CHANGE);
  CHECK_INVALID(gkit_source_get_property_info(source, count, &info));
  CHECK_INVALID(gkit_source_get_value(source, count, samples));
  CHECK_INVALID(gkit_source_get_value(source, UINT32_MAX, samples));
  gkit_release(source);
  sim_close(&sim);
}

/* V5: no property's failure changes a neighbour. */
static void neighbours(void) {
  sim sim;
  gkit_dict *why = NULL;
  gkit_value value;
  if (!sim_open(&sim, MEMORY "0 set memory|machine/available 9\n"
                             "0 error memory|machine/free 5\n"
                             "0 absent memory|machine/zswap unsupported old kernel\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_INT(sim_value(source, "free").status, GKIT_SAMPLE_FAILED);
  CHECK_INT(sim_value(source, "zswap").status, GKIT_SAMPLE_UNSUPPORTED);
  CHECK_INT(sim_value(source, "available").status, GKIT_SAMPLE_OK);
  CHECK_INT(sim_value(source, "available").value.as.integer, 9);
  if (CHECK_OK(gkit_source_explain(source, sim_property(source, "free"), &why))) {
    CHECK_TEXT(text_of(why, "status"), "error");
    CHECK(gkit_dict_get(why, "errno", &value) == GKIT_OK && value.as.integer == EIO);
  }
  gkit_release(why);
  if (CHECK_OK(gkit_source_explain(source, sim_property(source, "zswap"), &why)))
    CHECK_TEXT(text_of(why, "reason"), "old kernel");
  gkit_release(why);
  gkit_release(source);
  sim_close(&sim);
}

/* V8, V9: what was measured anew counts on; what is equal only grows older. */
static void sequences_and_news(void) {
  sim sim;
  gkit_sample total, free_memory, before;
  if (!sim_open(&sim, MEMORY "0 set memory|machine/total 100\n2.5 set memory|machine/total 200\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, 0));
  before = sim_value(source, "total");
  CHECK_INT(before.sequence, 1);
  CHECK_INT(before.flags & GKIT_FLAG_IS_NEW, GKIT_FLAG_IS_NEW);
  CHECK_INT(sim_value(source, "free").sequence, 1);
  CHECK_OK(sim_seek(&sim, SECOND));
  total = sim_value(source, "total");
  free_memory = sim_value(source, "free");
  CHECK_INT(total.sequence, 1);
  CHECK_INT(total.flags & GKIT_FLAG_IS_NEW, 0);
  CHECK_INT(total.boot_ns, SECOND);
  CHECK_INT(free_memory.sequence, 2);
  CHECK_INT(free_memory.flags & GKIT_FLAG_IS_NEW, GKIT_FLAG_IS_NEW);
  CHECK_OK(sim_seek(&sim, 3 * SECOND));
  total = sim_value(source, "total");
  CHECK_INT(total.sequence, 2);
  CHECK_INT(total.flags & GKIT_FLAG_IS_NEW, GKIT_FLAG_IS_NEW);
  CHECK_INT(total.value.as.integer, 200);
  CHECK_INT(total.time_ns - total.boot_ns, INT64_C(1700000000) * SECOND);
  gkit_source_stop(source);
  CHECK_INT(sim_value(source, "total").value.as.integer, 200);
  gkit_release(source);
  sim_close(&sim);
}

static void stale_keeps_its_payload(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY "1 absent memory|machine/free stale\n"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_INT(sim_value(source, "free").status, GKIT_SAMPLE_STALE);
  CHECK_INT(sim_value(source, "free").value.as.integer, 5);
  gkit_release(source);
  sim_close(&sim);
}

/* R6 */
static void setting(void) {
  sim sim;
  gkit_value number = gkit_value_int(1);
  if (!sim_open(&sim, MEMORY))
    return;
  gkit_source *memory = sim_source(&sim, "memory|machine");
  CHECK_INVALID(gkit_source_set_value(memory, 10000, &number));
  CHECK_INVALID(gkit_source_set_value(memory, sim_property(memory, "free"), NULL));
  CHECK_STATUS(gkit_source_set_value(memory, sim_property(memory, "free"), &number),
               GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(memory);
  sim_close(&sim);
}

/* R2: what a getter fills in stays until the same thread asks the same again. */
static void borrowed_payloads(void) {
  sim sim;
  gkit_sample sample;
  if (!sim_open(&sim, "0 add battery|BAT0\n0 set battery|BAT0/model \"M\xC3\xBC\"\n"))
    return;
  gkit_source *source = sim_source(&sim, "battery|BAT0");
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_OK(gkit_source_get_value(source, sim_property(source, "model"), &sample));
  if (CHECK_INT(sample.value.type, GKIT_TYPE_STRING)) {
    CHECK_OK(gkit_source_update_values(source, SECOND));
    CHECK_INT(sample.value.count, 3);
    CHECK_TEXT(sample.value.as.string, "M\xC3\xBC");
  }
  gkit_release(source);
  sim_close(&sim);
}

/* R2, R6: an update and all values in one call, whose payloads are its own. */
static void read_in_one_call(void) {
  sim sim;
  gkit_sample rows[64], others[64];
  if (!sim_open(&sim, "0 add battery|BAT0\n0 set battery|BAT0/model \"M\xC3\xBC\"\n"
                      "9 set battery|BAT0/model \"N\"\n"))
    return;
  gkit_source *source = sim_source(&sim, "battery|BAT0");
  sim.key = "model";
  uint32_t count = sim_property_count(source), model = sim_property(source, "model");
  CHECK_INVALID(gkit_source_read_values(source, SECOND, NULL, 1));
  CHECK_TEXT(sim_take(&sim), "");
  CHECK_INT(gkit_source_read_values(source, SECOND, NULL, 0), count);
  CHECK_TEXT(sim_take(&sim), "M\xC3\xBC");
  memset(rows, 0x55, sizeof rows);
  CHECK_INT(gkit_source_read_values(source, SECOND, rows, model + 1), count);
  CHECK_TEXT(sim_take(&sim), "M\xC3\xBC");
  CHECK_INT(rows[model + 1].source, 0x55555555);
  CHECK_OK(sim_seek(&sim, 9 * SECOND));
  CHECK_OK(gkit_source_update_values(source, SECOND));
  CHECK_INT(gkit_source_get_values(source, others, 64), count);
  if (CHECK_INT(rows[model].value.type, GKIT_TYPE_STRING))
    CHECK_TEXT(rows[model].value.as.string, "M\xC3\xBC");
  CHECK_INT(gkit_source_read_values(source, -1, rows, 64), count);
  if (CHECK_INT(rows[model].value.type, GKIT_TYPE_STRING))
    CHECK_TEXT(rows[model].value.as.string, "N");
  CHECK_OK(gkit_context_close(sim.context));
  CHECK_STATUS(gkit_source_read_values(source, 0, rows, 64), GKIT_ERROR_CLOSED);
  gkit_release(source);
  sim_close(&sim);
}

int main(void) {
  RUN(declared_before_the_start);
  RUN(neighbours);
  RUN(sequences_and_news);
  RUN(stale_keeps_its_payload);
  RUN(setting);
  RUN(borrowed_payloads);
  RUN(read_in_one_call);
  return check_report();
}
