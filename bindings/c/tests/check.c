#include "check.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Some tests check on several threads. */
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static long passed, failed;
static const char *running = "";

bool check_that(bool held, const char *file, int line, const char *what) {
  pthread_mutex_lock(&counting);
  if (held) {
    passed++;
  } else {
    failed++;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, running, what);
  }
  pthread_mutex_unlock(&counting);
  return held;
}

static bool explain(bool held, const char *file, int line, const char *what, const char *is,
                    const char *expected) {
  char text[1024];
  if (held)
    return check_that(true, file, line, what);
  snprintf(text, sizeof text, "%s is \"%s\", not \"%s\"", what, is, expected);
  return check_that(false, file, line, text);
}

bool check_int(int64_t is, int64_t expected, const char *file, int line, const char *what) {
  char left[32], right[32];
  snprintf(left, sizeof left, "%lld", (long long)is);
  snprintf(right, sizeof right, "%lld", (long long)expected);
  return explain(is == expected, file, line, what, left, right);
}

bool check_near(double is, double expected, const char *file, int line, const char *what) {
  char left[40], right[40];
  snprintf(left, sizeof left, "%.17g", is);
  snprintf(right, sizeof right, "%.17g", expected);
  return explain(fabs(is - expected) <= 1e-9 * fabs(expected) + 1e-300, file, line, what, left,
                 right);
}

bool check_text(const char *is, const char *expected, const char *file, int line,
                const char *what) {
  if (is == NULL)
    return explain(false, file, line, what, "(NULL)", expected);
  return explain(strcmp(is, expected) == 0, file, line, what, is, expected);
}

bool check_begins(const char *is, const char *expected, const char *file, int line,
                  const char *what) {
  if (is == NULL)
    return explain(false, file, line, what, "(NULL)", expected);
  return explain(strncmp(is, expected, strlen(expected)) == 0, file, line, what, is, expected);
}

bool check_status(int64_t is, gkit_status expected, const char *file, int line, const char *what) {
  char name[256];
  bool held = expected == GKIT_OK ? is >= 0 : is == expected;
  if (held)
    return check_that(true, file, line, what);
  if (is < 0)
    snprintf(name, sizeof name, "%s (%s)", gkit_status_name((gkit_status)is),
             gkit_last_error()->message);
  else
    snprintf(name, sizeof name, "%lld", (long long)is);
  return explain(false, file, line, what, name, gkit_status_name(expected));
}

void check_run(const char *name, void (*test)(void)) {
  int64_t before = gkit_live_count(NULL);
  running = name;
  test();
  check_int(gkit_live_count(NULL), before, name, 0, "living objects afterwards");
}

int check_report(void) {
  printf("%ld passed, %ld failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
