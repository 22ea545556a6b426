#include "CLinux.h"

#include <string.h>

/* The results are the same on every machine: no multiplication is fused with an addition. */
#pragma STDC FP_CONTRACT OFF

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

static size_t pack_bits(const uint64_t *numbers, size_t count, unsigned width, uint8_t *out) {
  uint64_t word = 0;
  unsigned fill = 0;
  uint8_t *place = out;
  for (size_t i = 0; i < count && width > 0; i++) {
    word |= numbers[i] << fill;
    fill += width;
    if (fill >= 64) {
      memcpy(place, &word, 8);
      place += 8;
      fill -= 64;
      word = fill == 0 ? 0 : numbers[i] >> (width - fill);
    }
  }
  memcpy(place, &word, 8);
  return (size_t)(place - out) + (fill + 7) / 8;
}

/* One group: the numbers themselves above their least one, or their steps above the least step,
   whichever takes fewer bits. */
static size_t pack_group(const int64_t *numbers, size_t count, int64_t before, uint8_t *out) {
  uint64_t steps[CLINUX_GROUP], heights[CLINUX_GROUP];
  int64_t least = numbers[0], most = numbers[0], least_step = INT64_MAX, most_step = INT64_MIN;
  uint64_t last = (uint64_t)before;
  for (size_t i = 0; i < count; i++) {
    int64_t number = numbers[i], step = (int64_t)((uint64_t)number - last);
    last = (uint64_t)number;
    steps[i] = (uint64_t)step;
    least = number < least ? number : least;
    most = number > most ? number : most;
    least_step = step < least_step ? step : least_step;
    most_step = step > most_step ? step : most_step;
  }
  unsigned width = bits_of((uint64_t)most - (uint64_t)least);
  unsigned step_width = bits_of((uint64_t)most_step - (uint64_t)least_step);
  bool by_steps = step_width < width;
  int64_t base = by_steps ? least_step : least;
  for (size_t i = 0; i < count; i++) {
    heights[i] = (by_steps ? steps[i] : (uint64_t)numbers[i]) - (uint64_t)base;
  }
  width = by_steps ? step_width : width;
  out[0] = (uint8_t)(width | (by_steps ? 0x80U : 0));
  size_t head = 1 + put_number(base, out + 1);
  return head + pack_bits(heights, count, width, out + head);
}

size_t clinux_pack(const int64_t *numbers, size_t count, uint8_t *out) {
  if (count == 0) {
    return 0;
  }
  size_t length = put_number(numbers[0], out);
  for (size_t i = 1; i < count; i += CLINUX_GROUP) {
    size_t size = count - i < CLINUX_GROUP ? count - i : CLINUX_GROUP;
    length += pack_group(numbers + i, size, numbers[i - 1], out + length);
  }
  return length;
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

/* Added and taken away again it leaves the nearest whole number, and between the two its bits. */
static const double rounder = 6755399441055744.0;
static const double scale_limit = 1125899906842624.0;

bool clinux_scale(const double *numbers, size_t stride, size_t count, double step, bool divides,
                  int64_t *out) {
  double factor = divides ? step : 1 / step;
  int64_t zero;
  memcpy(&zero, &rounder, 8);
  for (size_t i = 0; i < count;) {
    size_t end = count - i < 64 ? count : i + 64;
    uint64_t differences = 0;
    for (; i < end; i++) {
      double number = numbers[i * stride], scaled = number * factor, shifted = scaled + rounder;
      double whole = shifted - rounder, again = divides ? whole / step : whole * step;
      uint64_t bits, bits_again;
      memcpy(&bits, &number, 8);
      memcpy(&bits_again, &again, 8);
      int64_t k;
      memcpy(&k, &shifted, 8);
      out[i] = k - zero;
      bool is_small = scaled > -scale_limit && scaled < scale_limit;
      differences |= (bits ^ bits_again) | (is_small ? 0 : 1);
    }
    if (differences != 0) {
      return false;
    }
  }
  return true;
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
