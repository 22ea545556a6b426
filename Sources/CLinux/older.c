#include "CLinux.h"

/* What the wheel brings has to load where glibc is 2.34, and 2.35 gave these two functions new
   versions, which no longer set errno. Where it is linked with `--wrap=hypot --wrap=hypotf`, these
   stand in for both and call the first versions, which every later glibc has kept. */
#if defined(__x86_64__)
#define FIRST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST "GLIBC_2.17"
#endif

#ifdef FIRST
__asm__(".symver clinux_first_hypot, hypot@" FIRST);
__asm__(".symver clinux_first_hypotf, hypotf@" FIRST);
double clinux_first_hypot(double x, double y);
float clinux_first_hypotf(float x, float y);

double __wrap_hypot(double x, double y) { return clinux_first_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return clinux_first_hypotf(x, y); }
#endif
