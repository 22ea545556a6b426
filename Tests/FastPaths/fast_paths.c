/* What has a faster way on some processors, beside the plain way: the same numbers to the bit.
   `plain_` are the same functions, compiled with CLINUX_PLAIN and without vectors. */
#include <CLinux.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t plain_crc32c(const uint8_t *bytes, size_t length);
size_t plain_pack(const int64_t *numbers, size_t count, uint8_t *out);
bool plain_are_finite(const double *numbers, size_t count);
bool plain_scale(const double *numbers, size_t stride, size_t count, double step, bool divides,
                 int64_t *out);
void plain_unscale(const int64_t *numbers, size_t count, double step, bool divides, double *out,
                   size_t stride);
size_t plain_pack_doubles(const double *numbers, size_t stride, size_t count, uint8_t *out);
void plain_scan_column(const void *records, size_t size, size_t count,
                       const clinux_scan_number *numbers, size_t n, const double *matrix,
                       const double *offset, size_t width, double *out);
void plain_scan_stamps(const void *records, size_t size, size_t count,
                       const clinux_scan_number *stamp, int64_t *out);

enum { MOST = 700, ROUNDS = 3000 };

static uint64_t state = 1;
static const char *subject;
static int passed, failed;

static uint64_t dice(void) {
  state += 0x9E3779B97F4A7C15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}
static size_t below(size_t limit) { return (size_t)(dice() % limit); }

/* Ends a subject at the first difference. */
static bool same(bool is_same, int round) {
  if (!is_same)
    printf("        %s: differs in round %d\n", subject, round);
  return is_same;
}
static void tell(bool is_right) {
  printf("%s %s\n", is_right ? "ok     " : "FAILED ", subject);
  if (is_right)
    passed++;
  else
    failed++;
}

/* At every place of a word, so that no load has to lie at a multiple of its size. */
static bool check_sums(void) {
  uint8_t bytes[MOST + 8];
  for (int round = 0; round < ROUNDS; round++) {
    size_t length = below(MOST), start = below(8);
    for (size_t i = 0; i < sizeof bytes; i++)
      bytes[i] = (uint8_t)dice();
    if (!same(clinux_crc32c(bytes + start, length) == plain_crc32c(bytes + start, length), round))
      return false;
  }
  return true;
}

/* Noise of every width, even steps, and what is neither. */
static void make_integers(int64_t *numbers, size_t count) {
  unsigned shift = (unsigned)below(64);
  uint64_t last = dice(), step = dice() >> below(64);
  size_t shape = below(4);
  for (size_t i = 0; i < count; i++) {
    uint64_t noise = (uint64_t)((int64_t)dice() >> shift);
    last = shape == 0 ? noise : shape == 1 ? last + step : shape == 2 ? last + step + noise : last;
    numbers[i] = (int64_t)last;
  }
}
static bool packed_integers(void) {
  int64_t numbers[MOST], again[MOST];
  static uint8_t fast[MOST * 8 + 400], plain[MOST * 8 + 400];
  for (int round = 0; round < ROUNDS; round++) {
    size_t count = below(MOST);
    make_integers(numbers, count);
    size_t length = clinux_pack(numbers, count, fast);
    if (!same(length == plain_pack(numbers, count, plain) && !memcmp(fast, plain, length), round))
      return false;
    if (!same(clinux_unpack(fast, length, count, again) == length &&
                  !memcmp(numbers, again, count * sizeof *numbers),
              round))
      return false;
  }
  return true;
}

/* Multiples of a step, in most rounds with a few that are none, in some with odd ones. */
static double make_doubles(double *numbers, size_t count) {
  static const double odd[] = {-0.0, 0.0, 5e-324, 1.7976931348623157e308, 1e300, 1.0 / 3};
  static const double steps[] = {0.01, 0.000598, 100, 1.0 / 3, 9.80665 / 2048};
  double step = steps[below(5)];
  size_t shape = below(4), at = below(MOST);
  for (size_t i = 0; i < count; i++) {
    int64_t whole = (int64_t)dice() >> (shape == 0 ? 8 : 48);
    numbers[i] = (double)whole * step;
    uint64_t bits = dice();
    if (shape == 1 && i == at)
      numbers[i] = odd[below(6)];
    if (shape == 2 && i == at)
      memcpy(&numbers[i], &bits, 8);
  }
  return step;
}
static bool scaled_doubles(void) {
  double numbers[MOST], fast_back[MOST], plain_back[MOST];
  int64_t fast[MOST], plain[MOST];
  for (int round = 0; round < ROUNDS; round++) {
    size_t stride = 1 + below(4), count = below(MOST / 4);
    double step = make_doubles(numbers, count * stride);
    bool divides = below(2) == 1;
    bool fits = clinux_scale(numbers, stride, count, step, divides, fast);
    if (!same(fits == plain_scale(numbers, stride, count, step, divides, plain) &&
                  (!fits || !memcmp(fast, plain, count * sizeof *fast)) &&
                  clinux_are_finite(numbers, count) == plain_are_finite(numbers, count),
              round))
      return false;
    make_integers(fast, count);
    clinux_unscale(fast, count, step, divides, fast_back, 1);
    plain_unscale(fast, count, step, divides, plain_back, 1);
    if (!same(!memcmp(fast_back, plain_back, count * sizeof *fast_back), round))
      return false;
  }
  return true;
}
static bool packed_doubles(void) {
  double numbers[MOST], again[MOST];
  static uint8_t fast[MOST * 9 + 8], plain[MOST * 9 + 8];
  for (int round = 0; round < ROUNDS; round++) {
    size_t count = below(MOST), read = 0;
    make_doubles(numbers, count);
    size_t length = clinux_pack_doubles(numbers, 1, count, fast);
    if (!same(length == plain_pack_doubles(numbers, 1, count, plain) &&
                  !memcmp(fast, plain, length) &&
                  clinux_unpack_doubles(fast, length, count, again, 1, &read) && read == length &&
                  !memcmp(numbers, again, count * sizeof *numbers),
              round))
      return false;
  }
  return true;
}

/* Three axes as sensors have them, of every width and shift, anywhere in the record; through a
   matrix of each kind. */
static bool scanned_axes(void) {
  static unsigned char records[64 * 48 + 8];
  double fast[64 * 3], plain[64 * 3];
  for (int round = 0; round < ROUNDS; round++) {
    clinux_scan_number axes[3];
    unsigned bytes = below(2) == 0 ? 2 : 4, bits = 1 + (unsigned)below(8 * bytes);
    unsigned shift = (unsigned)below(8 * bytes - bits + 1), offset = (unsigned)below(9);
    for (unsigned i = 0; i < 3; i++)
      axes[i] = (clinux_scan_number){.offset = offset + i * bytes,
                                     .bytes = (uint8_t)bytes,
                                     .bits = (uint8_t)bits,
                                     .shift = (uint8_t)shift,
                                     .is_signed = true};
    size_t size = offset + 3 * bytes + below(16), count = below(64), start = below(8);
    for (size_t i = 0; i < sizeof records; i++)
      records[i] = (unsigned char)dice();
    double matrix[9] = {0}, shift_by[3];
    bool is_diagonal = below(2) == 0;
    for (int i = 0; i < 9; i++)
      matrix[i] = is_diagonal && i % 4 != 0 ? 0 : (double)(int32_t)dice() / 1e6;
    for (int i = 0; i < 3; i++)
      shift_by[i] = (double)(int32_t)dice() / 1e3;
    clinux_scan_column(records + start, size, count, axes, 3, matrix, shift_by, 3, fast);
    plain_scan_column(records + start, size, count, axes, 3, matrix, shift_by, 3, plain);
    if (!same(!memcmp(fast, plain, count * 3 * sizeof *fast), round))
      return false;
  }
  return true;
}
static bool scanned_stamps(void) {
  static unsigned char records[64 * 32 + 8];
  int64_t fast[64], plain[64];
  for (int round = 0; round < ROUNDS; round++) {
    clinux_scan_number stamp = {.offset = (unsigned)below(24),
                                .bytes = 8,
                                .bits = 64,
                                .is_signed = true,
                                .is_big = below(2) == 1};
    size_t count = below(64), start = below(8);
    for (size_t i = 0; i < sizeof records; i++)
      records[i] = (unsigned char)dice();
    clinux_scan_stamps(records + start, 32, count, &stamp, fast);
    plain_scan_stamps(records + start, 32, count, &stamp, plain);
    if (!same(!memcmp(fast, plain, count * sizeof *fast), round))
      return false;
  }
  return true;
}

int main(void) {
  static const struct {
    const char *name;
    bool (*run)(void);
  } subjects[] = {
      {"check sums", check_sums},         {"packed whole numbers", packed_integers},
      {"scaled doubles", scaled_doubles}, {"packed doubles", packed_doubles},
      {"scanned axes", scanned_axes},     {"scanned time stamps", scanned_stamps},
  };
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
    subject = subjects[i].name;
    tell(subjects[i].run());
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
