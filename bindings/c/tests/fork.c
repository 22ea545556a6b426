/* Rule 18, T8: in a forked child handles are dead, and a new context may be opened. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "sim.h"
#include <sys/wait.h>
#include <unistd.h>

/* Runs in the child: the number of the first thing that was wrong, or 0. */
static int in_the_child(gkit_context *context, gkit_source *source) {
  gkit_context *mine = NULL;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;
  if (gkit_source_start(source, 0) != GKIT_ERROR_FORKED)
    return 1;
  if (gkit_last_error()->code != GKIT_ERROR_FORKED)
    return 2;
  if (gkit_source_get_info(source, &info) != GKIT_ERROR_FORKED)
    return 3;
  if (gkit_source_is_updating(source, NULL))
    return 4;
  if (gkit_context_close(context) != GKIT_ERROR_FORKED)
    return 5;
  if (gkit_context_dispatch(context, -1) != GKIT_ERROR_FORKED)
    return 6;
  gkit_release(source);
  gkit_release(context);
  if (gkit_context_open("sim:empty", NULL, &mine) < 0)
    return 7;
  if (gkit_context_close(mine) < 0)
    return 8;
  gkit_release(mine);
  return 0;
}

static void try_in(uint32_t mode) {
  sim sim;
  int status = -1;
  if (!sim_open_as(&sim, MEMORY, mode, "&clock=manual"))
    return;
  gkit_source *source = sim_source(&sim, "memory|machine");
  CHECK_OK(gkit_source_start(source, SECOND));
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(in_the_child(sim.context, source));
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_INT(status, 0);
  CHECK_OK(sim_seek(&sim, SECOND));
  CHECK_TEXT(sim_take(&sim), "started 5 5");
  gkit_release(source);
  sim_close(&sim);
}

static void host_mode(void) { try_in(GKIT_MODE_HOST); }

static void thread_mode(void) { try_in(GKIT_MODE_THREAD); }

int main(void) {
  RUN(host_mode);
  RUN(thread_mode);
  return check_report();
}
