/* Checks that name their place and go on, and the tests that are made of them. */
#ifndef CHECK_H
#define CHECK_H

#include <gatheredkit.h>

/* Each is true when the check held, so that a test can stop where going on makes no sense. */
#define CHECK(condition) check_that((condition), __FILE__, __LINE__, #condition)
#define CHECK_INT(is, expected)                                                                    \
  check_int((int64_t)(is), (int64_t)(expected), __FILE__, __LINE__, #is)
#define CHECK_NEAR(is, expected) check_near((is), (expected), __FILE__, __LINE__, #is)
#define CHECK_TEXT(is, expected) check_text((is), (expected), __FILE__, __LINE__, #is)
/* The message of a failure begins with a text. */
#define CHECK_BEGINS(is, expected) check_begins((is), (expected), __FILE__, __LINE__, #is)
#define CHECK_STATUS(is, expected) check_status((int64_t)(is), (expected), __FILE__, __LINE__, #is)
#define CHECK_OK(is) CHECK_STATUS(is, GKIT_OK)
#define CHECK_INVALID(is) CHECK_STATUS(is, GKIT_ERROR_INVALID_ARGUMENT)

/* How long a wait may last, in nanoseconds, from its own beginning: only a test that fails anyway
 * comes to its end, on a machine that is overloaded, too. */
#define PATIENCE INT64_C(600000000000)

/* Runs a test, which must leave as many objects behind as it found. */
#define RUN(test) check_run(#test, test)

bool check_that(bool held, const char *file, int line, const char *what);
bool check_int(int64_t is, int64_t expected, const char *file, int line, const char *what);
bool check_near(double is, double expected, const char *file, int line, const char *what);
bool check_text(const char *is, const char *expected, const char *file, int line, const char *what);
bool check_begins(const char *is, const char *expected, const char *file, int line,
                  const char *what);
/* Counting functions answer numbers: any of them is fine where GKIT_OK is expected. */
bool check_status(int64_t is, gkit_status expected, const char *file, int line, const char *what);
void check_run(const char *name, void (*test)(void));

/* Prints "N passed, N failed"; the exit status of a test program. */
int check_report(void);

#endif
