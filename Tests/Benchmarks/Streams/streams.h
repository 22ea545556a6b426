/* What the benchmark of streams needs of C. */
#ifndef STREAMS_H
#define STREAMS_H

#include "measure.h"

/** Under callgrind: counts instructions from here on. */
void start_counting(void);

/** Under callgrind: writes down what was counted since, as that of `label`. */
void stop_counting(const char *label);

#endif
