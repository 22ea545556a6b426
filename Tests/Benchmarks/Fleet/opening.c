/* A fleet as a context shows it:  opening PORT DEVICES SOURCES [SECONDS]
   Prints the seconds until the list of all sources is there, and until what each of them is has
   come; how many are in the list, and how many were described; the bytes of heap that a source
   takes after either, its id here included; and the most memory that was resident, in MiB. With
   SECONDS the list may take so long to be complete. */
#include "measure.h"
#include "ours.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** How many callers describe sources at the same time. */
enum { CALLERS = 8 };

/** A caller's share of the list: the ids of some of the devices. */
typedef struct share {
  gkit_context *context;
  char **ids;
  size_t count;
} share;

static atomic_size_t described;

static double heap(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)(info.uordblks + info.hblkhd);
}

/** Describes sources. The property `told` is none of their kinds: their machines have told it. */
static void *describe(void *data) {
  const share *share = data;
  for (size_t i = 0; i < share->count; i++) {
    gkit_source *source = source_of(share->context, share->ids[i]);
    if (gkit_source_find_property(source, "told") >= 0)
      described++;
    else
      fprintf(stderr, "%s is not described\n", share->ids[i]);
    gkit_release(source);
  }
  return NULL;
}

/** Gives each caller the ids of some of the devices. */
static void deal(gkit_dict *list, share *shares) {
  size_t count = gkit_dict_count(list);
  gkit_value row, id;
  int device;
  for (int i = 0; i < CALLERS; i++)
    if ((shares[i].ids = calloc(count, sizeof(char *))) == NULL)
      give_up("fleet", "no memory");
  for (size_t i = 0; i < count; i++) {
    must(gkit_dict_at(list, i, NULL, &row));
    must(gkit_dict_get(row.as.dict, "id", &id));
    const char *end = strstr(id.as.string, "@m");
    if (end == NULL || sscanf(end, "@m%d", &device) != 1)
      continue;
    share *share = &shares[device % CALLERS];
    share->ids[share->count++] = strdup(id.as.string);
  }
}

static void describe_all(share *shares) {
  pthread_t threads[CALLERS];
  for (size_t i = 0; i < CALLERS; i++)
    if (pthread_create(&threads[i], NULL, describe, &shares[i]) != 0)
      give_up("fleet", "no thread");
  for (size_t i = 0; i < CALLERS; i++)
    pthread_join(threads[i], NULL);
}

/** The list, once it has as many sources as are there, or the time is over. */
static gkit_dict *complete_list(gkit_context *context, size_t wanted, double end) {
  for (;;) {
    gkit_dict *list = NULL;
    must(gkit_source_list(context, NULL, &list));
    if (gkit_dict_count(list) >= wanted || now_ns() >= end)
      return list;
    gkit_release(list);
    usleep(100000);
  }
}

int main(int count, char **arguments) {
  char uri[64];
  share shares[CALLERS] = {{NULL, NULL, 0}};
  if (count < 4)
    give_up("opening", "name a port, and how many devices and sources there are");
  double wanted = atof(arguments[2]) * atof(arguments[3]);
  double patience = count > 4 ? atof(arguments[4]) * 1e9 : 0;
  snprintf(uri, sizeof uri, "mqtt:127.0.0.1:%s", arguments[1]);
  double before = heap(), begin = now_ns();
  gkit_context *context = opened(uri);
  gkit_dict *list = complete_list(context, (size_t)wanted, begin + patience);
  double listed = now_ns();
  size_t found = gkit_dict_count(list);
  for (int i = 0; i < CALLERS; i++)
    shares[i].context = context;
  deal(list, shares);
  gkit_release(list);
  double dealt = heap(), first = now_ns();
  describe_all(shares);
  double last = now_ns(), known = heap();
  printf("%g %g %zu %zu %g %g %g\n", (listed - begin) / 1e9, (last - first) / 1e9, found,
         (size_t)described, (dealt - before) / wanted, (known - before) / wanted,
         most_resident_mib());
  gkit_context_close(context);
  gkit_release(context);
  return 0;
}
