/* The common case of scans.c. */
#ifndef AXES_H
#define AXES_H

#include "CLinux.h"

/* Three neighbouring axes with a sign, in words of 2 or 4 bytes, lowest byte first: rows of three
   out of `count` records, the first axis of the first one at `place`. `axis` describes any of
   them. */
void clinux_scan_axes(const unsigned char *place, size_t size, size_t count,
                      const clinux_scan_number *axis, const double *matrix, const double *offset,
                      double *out);

#endif
