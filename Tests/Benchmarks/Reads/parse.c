#include "parse.h"

#include <string.h>

static const char *integer(const char *text, long long *out) {
  long long number = 0;
  int is_negative = *text == '-';
  text += is_negative;
  while ((unsigned char)(*text - '0') < 10)
    number = number * 10 + (*text++ - '0');
  *out = is_negative ? -number : number;
  return text;
}

static const char *decimal(const char *text, double *out) {
  static const double powers[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6};
  long long digits = 0;
  int places = 0;
  while ((unsigned char)(*text - '0') < 10)
    digits = digits * 10 + (*text++ - '0');
  if (*text == '.')
    for (text++; (unsigned char)(*text - '0') < 10 && places < 6; places++)
      digits = digits * 10 + (*text++ - '0');
  *out = (double)digits / powers[places];
  return text;
}

void parse_integer(const char *text, field *fields) { integer(text, &fields->integer); }

void parse_word(const char *text, field *fields) {
  size_t length = 0;
  while (length < sizeof fields->word - 1 && text[length] >= ' ')
    length++;
  memcpy(fields->word, text, length);
  fields->word[length] = '\0';
}

static const char *past_spaces(const char *text) {
  while (*text == ' ')
    text++;
  return text;
}

void parse_integers(const char *text, field *fields) {
  for (text = past_spaces(text); *text >= ' '; text = past_spaces(text))
    text = integer(text, &fields++->integer);
}

void parse_decimals(const char *text, field *fields) {
  for (int i = 0; i < 3; i++)
    text = past_spaces(decimal(text, &fields++->number));
}

void parse_meminfo(const char *text, field *fields) {
  // In the order of the kernel, so that one pass finds them all.
  static const char *const labels[] = {
      "MemTotal:",  "MemFree:",  "MemAvailable:", "Buffers:", "Cached:", "SwapCached:",
      "SwapTotal:", "SwapFree:", "Zswap:",        "Dirty:",   "Shmem:",  "SReclaimable:"};
  size_t next = 0, count = sizeof labels / sizeof *labels;
  while (*text != '\0' && next < count) {
    for (size_t i = next; i < count; i++) {
      size_t length = strlen(labels[i]);
      if (*text != *labels[i] || strncmp(text, labels[i], length) != 0)
        continue;
      integer(past_spaces(text + length), &fields[i].integer);
      fields[i].integer *= 1024;
      next = i + 1;
      break;
    }
    const char *end = strchr(text, '\n');
    if (end == NULL)
      return;
    text = end + 1;
  }
}

void parse_pressure(const char *text, field *fields) {
  while ((text = strchr(text, '=')) != NULL)
    text = decimal(text + 1, &fields++->number);
}

void parse_stat(const char *text, field *fields) {
  while (strncmp(text, "cpu", 3) == 0) {
    const char *end = strchr(text, '\n');
    text = strchr(text, ' ');
    for (int i = 0; i < 8; i++)
      text = integer(past_spaces(text), &fields++->integer);
    if (end == NULL)
      return;
    text = end + 1;
  }
}
