/* What one gkit_source_update_values() costs beside the same reads by hand. */
#include "limits.h"
#include "measure.h"

#include <gatheredkit.h>
#include <stdio.h>
#include <string.h>

static gkit_context *context;

static void update(void *data) {
  if (gkit_source_update_values(data, -1) < 0)
    give_up("update_values", gkit_last_error()->message);
}

static gkit_source *opened(const char *id) {
  gkit_source *source = NULL;
  if (gkit_source_open(context, id, &source) < 0)
    give_up(id, gkit_last_error()->message);
  return source;
}

/** Measures one source beside its limit; the limit goes first and decides what is there. */
static void compare(const char *name, const char *id, limit *limit, const char *aim) {
  if (limit == NULL)
    return;
  gkit_source *source = opened(id);
  work works[] = {{update, source}, {limit_read, limit}};
  double spent[2];
  measure(works, 2, spent);
  row(name, spent[0] / 1e3, "us", "kept files in C", spent[1] / 1e3, aim);
  gkit_release(source);
  limit_close(limit);
}

static void open_context(const char *uri) {
  gkit_context_options options = GKIT_CONTEXT_OPTIONS_INIT;
  options.mode = GKIT_MODE_HOST;
  if (gkit_context_open(uri, &options, &context) < 0)
    give_up(uri, gkit_last_error()->message);
}

/** Prints the name of a kind and the microseconds of its limit, for another program. */
static void tell(const char *kind, limit *limit) {
  if (limit == NULL)
    return;
  double spent;
  measure(&(work){limit_read, limit}, 1, &spent);
  printf("%s %g\n", kind, spent / 1e3);
  limit_close(limit);
}

static void tell_limits(void) {
  tell("memory", memory_limit());
  tell("cpu", cpu_limit());
  tell("storage", storage_limit("/"));
  tell("network", network_limit(NULL));
}

/** `reads` measures this computer; `reads battery` only its battery; `reads battery FOLDER` that
    of a captured tree; `reads limits` tells the limits alone. */
int main(int count, char **arguments) {
  char uri[4096] = "local:", id[256];
  if (count > 1 && strcmp(arguments[1], "limits") == 0) {
    tell_limits();
    return 0;
  }
  const char *root = count > 2 ? arguments[2] : "";
  if (*root != '\0')
    snprintf(uri, sizeof uri, "local:root=%s", root);
  open_context(uri);
  if (count > 1) {
    const char *name = *root == '\0' ? "read battery" : "read battery of a captured tree";
    const char *aim = *root == '\0' ? "<= 2.5 x" : "<= 60 us";
    compare(name, "battery|BAT0", battery_limit(root, "BAT0"), aim);
    return 0;
  }
  compare("read memory", "memory", memory_limit(), "<= 1.1 x");
  compare("read cpu (aggregate)", "cpu", cpu_limit(), "<= 1.2 x");
  compare("read storage of /", "storage|%2F", storage_limit("/"), "<= 1.2 x");
  compare("read network (aggregate)", "network", network_limit(NULL), "<= 1.2 x");
  const char *interface = first_interface();
  snprintf(id, sizeof id, "network|%s", interface);
  compare("read network (one interface)", id, network_limit(interface), "<= 1.2 x");
  gkit_release(context);
  return 0;
}
