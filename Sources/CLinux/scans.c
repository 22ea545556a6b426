#include "CLinux.h"

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

/* Three neighbouring axes with a sign, in words of 2 or 4 bytes, lowest byte first: a row is four
   lanes at once, the fourth being whatever follows, and the next row overwrites what it gave. */
typedef double rows4 __attribute__((vector_size(32)));
typedef int32_t words4 __attribute__((vector_size(16)));
typedef uint32_t bits4 __attribute__((vector_size(16)));
typedef int16_t halves4 __attribute__((vector_size(8)));

typedef struct {
  rows4 x, y, z, diagonal, offset;
  int up, down;
} axes_map;

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS void axes_rows(const unsigned char *place, size_t size, size_t count, const axes_map *map,
                      double *out, bool is_short, bool is_diagonal) {
  rows4 x = map->x, y = map->y, z = map->z, diagonal = map->diagonal, offset = map->offset;
  int up = map->up, down = map->down;
  for (size_t i = 0; i < count; i++, place += size, out += 3) {
    words4 words;
    if (is_short) {
      halves4 halves;
      memcpy(&halves, place, sizeof halves);
      words = __builtin_convertvector(halves, words4);
    } else {
      memcpy(&words, place, sizeof words);
    }
    words = (words4)((bits4)words << (uint32_t)up) >> down;
    rows4 raw = __builtin_convertvector(words, rows4);
    rows4 row;
    if (is_diagonal) {
      row = diagonal * raw;
    } else {
      row = x * __builtin_shufflevector(raw, raw, 0, 0, 0, 0);
      row += y * __builtin_shufflevector(raw, raw, 1, 1, 1, 1);
      row += z * __builtin_shufflevector(raw, raw, 2, 2, 2, 2);
    }
    row += offset;
    memcpy(out, &row, sizeof row);
  }
}

ALWAYS void axes_any(const unsigned char *place, size_t size, size_t count, const axes_map *map,
                     double *out, bool is_short, bool is_diagonal) {
  if (is_short && is_diagonal) {
    axes_rows(place, size, count, map, out, true, true);
  } else if (is_short) {
    axes_rows(place, size, count, map, out, true, false);
  } else if (is_diagonal) {
    axes_rows(place, size, count, map, out, false, true);
  } else {
    axes_rows(place, size, count, map, out, false, false);
  }
}

static void axes_plain(const unsigned char *place, size_t size, size_t count, const axes_map *map,
                       double *out, bool is_short, bool is_diagonal) {
  axes_any(place, size, count, map, out, is_short, is_diagonal);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void axes_wide(const unsigned char *place, size_t size,
                                                      size_t count, const axes_map *map,
                                                      double *out, bool is_short,
                                                      bool is_diagonal) {
  axes_any(place, size, count, map, out, is_short, is_diagonal);
}
#endif

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

void clinux_scan_column(const void *records, size_t size, size_t count,
                        const clinux_scan_number *numbers, size_t n, const double *matrix,
                        const double *offset, size_t width, double *out) {
  const unsigned char *bytes = records;
  size_t fast = 0;
  if (count > 1 && are_axes(numbers, n, width)) {
    /* The last record has nothing after it that four lanes could touch. */
    fast = count - 1;
    const double *m = matrix;
    axes_map map = {
        .x = {m[0], m[3], m[6], 0},
        .y = {m[1], m[4], m[7], 0},
        .z = {m[2], m[5], m[8], 0},
        .diagonal = {m[0], m[4], m[8], 0},
        .offset = {offset[0], offset[1], offset[2], 0},
        .up = 32 - numbers->bits - numbers->shift,
        .down = 32 - numbers->bits,
    };
    bool is_short = numbers->bytes == 2;
    bool is_diagonal =
        !(m[1] != 0 || m[2] != 0 || m[3] != 0 || m[5] != 0 || m[6] != 0 || m[7] != 0);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
      axes_wide(bytes + numbers->offset, size, fast, &map, out, is_short, is_diagonal);
    } else
#endif
      axes_plain(bytes + numbers->offset, size, fast, &map, out, is_short, is_diagonal);
  }
  any_rows(bytes + fast * size, size, count - fast, numbers, n, matrix, offset, width,
           out + fast * width);
}

void clinux_scan_stamps(const void *records, size_t size, size_t count,
                        const clinux_scan_number *stamp, int64_t *out) {
  const unsigned char *bytes = records;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (stamp->bytes == 8 && stamp->bits == 64 && stamp->shift == 0 && !stamp->is_big) {
    for (size_t i = 0; i < count; i++) {
      memcpy(&out[i], bytes + i * size + stamp->offset, sizeof *out);
    }
    return;
  }
#endif
  for (size_t i = 0; i < count; i++) {
    uint64_t word = word_at(bytes + i * size + stamp->offset, stamp);
    out[i] = stamp->is_signed ? signed_value(word, stamp->bits) : (int64_t)word;
  }
}
