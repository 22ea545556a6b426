/* How the tables of libraries opened at run time are filled. */
#ifndef CLINUX_BIND_H
#define CLINUX_BIND_H

#include <stddef.h>

/* A function and the place in a table that is to point to it. */
typedef struct clinux_wanted {
  void *place;
  const char *symbol;
} clinux_wanted;

/* Fills all places; NULL, or the first symbol the library does not have. */
const char *clinux_bind(void *library, const clinux_wanted *wanted, size_t count);

#endif
