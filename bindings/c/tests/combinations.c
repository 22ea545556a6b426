/* Streams 2.4: streams made of several. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "probe.h"
#include <stdlib.h>
#include <string.h>

/* Streams 2.4 and L63: what two values, or one, make. */
static const char *made(sim *sim, const char *left, const char *op, const char *right) {
  static char result[128];
  gkit_stream *x = probe_variable(sim, 0), *y = right ? probe_variable(sim, 0) : NULL;
  gkit_stream *out = probe_combine(x, y, op);
  CHECK_OK(probe_send_json(x, left));
  if (y)
    CHECK_OK(probe_send_json(y, right));
  strncpy(result, probe_get(out), sizeof result - 1);
  gkit_release(out);
  gkit_release(x);
  if (y)
    gkit_release(y);
  return result;
}

/* L26, L27: merge and combine of plain streams. */
static void several(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  probe a = {.sim = &sim}, b = {.sim = &sim, .name = "c"};
  gkit_connection *first = NULL, *second = NULL;
  gkit_stream *x = probe_signal(&sim), *y = probe_variable(&sim, 5);
  gkit_stream *merged = probe_combine(x, y, "merge"), *combined = probe_combine(x, y, "combine");
  CHECK_OK(probe_listen(merged, &a, &first));
  CHECK_TEXT(sim_take(&sim), "~5");
  CHECK_OK(probe_listen(combined, &b, &second));
  CHECK_OK(probe_send(x, 1));
  CHECK_OK(probe_send(y, 6));
  CHECK_TEXT(sim_take(&sim), "1 c=[1,5] 6 c=[1,6]");
  CHECK_STATUS(probe_send(merged, 1), GKIT_ERROR_NOT_SUPPORTED);
  gkit_release(first);
  gkit_release(second);
  gkit_release(merged);
  gkit_release(combined);
  gkit_release(x);
  gkit_release(y);
  sim_close(&sim);
}

static void arithmetic(void) {
  static const char *const cases[][4] = {
      {"2", "+", "3", "5"},
      {"2", "+", "0.5", "2.5"},
      {"9223372036854775807", "+", "1", "-9223372036854775808"},
      {"-9223372036854775808", "-", "1", "9223372036854775807"},
      {"9223372036854775807", "*", "2", "-2"},
      {"7", "/", "2", "3"},
      {"7", "/", "0", "0"},
      {"-9223372036854775808", "/", "-1", "-9223372036854775808"},
      {"7.0", "/", "2", "3.5"},
      {"-7", "%", "3", "-1"},
      {"7", "%", "0", "0"},
      {"-9223372036854775808", "%", "-1", "0"},
      {"7.5", "%", "2", "1.5"},
      {"2", "min", "3", "2"},
      {"2", "max", "3.5", "3.5"},
      {"2", "==", "2.0", "false"},
      {"\"a\"", "==", "\"a\"", "true"},
      {"[1]", "!=", "[1]", "false"},
      {"2", "<", "2.5", "true"},
      {"2", ">=", "2", "true"},
      {"9223372036854775807", ">", "9223372036854775806", "true"},
      {"\"a\"", "<", "\"b\"", "true"},
      {"\"b\"", "<=", "\"a\"", "false"},
      {"true", "&&", "false", "false"},
      {"true", "||", "false", "true"},
      {"1", "&&", "true", "null"},
      {"true", "<", "false", "null"},
      {"\"a\"", "+", "\"b\"", "null"},
      {"null", "+", "1", "null"},
      {"\"a\"", "<", "1", "null"},
      {"5", "-", NULL, "-5"},
      {"-9223372036854775808", "-", NULL, "-9223372036854775808"},
      {"2.5", "-", NULL, "-2.5"},
      {"true", "!", NULL, "false"},
      {"1", "!", NULL, "null"},
      {"9", "sqrt", NULL, "3.0"},
      {"\"9\"", "sqrt", NULL, "null"},
  };
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_TEXT(made(&sim, cases[i][0], cases[i][1], cases[i][2]), cases[i][3]);
  gkit_stream *x = probe_variable(&sim, 0), *three[] = {x, x, x}, *out = NULL;
  CHECK_STATUS(gkit_stream_combine(three, 2, "plus", &out), GKIT_ERROR_NOT_FOUND);
  CHECK_INVALID(gkit_stream_combine(three, 3, "+", &out));
  CHECK_INVALID(gkit_stream_combine(three, 1, "+", &out));
  CHECK_INVALID(gkit_stream_combine(three, 2, "!", &out));
  CHECK_INVALID(gkit_stream_combine(three, 0, "merge", &out));
  CHECK_INVALID(gkit_stream_combine(NULL, 1, "merge", &out));
  CHECK_INVALID(gkit_stream_combine(three, 2, NULL, &out));
  three[1] = NULL;
  CHECK_INVALID(gkit_stream_combine(three, 2, "merge", &out));
  CHECK(out == NULL);
  gkit_release(x);
  sim_close(&sim);
}

int main(void) {
  RUN(several);
  RUN(arithmetic);
  return check_report();
}
