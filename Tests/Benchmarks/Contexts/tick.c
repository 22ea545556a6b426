/* What one look at all file-based kinds costs: the figure to which `reads.py` puts psutil's. */
#include "measure.h"

#include <gatheredkit.h>
#include <stdio.h>
#include <unistd.h>

enum { SECONDS = 5 };

static const char *const kinds[] = {"memory",  "cpu",         "storage", "network",
                                    "battery", "temperature", "thermal", "screen"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void listener(gkit_source *source, const gkit_sample *samples, size_t count,
                     void *user_data) {
  (void)source;
  (void)samples;
  (void)count;
  (void)user_data;
}

int main(void) {
  gkit_context *context = NULL;
  if (gkit_context_open(NULL, NULL, &context) < 0)
    give_up("local:", gkit_last_error()->message);
  for (int i = 0; i < KINDS; i++) {
    gkit_source *source = NULL;
    // What this computer has none of waits for it.
    if (gkit_source_open(context, kinds[i], &source) == GKIT_OK &&
        gkit_source_listen(source, listener, NULL, NULL, NULL) == GKIT_OK)
      (void)gkit_source_start(source, INT64_C(1000000000));
  }
  usleep(500000);
  double cpu = cpu_ns();
  sleep(SECONDS);
  printf("%g\n", (cpu_ns() - cpu) / SECONDS / 1e6);
  gkit_release(context);
  return 0;
}
