/* libz, opened at run time. Its headers are not wanted to build: these declarations of our own
   repeat its layout, which has stood since its version 1.2. */
#ifndef CLINUX_GZIP_H
#define CLINUX_GZIP_H

#include <stddef.h>
#include <stdint.h>

/* -- z_stream. */
typedef struct {
  const uint8_t *next_in;
  unsigned avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *(*allocate)(void *owner, unsigned items, unsigned size);
  void (*release)(void *owner, void *address);
  void *owner;
  int data_type;
  unsigned long adler, reserved;
} clinux_gzip_stream;

typedef struct {
  int (*deflateInit2_)(clinux_gzip_stream *stream, int level, int method, int window, int memory,
                       int strategy, const char *version, int size);
  int (*deflate)(clinux_gzip_stream *stream, int flush);
  int (*deflateEnd)(clinux_gzip_stream *stream);
} clinux_gzip;

/* Fills a table from an opened library; the name of the first symbol missing, or NULL. */
const char *clinux_gzip_bind(clinux_gzip *table, void *library);
/* How much room a text needs at most, compressed. */
size_t clinux_gzip_room(size_t size);
/* Compresses a text whole, as a file of gzip(1): its bytes, or 0 if there is too little memory or
   room, or the text is longer than 32 bits can tell. */
size_t clinux_gzip_text(const clinux_gzip *table, const uint8_t *text, size_t size, uint8_t *out,
                        size_t room);

#endif
