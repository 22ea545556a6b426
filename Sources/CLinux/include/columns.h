/* -- columns of recordings: numbers into few bits and back, and the check sum of blocks, by vectors
      and an instruction that Swift has not, or only in an optimised build. The format is written
      down in Decisions/0012-The-recording-format.md. */
#ifndef CLINUX_COLUMNS_H
#define CLINUX_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of one group of a packed column. */
#define CLINUX_GROUP 128

/* Packs whole numbers behind a first one; the bytes written. `out` has room for 16 bytes, 11 and 8
   for each group begun, and 8 for each number. */
size_t clinux_pack(const int64_t *numbers, size_t count, uint8_t *out);
/* Unpacks so many of them; the bytes read, 0 if they are none that were packed. */
size_t clinux_unpack(const uint8_t *bytes, size_t length, size_t count, int64_t *out);

/* Whether none of them is infinite or no number. */
bool clinux_are_finite(const double *numbers, size_t count);
/* Every `stride`th double as a whole number k, the double being k * step or, if `divides`,
   k / step, exactly and with its sign; false if one is not. */
bool clinux_scale(const double *numbers, size_t stride, size_t count, double step, bool divides,
                  int64_t *out);
void clinux_unscale(const int64_t *numbers, size_t count, double step, bool divides, double *out,
                    size_t stride);

/* Packs every `stride`th double by the bytes in which it differs from the one before; the bytes
   written. `out` has room for 9 bytes for each, and 8. */
size_t clinux_pack_doubles(const double *numbers, size_t stride, size_t count, uint8_t *out);
/* Unpacks so many of them; `*read` is how many bytes they took. False if they are none. */
bool clinux_unpack_doubles(const uint8_t *bytes, size_t length, size_t count, double *out,
                           size_t stride, size_t *read);

/* CRC-32C (Castagnoli), as iSCSI has it. */
uint32_t clinux_crc32c(const uint8_t *bytes, size_t length);

#endif
