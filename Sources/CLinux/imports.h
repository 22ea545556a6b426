/* What a library that was opened takes from others, changed for that library alone. */
#ifndef CLINUX_IMPORTS_H
#define CLINUX_IMPORTS_H

#include <stdbool.h>

/* Puts something else in the place of an import that is `present` now; whether it was found. To be
   called before the library is used. */
bool clinux_replace_import(void *library, const char *name, void *present, void *new);

#endif
