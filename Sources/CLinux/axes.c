#include "axes.h"

#include <string.h>

/* The results are the same on every machine: no multiplication is fused with an addition. */
#pragma STDC FP_CONTRACT OFF

/* Four records at a time. Of each four words are read, the fourth being whatever follows. */
typedef double rows4 __attribute__((vector_size(32)));
typedef int32_t words4 __attribute__((vector_size(16)));
typedef uint32_t bits4 __attribute__((vector_size(16)));
typedef int16_t halves8 __attribute__((vector_size(16)));

enum { ROWS = 4, AXES = 3, BLOCK = ROWS * AXES };

/* Words of 2 bytes that are all number, those with other bits in them, words of 4 bytes. */
typedef enum { WHOLE_HALVES, HALVES, WORDS } form;

typedef struct {
  const double *matrix, *offset;
  uint32_t up;
  int down;
  bool is_diagonal;
  form form;
} axes_map;

#define ALWAYS static inline __attribute__((always_inline))
#define SHUFFLE __builtin_shufflevector
#define WIDEN(halves) __builtin_convertvector(halves, words4)

ALWAYS words4 number(words4 words, const axes_map *map, form form) {
  return form == WHOLE_HALVES ? words : (words4)((bits4)words << map->up) >> map->down;
}

ALWAYS halves8 two_records(const unsigned char *place, size_t size) {
  halves8 both;
  memcpy(&both, place, 8);
  memcpy((char *)&both + 8, place + size, 8);
  return both;
}

ALWAYS words4 one_record(const unsigned char *place) {
  words4 words;
  memcpy(&words, place, sizeof words);
  return words;
}

/* The words as they will stand in the rows: x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3. */
ALWAYS void load_rows(const unsigned char *place, size_t size, form form, words4 *out) {
  if (form == WORDS) {
    words4 a = one_record(place), b = one_record(place + size);
    words4 c = one_record(place + 2 * size), d = one_record(place + 3 * size);
    out[0] = SHUFFLE(a, b, 0, 1, 2, 4);
    out[1] = SHUFFLE(b, c, 1, 2, 4, 5);
    out[2] = SHUFFLE(c, d, 2, 4, 5, 6);
  } else {
    halves8 ab = two_records(place, size), cd = two_records(place + 2 * size, size);
    out[0] = WIDEN(SHUFFLE(ab, ab, 0, 1, 2, 4));
    out[1] = WIDEN(SHUFFLE(ab, cd, 5, 6, 8, 9));
    out[2] = WIDEN(SHUFFLE(cd, cd, 2, 4, 5, 6));
  }
}

/* The words of each axis. */
ALWAYS void load_axes(const unsigned char *place, size_t size, form form, words4 *out) {
  if (form == WORDS) {
    words4 a = one_record(place), b = one_record(place + size);
    words4 c = one_record(place + 2 * size), d = one_record(place + 3 * size);
    words4 ab = SHUFFLE(a, b, 0, 4, 1, 5), cd = SHUFFLE(c, d, 0, 4, 1, 5);
    out[0] = SHUFFLE(ab, cd, 0, 1, 4, 5);
    out[1] = SHUFFLE(ab, cd, 2, 3, 6, 7);
    out[2] = SHUFFLE(SHUFFLE(a, b, 2, 6, 3, 7), SHUFFLE(c, d, 2, 6, 3, 7), 0, 1, 4, 5);
  } else {
    halves8 ab = two_records(place, size), cd = two_records(place + 2 * size, size);
    halves8 even = SHUFFLE(ab, cd, 0, 8, 1, 9, 2, 10, 3, 11);
    halves8 odd = SHUFFLE(ab, cd, 4, 12, 5, 13, 6, 14, 7, 15);
    out[0] = WIDEN(SHUFFLE(even, odd, 0, 8, 1, 9));
    out[1] = WIDEN(SHUFFLE(even, odd, 2, 10, 3, 11));
    out[2] = WIDEN(SHUFFLE(even, odd, 4, 12, 5, 13));
  }
}

/* Axes that are only scaled stay where they are. */
ALWAYS void scaled_rows(const unsigned char *place, size_t size, size_t count, const axes_map *map,
                        double *out, form form) {
  const double *m = map->matrix, *o = map->offset;
  const rows4 scale[AXES] = {
      {m[0], m[4], m[8], m[0]}, {m[4], m[8], m[0], m[4]}, {m[8], m[0], m[4], m[8]}};
  const rows4 offset[AXES] = {
      {o[0], o[1], o[2], o[0]}, {o[1], o[2], o[0], o[1]}, {o[2], o[0], o[1], o[2]}};
  const axes_map known = *map;
  for (size_t i = 0; i < count; i += ROWS, place += ROWS * size, out += BLOCK) {
    words4 words[AXES];
    load_rows(place, size, form, words);
    for (int j = 0; j < AXES; j++) {
      rows4 raw = __builtin_convertvector(number(words[j], &known, form), rows4);
      rows4 rows = raw * scale[j] + offset[j];
      memcpy(out + ROWS * j, &rows, sizeof rows);
    }
  }
}

ALWAYS void turned_rows(const unsigned char *place, size_t size, size_t count, const axes_map *map,
                        double *out, form form) {
  const axes_map known = *map;
  rows4 m[AXES * AXES], o[AXES];
  for (int i = 0; i < AXES * AXES; i++) {
    m[i] = (rows4){0} + map->matrix[i];
  }
  for (int i = 0; i < AXES; i++) {
    o[i] = (rows4){0} + map->offset[i];
  }
  for (size_t i = 0; i < count; i += ROWS, place += ROWS * size, out += BLOCK) {
    words4 words[AXES];
    rows4 raw[AXES], p[AXES];
    load_axes(place, size, form, words);
    for (int j = 0; j < AXES; j++) {
      raw[j] = __builtin_convertvector(number(words[j], &known, form), rows4);
    }
    for (int j = 0; j < AXES; j++) {
      p[j] = m[AXES * j] * raw[0] + m[AXES * j + 1] * raw[1] + m[AXES * j + 2] * raw[2] + o[j];
    }
    rows4 xy = SHUFFLE(p[0], p[1], 0, 4, 2, 6);
    rows4 zx = SHUFFLE(p[2], p[0], 0, 5, 2, 7);
    rows4 yz = SHUFFLE(p[1], p[2], 1, 5, 3, 7);
    rows4 rows[AXES] = {SHUFFLE(xy, zx, 0, 1, 4, 5), SHUFFLE(yz, xy, 0, 1, 6, 7),
                        SHUFFLE(zx, yz, 2, 3, 6, 7)};
    memcpy(out, rows, sizeof rows);
  }
}

ALWAYS void one_form(const unsigned char *place, size_t size, size_t count, const axes_map *map,
                     double *out, form form) {
  if (map->is_diagonal) {
    scaled_rows(place, size, count, map, out, form);
  } else {
    turned_rows(place, size, count, map, out, form);
  }
}

/* Each form has loops of its own. */
ALWAYS void any_map(const unsigned char *place, size_t size, size_t count, const axes_map *map,
                    double *out) {
  switch (map->form) {
  case WHOLE_HALVES:
    one_form(place, size, count, map, out, WHOLE_HALVES);
    break;
  case HALVES:
    one_form(place, size, count, map, out, HALVES);
    break;
  case WORDS:
    one_form(place, size, count, map, out, WORDS);
    break;
  }
}

static void plain_rows(const unsigned char *place, size_t size, size_t count, const axes_map *map,
                       double *out) {
  any_map(place, size, count, map, out);
}

#if defined(__x86_64__) && !defined(CLINUX_PLAIN)
__attribute__((target("avx2"))) static void
wide_rows(const unsigned char *place, size_t size, size_t count, const axes_map *map, double *out) {
  any_map(place, size, count, map, out);
}
#endif

void clinux_scan_axes(const unsigned char *place, size_t size, size_t count,
                      const clinux_scan_number *axis, const double *matrix, const double *offset,
                      double *out) {
  const double *m = matrix;
  axes_map map = {
      .matrix = matrix,
      .offset = offset,
      .up = 32U - axis->bits - axis->shift,
      .down = 32 - axis->bits,
      .is_diagonal = !(m[1] != 0 || m[2] != 0 || m[3] != 0 || m[5] != 0 || m[6] != 0 || m[7] != 0),
      .form = axis->bytes == 4   ? WORDS
              : axis->bits == 16 ? WHOLE_HALVES
                                 : HALVES,
  };
  void (*rows)(const unsigned char *, size_t, size_t, const axes_map *, double *) = plain_rows;
#if defined(__x86_64__) && !defined(CLINUX_PLAIN)
  if (__builtin_cpu_supports("avx2")) {
    rows = wide_rows;
  }
#endif
  /* The last record has nothing after it that could be read: the last ones have room of their own.
   */
  size_t most = count == 0 ? 0 : (count - 1) / ROWS * ROWS, rest = count - most;
  unsigned char spare[ROWS][sizeof(words4)] = {{0}};
  double last[BLOCK];
  for (size_t i = 0; i < rest; i++) {
    memcpy(spare[i], place + (most + i) * size, (size_t)AXES * axis->bytes);
  }
  rows(place, size, most, &map, out);
  rows(spare[0], sizeof *spare, ROWS, &map, last);
  memcpy(out + most * AXES, last, rest * AXES * sizeof *last);
}
