/* A zone of powercap with a counter of 10 W: what processors have and no emulator shows. */
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/powercap.h>

static struct powercap_control_type *control;
static struct powercap_zone *zone;

static int get_energy(struct powercap_zone *of, u64 *microjoules) {
  *microjoules = div_u64(ktime_get_ns(), 100);
  return 0;
}

static int get_range(struct powercap_zone *of, u64 *microjoules) {
  *microjoules = 262143328850ULL;
  return 0;
}

/* A zone without limits needs functions for them all the same. */
static int get_limit(struct powercap_zone *of, int number, u64 *limit) { return -ENODATA; }
static int set_limit(struct powercap_zone *of, int number, u64 limit) { return -ENODATA; }

static int release(struct powercap_zone *of) { return 0; }

static const struct powercap_zone_ops operations = {
    .get_energy_uj = get_energy, .get_max_energy_range_uj = get_range, .release = release};

static const struct powercap_zone_constraint_ops limits = {.get_power_limit_uw = get_limit,
                                                           .set_power_limit_uw = set_limit,
                                                           .get_time_window_us = get_limit,
                                                           .set_time_window_us = set_limit};

static int __init begin(void) {
  control = powercap_register_control_type(NULL, "intel-rapl", NULL);
  if (IS_ERR(control))
    return PTR_ERR(control);
  zone = powercap_register_zone(NULL, control, "package-0", NULL, &operations, 0, &limits);
  if (!IS_ERR(zone))
    return 0;
  powercap_unregister_control_type(control);
  return PTR_ERR(zone);
}

static void __exit end(void) {
  powercap_unregister_zone(control, zone);
  powercap_unregister_control_type(control);
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("counter of energy for tests");
MODULE_LICENSE("GPL");
