/* Values made by exported functions are those the inline constructors make: C API R22. */
#include "check.h"
#include <string.h>

/* A value that held something before, of which nothing may be left. */
static gkit_value stained(void) {
  gkit_value value;
  memset(&value, 0xA5, sizeof value);
  return value;
}

static void equal(const gkit_value *made, gkit_value expected) {
  CHECK_INT(made->type, expected.type);
  CHECK_INT(made->count, expected.count);
  CHECK(memcmp(&made->as, &expected.as, sizeof made->as) == 0);
}

#define MAKES(name, ...)                                                                           \
  do {                                                                                             \
    gkit_value made = stained();                                                                   \
    CHECK_OK(gkit_value_set_##name(&made, __VA_ARGS__));                                           \
    equal(&made, gkit_value_##name(__VA_ARGS__));                                                  \
  } while (0)

static const double components[4] = {1.5, -2.5, 1e-3, 4};

static void as_the_inline_ones(void) {
  gkit_value none = stained();
  CHECK_OK(gkit_value_set_none(&none));
  equal(&none, gkit_value_none());
  MAKES(bool, true);
  MAKES(bool, false);
  MAKES(int, INT64_MIN);
  MAKES(double, -0.0);
  for (uint32_t count = 2; count <= 4; count++)
    MAKES(vector, components, count);
  MAKES(string, "gr\xC3\xBCn");
  MAKES(string, "");
  MAKES(string, NULL);
  MAKES(bytes, components, 7);
  MAKES(bytes, NULL, 0);
  MAKES(time, INT64_C(1700000000500000000));
}

static void containers(void) {
  gkit_dict *dict = gkit_dict_new(), *list = gkit_list_new();
  gkit_value kept = gkit_value_int(42);
  MAKES(dict, dict);
  MAKES(list, list);
  CHECK_STATUS(gkit_value_set_dict(&kept, list), GKIT_ERROR_TYPE);
  CHECK_STATUS(gkit_value_set_list(&kept, dict), GKIT_ERROR_TYPE);
  CHECK_INVALID(gkit_value_set_dict(&kept, NULL));
  gkit_release(dict);
  gkit_release(list);
  CHECK_INVALID(gkit_value_set_dict(&kept, dict));
  CHECK_INVALID(gkit_value_set_list(&kept, list));
  equal(&kept, gkit_value_int(42));
}

/* What is refused changes nothing. */
static void refused(void) {
  gkit_value kept = gkit_value_int(42);
  CHECK_INVALID(gkit_value_set_vector(&kept, components, 0));
  CHECK_INVALID(gkit_value_set_vector(&kept, components, 1));
  CHECK_INVALID(gkit_value_set_vector(&kept, components, 5));
  CHECK_INVALID(gkit_value_set_vector(&kept, components, UINT32_MAX));
  CHECK_INVALID(gkit_value_set_vector(&kept, NULL, 2));
  CHECK_INVALID(gkit_value_set_bytes(&kept, NULL, 1));
  CHECK_STATUS(gkit_value_set_bytes(&kept, components, UINT32_MAX), GKIT_ERROR_LIMIT);
  CHECK_STATUS(gkit_value_set_bytes(&kept, components, (1u << 30) + 1), GKIT_ERROR_LIMIT);
  equal(&kept, gkit_value_int(42));
  CHECK_INVALID(gkit_value_set_none(NULL));
  CHECK_INVALID(gkit_value_set_bool(NULL, true));
  CHECK_INVALID(gkit_value_set_int(NULL, 1));
  CHECK_INVALID(gkit_value_set_double(NULL, 1));
  CHECK_INVALID(gkit_value_set_vector(NULL, components, 2));
  CHECK_INVALID(gkit_value_set_string(NULL, "text"));
  CHECK_INVALID(gkit_value_set_string(NULL, NULL));
  CHECK_INVALID(gkit_value_set_bytes(NULL, components, 2));
  CHECK_INVALID(gkit_value_set_time(NULL, 1));
}

int main(void) {
  RUN(as_the_inline_ones);
  RUN(containers);
  RUN(refused);
  return check_report();
}
