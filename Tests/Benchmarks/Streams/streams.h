/* What the benchmark of streams needs of C. */
#ifndef STREAMS_H
#define STREAMS_H

#include "measure.h"

/** Under callgrind: counts instructions from here on. */
void start_counting(void);

/** Writes those of some numbers that are even to another place; how many there are. */
size_t filter_all(const long *all, size_t count, long *result);

/** Writes numbers in order to another place; how many there are. */
size_t sort_all(const long *all, size_t count, long *result);

/** Under callgrind: writes down what was counted since, as that of `label`. */
void stop_counting(const char *label);

#endif
