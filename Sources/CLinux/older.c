#include "CLinux.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the wheel brings has to load where glibc is 2.34. These functions got new versions later,
   or new names: `hypot` with 2.35 and `fmod` with 2.38, which no longer set errno; those that read
   numbers with 2.38, which also read binary ones; `strlcpy` came with it; and what libstdc++ ends
   with where an assertion of its own fails is a function of GCC 12. Where it is linked with
   `--wrap` for each of them (.ci/portable), what is here stands in for them, and calls the first
   versions, which every later glibc has kept, of those that have one. */
#if defined(__x86_64__)
#define FIRST(name) __asm__(".symver clinux_first_" #name ", " #name "@GLIBC_2.2.5")
#elif defined(__aarch64__)
#define FIRST(name) __asm__(".symver clinux_first_" #name ", " #name "@GLIBC_2.17")
#endif

#ifdef FIRST
FIRST(fmod);
FIRST(fmodf);
FIRST(hypot);
FIRST(hypotf);
FIRST(strtol);
FIRST(strtoll);
FIRST(vsscanf);
double clinux_first_fmod(double x, double y);
float clinux_first_fmodf(float x, float y);
double clinux_first_hypot(double x, double y);
float clinux_first_hypotf(float x, float y);
long clinux_first_strtol(const char *text, char **end, int base);
long long clinux_first_strtoll(const char *text, char **end, int base);
int clinux_first_vsscanf(const char *text, const char *format, va_list arguments);

double __wrap_fmod(double x, double y) { return clinux_first_fmod(x, y); }
float __wrap_fmodf(float x, float y) { return clinux_first_fmodf(x, y); }
double __wrap_hypot(double x, double y) { return clinux_first_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return clinux_first_hypotf(x, y); }

long __wrap___isoc23_strtol(const char *text, char **end, int base) {
  return clinux_first_strtol(text, end, base);
}
long long __wrap___isoc23_strtoll(const char *text, char **end, int base) {
  return clinux_first_strtoll(text, end, base);
}
int __wrap___isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int read = clinux_first_vsscanf(text, format, arguments);
  va_end(arguments);
  return read;
}

size_t __wrap_strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

/* std::__glibcxx_assert_fail(char const *, int, char const *, char const *) */
_Noreturn void __wrap__ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line,
                                                            const char *function,
                                                            const char *condition) {
  fprintf(stderr, "%s:%d: %s: Assertion '%s' failed.\n", file, line, function, condition);
  abort();
}
#endif
