#include "streams.h"

#include <stdlib.h>
#include <string.h>

size_t filter_all(const long *all, size_t count, long *result) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++)
    if (all[i] % 2 == 0)
      result[found++] = all[i];
  return found;
}

static int compare(const void *one, const void *other) {
  long left = *(const long *)one, right = *(const long *)other;
  return (left > right) - (left < right);
}

size_t sort_all(const long *all, size_t count, long *result) {
  memcpy(result, all, count * sizeof *all);
  qsort(result, count, sizeof *result, compare);
  return count;
}
