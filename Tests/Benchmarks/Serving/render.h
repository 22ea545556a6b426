/* What the benchmark of pages for Prometheus needs of C. */
#ifndef RENDER_H
#define RENDER_H

#include "measure.h"

/** A page as a program keeps it that writes it by hand: families with their samples. */
typedef struct page page;

/** What a page of OpenMetrics says. The text has to stay. */
page *page_of(const char *text, size_t length);

/** Writes a page anew: the same text. */
void write_page(void *page);

/** What was written last. */
const char *written_text(const page *page, size_t *length);

#endif
