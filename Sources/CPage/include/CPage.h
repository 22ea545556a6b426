/* The page that `gathered-serve` shows. */
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/* The bytes of the page, for ever, and their number. */
const unsigned char *gathered_page(size_t *length);

#endif
