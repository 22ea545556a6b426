#include "CLinux.h"

#include <string.h>

static uint64_t zigzag(int64_t number) {
  return ((uint64_t)number << 1) ^ (uint64_t)(number < 0 ? -1 : 0);
}

static size_t put_varint(uint64_t number, uint8_t *out) {
  size_t length = 0;
  for (; number >= 0x80; number >>= 7) {
    out[length++] = (uint8_t)(number | 0x80);
  }
  out[length++] = (uint8_t)number;
  return length;
}

static size_t put_number(int64_t number, uint8_t *out) { return put_varint(zigzag(number), out); }

static size_t get_number(const uint8_t *bytes, size_t length, int64_t *number) {
  uint64_t sum = 0;
  for (size_t i = 0; i < length && i < 10; i++) {
    sum |= (uint64_t)(bytes[i] & 0x7F) << (7 * i);
    if (bytes[i] < 0x80) {
      *number = (int64_t)(sum >> 1 ^ (0 - (sum & 1)));
      return i + 1;
    }
  }
  return 0;
}

static unsigned bits_of(uint64_t range) {
  return range == 0 ? 0 : 64U - (unsigned)__builtin_clzll(range);
}

/* Appends numbers of `width` bits, which is not 0, from a word that has `fill` bits already; what
   is left over stays in the word. */
static inline __attribute__((always_inline)) uint8_t *pack_words(const uint64_t *numbers,
                                                                 size_t count, unsigned width,
                                                                 uint8_t *place, uint64_t *rest,
                                                                 unsigned *bits) {
  uint64_t word = *rest;
  unsigned fill = *bits;
  for (size_t i = 0; i < count; i++) {
    word |= numbers[i] << fill;
    fill += width;
    if (fill >= 64) {
      memcpy(place, &word, 8);
      place += 8;
      fill -= 64;
      word = fill == 0 ? 0 : numbers[i] >> (width - fill);
    }
  }
  *rest = word;
  *bits = fill;
  return place;
}

/* Joins pairs of neighbours of `width` bits, so that half as many numbers are left. */
static inline __attribute__((always_inline)) void join_pairs(uint64_t *numbers, size_t count,
                                                             unsigned width) {
  for (size_t i = 0; i < count / 2; i++) {
    numbers[i] = numbers[2 * i] | numbers[2 * i + 1] << width;
  }
}

/* Numbers below 2^width, `CLINUX_GROUP` at most, which are used up. */
static inline __attribute__((always_inline)) size_t pack_bits(uint64_t *numbers, size_t count,
                                                              unsigned width, uint8_t *out) {
  uint64_t word = 0;
  unsigned fill = 0;
  uint8_t *place = out;
  if (width > 0) {
    /* What follows the last whole four; the joins leave it where it is. */
    size_t whole = count & ~(size_t)3;
    unsigned joined = width;
    size_t joins = width <= 16 ? 2 : width <= 32 ? 1 : 0;
    size_t left = whole;
    for (size_t i = 0; i < joins; i++, left /= 2, joined *= 2) {
      join_pairs(numbers, left, joined);
    }
    place = pack_words(numbers, left, joined, place, &word, &fill);
    place = pack_words(numbers + whole, count - whole, width, place, &word, &fill);
  }
  memcpy(place, &word, 8);
  return (size_t)(place - out) + (fill + 7) / 8;
}

/* One group: the numbers themselves above their least one, or their steps above the least step,
   whichever takes fewer bits. */
static inline __attribute__((always_inline)) size_t pack_group(const int64_t *numbers, size_t count,
                                                               int64_t before, uint8_t *out) {
  uint64_t steps[CLINUX_GROUP], heights[CLINUX_GROUP];
  steps[0] = (uint64_t)numbers[0] - (uint64_t)before;
  for (size_t i = 1; i < count; i++) {
    steps[i] = (uint64_t)numbers[i] - (uint64_t)numbers[i - 1];
  }
  int64_t least = INT64_MAX, most = INT64_MIN, least_step = INT64_MAX, most_step = INT64_MIN;
  for (size_t i = 0; i < count; i++) {
    int64_t number = numbers[i], step = (int64_t)steps[i];
    least = number < least ? number : least;
    most = number > most ? number : most;
    least_step = step < least_step ? step : least_step;
    most_step = step > most_step ? step : most_step;
  }
  unsigned width = bits_of((uint64_t)most - (uint64_t)least);
  unsigned step_width = bits_of((uint64_t)most_step - (uint64_t)least_step);
  bool by_steps = step_width < width;
  int64_t base = by_steps ? least_step : least;
  const uint64_t *chosen = by_steps ? steps : (const uint64_t *)numbers;
  for (size_t i = 0; i < count; i++) {
    heights[i] = chosen[i] - (uint64_t)base;
  }
  width = by_steps ? step_width : width;
  out[0] = (uint8_t)(width | (by_steps ? 0x80U : 0));
  size_t head = 1 + put_number(base, out + 1);
  return head + pack_bits(heights, count, width, out + head);
}

static inline __attribute__((always_inline)) size_t pack(const int64_t *numbers, size_t count,
                                                         uint8_t *out) {
  size_t length = put_number(numbers[0], out);
  for (size_t i = 1; i < count; i += CLINUX_GROUP) {
    size_t size = count - i < CLINUX_GROUP ? count - i : CLINUX_GROUP;
    length += pack_group(numbers + i, size, numbers[i - 1], out + length);
  }
  return length;
}

#if defined(__x86_64__) && !defined(CLINUX_PLAIN)
/* The same with the wider registers that almost every machine has. */
__attribute__((target("avx2,bmi2"))) static size_t pack_wide(const int64_t *numbers, size_t count,
                                                             uint8_t *out) {
  return pack(numbers, count, out);
}
#endif

size_t clinux_pack(const int64_t *numbers, size_t count, uint8_t *out) {
  if (count == 0) {
    return 0;
  }
#if defined(__x86_64__) && !defined(CLINUX_PLAIN)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
    return pack_wide(numbers, count, out);
  }
#endif
  return pack(numbers, count, out);
}

static uint64_t bits_at(const uint8_t *bytes, size_t position, unsigned width) {
  uint64_t word;
  unsigned shift = position & 7;
  memcpy(&word, bytes + position / 8, 8);
  word >>= shift;
  if (shift + width > 64) {
    word |= (uint64_t)bytes[position / 8 + 8] << (64 - shift);
  }
  return width == 64 ? word : word & ((1ULL << width) - 1);
}

size_t clinux_unpack(const uint8_t *bytes, size_t length, size_t count, int64_t *out) {
  if (count == 0) {
    return 0;
  }
  size_t place = get_number(bytes, length, out);
  for (size_t i = 1; i < count && place > 0; i += CLINUX_GROUP) {
    size_t size = count - i < CLINUX_GROUP ? count - i : CLINUX_GROUP;
    int64_t base = 0;
    if (place >= length) {
      return 0;
    }
    unsigned width = bytes[place] & 0x7F;
    bool by_steps = bytes[place++] >= 0x80;
    size_t head = get_number(bytes + place, length - place, &base), packed = (size * width + 7) / 8;
    if (head == 0 || width > 64 || packed > length - place - head) {
      return 0;
    }
    uint8_t group[CLINUX_GROUP * 8 + 16];
    memcpy(group, bytes + place + head, packed);
    memset(group + packed, 0, 16);
    uint64_t last = (uint64_t)out[i - 1];
    for (size_t j = 0; j < size; j++) {
      uint64_t number = bits_at(group, j * width, width) + (uint64_t)base;
      last = by_steps ? last + number : number;
      out[i + j] = (int64_t)last;
    }
    place += head + packed;
  }
  return place;
}
