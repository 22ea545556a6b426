/* What needs much memory, and what it needs it with. */
#ifndef MEMORY_LIMITS_BENCH_H
#define MEMORY_LIMITS_BENCH_H

#include "../keep.h"

enum { MEGABYTE = 1 << 20 };

/* What the cases use, made before memory is short. */
typedef struct bench {
  keep keep;
  gkit_dict *dict, *list, *query, *wide;
  gkit_value text, bytes;
  char *json, *array, *name;
  gkit_stream *variable;
  gkit_patch *patch;
  gkit_datasource *memory, *custom, *mapped;
} bench;

typedef struct trial {
  const char *name;
  gkit_status (*run)(bench *bench);
  /* What it stores is the only member of the dictionary. */
  bool stores;
  /* Refused as too much, whatever memory there is. */
  bool is_bounded;
} trial;

/* How many bytes the large things have. */
extern size_t large;
/* A folder for what the cases store. */
extern char folder[];
enum { TRIALS = 32 };
/* The cases. */
extern const trial trials[TRIALS];

/* Makes the large things; this calls nothing of the library. */
void bench_fill(bench *bench);
/* Makes all else. */
void bench_open(bench *bench);

#endif
