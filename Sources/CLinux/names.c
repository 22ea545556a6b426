#include "CLinux.h"

/* The names of Unicode's characters fill half a megabyte of Swift's standard library, and nothing
   here asks for one. The shared library is linked with `--wrap=_swift_stdlib_getScalarName`, so
   that this stands in for the function and its tables are left out: no character has a name. */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar;
  (void)buffer;
  (void)capacity;
  return 0;
}
