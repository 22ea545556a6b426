#include "CLinux.h"
#include "bind.h"

#include <limits.h>

const char *clinux_gzip_bind(clinux_gzip *table, void *library) {
#define WANTED(name)                                                                               \
  { &table->name, #name }
  const clinux_wanted wanted[] = {WANTED(deflateInit2_), WANTED(deflate), WANTED(deflateEnd)};
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}

/* What deflateBound says of any settings, with the head and the end of a file. */
size_t clinux_gzip_room(size_t size) { return size + size / 8 + size / 64 + 64; }

size_t clinux_gzip_text(const clinux_gzip *table, const uint8_t *text, size_t size, uint8_t *out,
                        size_t room) {
  enum { fastest = 1, deflated = 8, gzip_file = 16 + 15, memory = 8, usual = 0 };
  enum { finish = 4, stream_end = 1 };
  clinux_gzip_stream stream = {0};
  if (size > UINT_MAX || room > UINT_MAX ||
      table->deflateInit2_(&stream, fastest, deflated, gzip_file, memory, usual, "1",
                           (int)sizeof stream) != 0) {
    return 0;
  }
  stream.next_in = text;
  stream.avail_in = (unsigned)size;
  stream.next_out = out;
  stream.avail_out = (unsigned)room;
  const int outcome = table->deflate(&stream, finish);
  table->deflateEnd(&stream);
  return outcome == stream_end ? room - stream.avail_out : 0;
}
