#include "CLinux.h"

/* Unicode's tables fill much of Swift's standard library. What nothing here asks for is left out:
   the linker puts these in the place of the functions that read the tables, by `--wrap`. Each
   answers as for a character that Unicode has not assigned. */

intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar;
  (void)buffer;
  (void)capacity;
  return 0;
}

const char *__wrap__swift_stdlib_getNameAlias(uint32_t scalar) {
  (void)scalar;
  return NULL;
}

uint16_t __wrap__swift_stdlib_getAge(uint32_t scalar) {
  (void)scalar;
  return UINT16_MAX;
}

/* Letters, blanks and the like: nothing is any of these. */
uint64_t __wrap__swift_stdlib_getBinaryProperties(uint32_t scalar) {
  (void)scalar;
  return 0;
}

/* Of the general categories in the order of Swift's enumeration, the last. */
uint8_t __wrap__swift_stdlib_getGeneralCategory(uint32_t scalar) {
  (void)scalar;
  return 29;
}

double __wrap__swift_stdlib_getNumericValue(uint32_t scalar) {
  (void)scalar;
  return 0;
}

void __wrap__swift_stdlib_getCaseMapping(uint32_t scalar, uint32_t *folded) { folded[0] = scalar; }

uint8_t __wrap__swift_stdlib_getScript(uint32_t scalar) {
  (void)scalar;
  return 0;
}

const uint8_t *__wrap__swift_stdlib_getScriptExtensions(uint32_t scalar, uint8_t *count) {
  (void)scalar;
  *count = 0;
  return NULL;
}

uint8_t __wrap__swift_stdlib_getWordBreakProperty(uint32_t scalar) {
  (void)scalar;
  return UINT8_MAX;
}
