#include "CLinux.h"

#include <string.h>

/* The results are the same on every machine: no multiplication is fused with an addition. */
#pragma STDC FP_CONTRACT OFF

bool clinux_are_finite(const double *numbers, size_t count) {
  /* What is not finite has all bits of the exponent: one more carries into the sign. */
  const uint64_t exponent = 0x7FF0000000000000, one = 0x0010000000000000;
  uint64_t carries = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, numbers + i, 8);
    carries |= (bits & exponent) + one;
  }
  return carries >> 63 == 0;
}

/* Added and taken away again it leaves the nearest whole number, and between the two its bits. */
static const double rounder = 6755399441055744.0;
static const double scale_limit = 1125899906842624.0;

enum { scaled_at_once = 64 };

/* Some numbers as multiples of a step; false where a multiple is not the number to the bit. */
static inline __attribute__((always_inline)) bool
scale_some(const double *numbers, size_t count, double step, bool divides, int64_t *out) {
  double factor = divides ? step : 1 / step;
  uint64_t differences = 0;
  int64_t zero;
  memcpy(&zero, &rounder, 8);
  for (size_t i = 0; i < count; i++) {
    double number = numbers[i], scaled = number * factor, shifted = scaled + rounder;
    double whole = shifted - rounder, again = divides ? whole / step : whole * step;
    uint64_t bits, bits_again;
    memcpy(&bits, &number, 8);
    memcpy(&bits_again, &again, 8);
    int64_t k;
    memcpy(&k, &shifted, 8);
    out[i] = k - zero;
    uint64_t is_large = scaled > -scale_limit && scaled < scale_limit ? 0 : 1;
    differences |= (bits ^ bits_again) | is_large;
  }
  return differences == 0;
}

static inline __attribute__((always_inline)) bool
scale(const double *numbers, size_t stride, size_t count, double step, bool divides, int64_t *out) {
  double some[scaled_at_once];
  for (size_t i = 0; i < count; i += scaled_at_once) {
    size_t size = count - i < scaled_at_once ? count - i : scaled_at_once;
    for (size_t j = 0; j < size; j++) {
      some[j] = numbers[(i + j) * stride];
    }
    bool fits = divides ? scale_some(some, size, step, true, out + i)
                        : scale_some(some, size, step, false, out + i);
    if (!fits) {
      return false;
    }
  }
  return true;
}

#if defined(__x86_64__) && !defined(CLINUX_PLAIN)
__attribute__((target("avx2"))) static bool scale_wide(const double *numbers, size_t stride,
                                                       size_t count, double step, bool divides,
                                                       int64_t *out) {
  return scale(numbers, stride, count, step, divides, out);
}
#endif

bool clinux_scale(const double *numbers, size_t stride, size_t count, double step, bool divides,
                  int64_t *out) {
#if defined(__x86_64__) && !defined(CLINUX_PLAIN)
  if (__builtin_cpu_supports("avx2")) {
    return scale_wide(numbers, stride, count, step, divides, out);
  }
#endif
  return scale(numbers, stride, count, step, divides, out);
}

void clinux_unscale(const int64_t *numbers, size_t count, double step, bool divides, double *out,
                    size_t stride) {
  for (size_t i = 0; i < count; i++) {
    double whole = (double)numbers[i];
    out[i * stride] = divides ? whole / step : whole * step;
  }
}

size_t clinux_pack_doubles(const double *numbers, size_t stride, size_t count, uint8_t *out) {
  uint64_t last = 0;
  uint8_t *place = out;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, numbers + i * stride, 8);
    uint64_t change = bits ^ last;
    last = bits;
    if (change == 0) {
      *place++ = 0x80;
      continue;
    }
    unsigned leading = (unsigned)__builtin_clzll(change) / 8;
    unsigned trailing = (unsigned)__builtin_ctzll(change) / 8;
    *place++ = (uint8_t)(leading << 4 | trailing);
    change >>= 8 * trailing;
    memcpy(place, &change, 8);
    place += 8 - leading - trailing;
  }
  return (size_t)(place - out);
}

bool clinux_unpack_doubles(const uint8_t *bytes, size_t length, size_t count, double *out,
                           size_t stride, size_t *read) {
  uint64_t last = 0;
  size_t place = 0;
  for (size_t i = 0; i < count; i++) {
    if (place >= length) {
      return false;
    }
    unsigned leading = bytes[place] >> 4, trailing = bytes[place] & 15;
    place++;
    if (leading + trailing > 8 || 8 - leading - trailing > length - place) {
      return false;
    }
    uint64_t change = 0;
    size_t size = 8 - leading - trailing;
    memcpy(&change, bytes + place, size);
    place += size;
    last ^= size == 0 ? 0 : change << 8 * trailing;
    memcpy(out + i * stride, &last, 8);
  }
  *read = place;
  return true;
}
