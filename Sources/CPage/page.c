/* The page for browsers as bytes of the program: as a Swift array it compiles for half a minute. */
#include "CPage.h"

__asm__(
    ".section .rodata,\"a\",%progbits\n"
    ".hidden gathered_page_begin\n"
    ".hidden gathered_page_end\n"
    ".global gathered_page_begin\n"
    ".global gathered_page_end\n"
    "gathered_page_begin:\n"
    ".incbin \"page.html\"\n"
    "gathered_page_end:\n"
    ".byte 0\n"
    ".text\n");

extern const unsigned char gathered_page_begin[];
extern const unsigned char gathered_page_end[];

const unsigned char *gathered_page(size_t *length) {
  *length = (size_t)(gathered_page_end - gathered_page_begin);
  return gathered_page_begin;
}
