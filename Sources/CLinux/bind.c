#include "bind.h"

#include <dlfcn.h>
#include <string.h>

const char *clinux_bind(void *library, const clinux_wanted *wanted, size_t count) {
  for (size_t i = 0; i < count; i++) {
    void *address = dlsym(library, wanted[i].symbol);
    if (address == NULL) {
      return wanted[i].symbol;
    }
    /* memcpy, since ISO C knows no conversion between object and function pointers. */
    memcpy(wanted[i].place, &address, sizeof address);
  }
  return NULL;
}
