/* What the benchmark of recordings needs of C. */
#ifndef RECORDING_H
#define RECORDING_H

#include "measure.h"

#include <stdint.h>

/** Inserts rows of a time and three numbers into a new SQLite file, in one transaction, and closes
    it. False where SQLite refuses. */
_Bool insert_rows(const char *path, const int64_t *times, const double *numbers, size_t count);

#endif
