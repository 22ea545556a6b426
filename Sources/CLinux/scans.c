#include "axes.h"

#include <string.h>

/* The results are the same on every machine: no multiplication is fused with an addition. */
#pragma STDC FP_CONTRACT OFF

static uint64_t word_at(const unsigned char *place, const clinux_scan_number *number) {
  uint64_t word = 0;
  for (unsigned i = 0; i < number->bytes; i++) {
    unsigned from = number->is_big ? i : number->bytes - 1U - i;
    word = word << 8 | place[from];
  }
  word >>= number->shift;
  if (number->bits < 64) {
    word &= (UINT64_C(1) << number->bits) - 1;
  }
  return word;
}

static int64_t signed_value(uint64_t word, unsigned bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)((word ^ sign) - sign);
}

static double value_at(const unsigned char *record, const clinux_scan_number *number) {
  uint64_t word = word_at(record + number->offset, number);
  return number->is_signed ? (double)signed_value(word, number->bits) : (double)word;
}

static void any_rows(const unsigned char *records, size_t size, size_t count,
                     const clinux_scan_number *numbers, size_t n, const double *matrix,
                     const double *offset, size_t width, double *out) {
  double raw[CLINUX_SCAN_NUMBERS];
  for (size_t i = 0; i < count; i++, records += size) {
    for (size_t c = 0; c < n; c++) {
      raw[c] = value_at(records, &numbers[c]);
    }
    for (size_t r = 0; r < width; r++) {
      double sum = 0;
      for (size_t c = 0; c < n; c++) {
        sum += matrix[r * n + c] * raw[c];
      }
      *out++ = sum + offset[r];
    }
  }
}

#if !defined(CLINUX_PLAIN)
static bool are_axes(const clinux_scan_number *numbers, size_t n, size_t width) {
  const clinux_scan_number *first = numbers;
  if (n != 3 || width != 3 || (first->bytes != 2 && first->bytes != 4) || !first->is_signed ||
      first->is_big || first->bits + first->shift > 8 * first->bytes) {
    return false;
  }
  for (size_t c = 1; c < 3; c++) {
    const clinux_scan_number *other = &numbers[c];
    if (other->offset != first->offset + c * first->bytes || other->bytes != first->bytes ||
        other->bits != first->bits || other->shift != first->shift || !other->is_signed ||
        other->is_big) {
      return false;
    }
  }
  return true;
}
#endif

void clinux_scan_column(const void *records, size_t size, size_t count,
                        const clinux_scan_number *numbers, size_t n, const double *matrix,
                        const double *offset, size_t width, double *out) {
#if !defined(CLINUX_PLAIN)
  if (are_axes(numbers, n, width)) {
    clinux_scan_axes((const unsigned char *)records + numbers->offset, size, count, numbers, matrix,
                     offset, out);
    return;
  }
#endif
  any_rows(records, size, count, numbers, n, matrix, offset, width, out);
}

void clinux_scan_stamps(const void *records, size_t size, size_t count,
                        const clinux_scan_number *stamp, int64_t *out) {
  const unsigned char *bytes = records;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (stamp->bytes == 8 && stamp->bits == 64 && stamp->shift == 0 && !stamp->is_big) {
    const unsigned char *place = bytes + stamp->offset;
    for (size_t i = 0; i < count; i++, place += size) {
      memcpy(&out[i], place, sizeof *out);
    }
    return;
  }
#endif
  for (size_t i = 0; i < count; i++) {
    uint64_t word = word_at(bytes + i * size + stamp->offset, stamp);
    out[i] = stamp->is_signed ? signed_value(word, stamp->bits) : (int64_t)word;
  }
}
