#include "render.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAMILIES = 600, MOST_SAMPLES = 600, ROOM = 1 << 17 };

/** A part of the text that was read. */
typedef struct word {
  const char *at;
  size_t length;
} word;

typedef struct sample {
  word name, labels;
  bool is_whole;
  int64_t whole;
  double number;
} sample;

typedef struct family {
  word name, help, kind, unit;
  size_t first, count;
} family;

struct page {
  family families[MOST_FAMILIES];
  sample samples[MOST_SAMPLES];
  size_t family_count, sample_count, length;
  char text[ROOM];
};

/** Takes a word from the front of a line, up to one of some characters. */
static word take(const char **line, const char *end, const char *stops) {
  const char *at = *line;
  while (*line < end && strchr(stops, **line) == NULL)
    (*line)++;
  return (word){at, (size_t)(*line - at)};
}

static void read_sample(page *page, const char *line, const char *end) {
  sample *sample = &page->samples[page->sample_count++];
  sample->name = take(&line, end, "{ ");
  if (*line == '{') {
    line++;
    sample->labels = take(&line, end, "}");
    line++;
  }
  char *rest;
  sample->is_whole = memchr(line, '.', (size_t)(end - line)) == NULL;
  sample->whole = strtoll(line, &rest, 10);
  sample->number = strtod(line, &rest);
  page->families[page->family_count - 1].count++;
}

/** `# HELP name text`, which begins a family, `# TYPE`, `# UNIT`, or `# EOF`. */
static void read_fact(page *page, const char *line, const char *end) {
  const char *what = line;
  line += strlen("# HELP ");
  if (line >= end)
    return;
  word name = take(&line, end, " ");
  word rest = {line + 1, (size_t)(end - line - 1)};
  if (what[2] == 'H') {
    page->families[page->family_count++] =
        (family){.name = name, .help = rest, .first = page->sample_count};
    return;
  }
  family *family = &page->families[page->family_count - 1];
  *(what[2] == 'T' ? &family->kind : &family->unit) = rest;
}

page *page_of(const char *text, size_t length) {
  page *page = calloc(1, sizeof *page);
  const char *end = text + length;
  for (const char *line = text, *next; page != NULL && line < end; line = next + 1) {
    next = memchr(line, '\n', (size_t)(end - line));
    if (page->family_count == MOST_FAMILIES || page->sample_count == MOST_SAMPLES)
      give_up("rendering in C", "the page is too long");
    (*line == '#' ? read_fact : read_sample)(page, line, next);
  }
  return page;
}

static char *put(char *out, word word) {
  memcpy(out, word.at, word.length);
  return out + word.length;
}

#define PUT(out, text) put(out, (word){text, sizeof(text) - 1})

static char *put_fact(char *out, const char *what, word name, word fact) {
  out = put(put(out, (word){what, strlen("# HELP ")}), name);
  *out++ = ' ';
  out = put(out, fact);
  *out++ = '\n';
  return out;
}

static char *put_sample(char *out, const sample *sample) {
  out = put(out, sample->name);
  if (sample->labels.length > 0) {
    *out++ = '{';
    out = put(out, sample->labels);
    *out++ = '}';
  }
  if (sample->is_whole)
    return out + sprintf(out, " %lld\n", (long long)sample->whole);
  return out + sprintf(out, " %.15g\n", sample->number);
}

void write_page(void *data) {
  page *page = data;
  char *out = page->text;
  for (size_t i = 0; i < page->family_count; i++) {
    const family *family = &page->families[i];
    out = put_fact(out, "# HELP ", family->name, family->help);
    out = put_fact(out, "# TYPE ", family->name, family->kind);
    if (family->unit.length > 0)
      out = put_fact(out, "# UNIT ", family->name, family->unit);
    for (size_t place = 0; place < family->count; place++)
      out = put_sample(out, &page->samples[family->first + place]);
  }
  out = PUT(out, "# EOF\n");
  page->length = (size_t)(out - page->text);
}

const char *written_text(const page *page, size_t *length) {
  *length = page->length;
  return page->text;
}
