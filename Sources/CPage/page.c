/* The page for browsers as bytes of the program: as a Swift array it compiles for half a minute. */
#include "CPage.h"

static const unsigned char page[] = {
#embed "page.html"
};

const unsigned char *gathered_page(size_t *length) {
  *length = sizeof page;
  return page;
}
