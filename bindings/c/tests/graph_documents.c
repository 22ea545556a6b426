/* Documents of graphs that are hostile or wrong: what is told, and that nothing is built. */
#include "check.h"
#include "probe.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "{\"format\":\"gatheredkit.graph\",\"version\":1,"

/* Loads a text that must be refused: the message's beginning, and the first problem's code. */
static void refused(sim *sim, const char *text, size_t length, gkit_status status,
                    const char *message, const char *code) {
  gkit_patch *patch = (gkit_patch *)sim;
  gkit_dict *problems = NULL;
  gkit_value first, member;
  CHECK_STATUS(gkit_patch_from_json(sim->context, text, length, &patch, &problems), status);
  CHECK_BEGINS(gkit_last_error()->message, message);
  CHECK(patch == NULL);
  if (CHECK(gkit_dict_count(problems) > 0)) {
    CHECK_OK(gkit_dict_at(problems, 0, NULL, &first));
    CHECK_OK(gkit_dict_get(first.as.dict, "code", &member));
    CHECK_TEXT(member.as.string, code);
    CHECK_OK(gkit_dict_get(first.as.dict, "message", &member));
    if (strcmp(code, "malformed") == 0)
      CHECK_BEGINS(member.as.string, "line ");
  }
  gkit_release(problems);
  CHECK_INT(gkit_live_count("patch"), 0);
}

static void refused_text(sim *sim, const char *text, gkit_status status, const char *message) {
  refused(sim, text, strlen(text), status, message, "malformed");
}

/* Patches 5, R8: what is malformed is PARSE, and says where. */
static void malformed_documents_say_where(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  refused_text(&sim, "", GKIT_ERROR_PARSE, "byte 0: ");
  refused_text(&sim, "{", GKIT_ERROR_PARSE, "byte 1: ");
  refused_text(&sim, "{\"format\":tru}", GKIT_ERROR_PARSE, "byte 10: ");
  refused_text(&sim, HEAD "\"version\":1}", GKIT_ERROR_PARSE, "byte ");
  refused_text(&sim, HEAD "\"patches\":[]} x", GKIT_ERROR_PARSE, "byte ");
  refused_text(&sim, HEAD "\"patches\":{}}", GKIT_ERROR_PARSE, "byte 42: /patches: ");
  refused_text(&sim, HEAD "\"patchs\":[]}", GKIT_ERROR_PARSE, "byte 42: /patchs: ");
  refused_text(&sim, HEAD "\"patches\":[{\"name\":1}]}", GKIT_ERROR_PARSE, "byte 54: ");
  refused_text(&sim, "[]", GKIT_ERROR_PARSE, "byte 0: ");
  refused(&sim, "\xFF\xFE", 2, GKIT_ERROR_PARSE, "byte 0: ", "malformed");
  refused(&sim, "{}\0", 3, GKIT_ERROR_PARSE, "byte 2: ", "malformed");
  refused(&sim, "{}", 2, GKIT_ERROR_VALIDATION, "/format: ", "unsupportedVersion");
  refused(&sim, "{\"version\":2}", 13, GKIT_ERROR_VALIDATION, "/format: ", "unsupportedVersion");
  CHECK_INVALID(gkit_patch_from_json(sim.context, NULL, 0, NULL, NULL));
  sim_close(&sim);
}

/* R11: numbers no double can hold, names that come twice, and too deep a nesting. */
static void hostile_documents_break_nothing(void) {
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  enum { DEPTH = 200000 };
  char *deep = malloc(DEPTH);
  if (deep == NULL)
    abort();
  memset(deep, '[', DEPTH);
  refused(&sim, deep, DEPTH, GKIT_ERROR_LIMIT, "byte 128: ", "malformed");
  for (int i = 0; i < DEPTH; i += 5)
    memcpy(deep + i, "{\"a\":", 5);
  refused(&sim, deep, DEPTH, GKIT_ERROR_LIMIT, "byte ", "malformed");
  free(deep);
  refused_text(&sim, HEAD "\"patches\":[],\"patches\":[]}", GKIT_ERROR_PARSE, "byte ");
  refused_text(&sim, HEAD "\"values\":[{\"to\":\"a.b\",\"value\":1e999}]}", GKIT_ERROR_PARSE,
               "byte ");
  const char *newer = "{\"format\":\"gatheredkit.graph\",\"version\":99999999999999999999}";
  refused(&sim, newer, strlen(newer), GKIT_ERROR_VALIDATION, "/version: ", "unsupportedVersion");
  const char *huge =
      HEAD "\"patches\":[{\"name\":\"c\",\"type\":\"combine\",\"options\":{\"count\":1e18}}]}";
  refused(&sim, huge, strlen(huge), GKIT_ERROR_VALIDATION,
          "/patches/0/options/count: ", "badOption");
  const char *twice = HEAD "\"patches\":[{\"name\":\"n\",\"type\":\"norm\"},"
                           "{\"name\":\"n\",\"type\":\"norm\"}]}";
  refused(&sim, twice, strlen(twice), GKIT_ERROR_VALIDATION, "/patches/1/name: ", "duplicateName");
  sim_close(&sim);
}

/* A graph in a graph in a graph ...: as deep as JSON may be, and one deeper. */
static void graphs_may_be_nested_as_deep_as_json(void) {
  static const char open[] = HEAD "\"patches\":[{\"name\":\"g\",\"type\":\"graph\",\"graph\":";
  static const char inmost[] = HEAD "\"patches\":[]}", close[] = "}]}";
  sim sim;
  if (!sim_open(&sim, MEMORY))
    return;
  /* Each level nests an object, a list and an object; the inmost document two more. */
  for (int levels = 42; levels <= 43; levels++) {
    char *text = calloc((size_t)levels, sizeof open + sizeof close + sizeof inmost);
    gkit_patch *graph = NULL;
    if (text == NULL)
      abort();
    for (int i = 0; i < levels; i++)
      strcat(text, open);
    strcat(text, inmost);
    for (int i = 0; i < levels; i++)
      strcat(text, close);
    gkit_status status = gkit_patch_from_json(sim.context, text, strlen(text), &graph, NULL);
    CHECK_STATUS(status, levels == 42 ? GKIT_OK : GKIT_ERROR_LIMIT);
    CHECK_INT(gkit_live_count("patch"), levels == 42 ? 43 : 0);
    gkit_release(graph);
    free(text);
  }
  sim_close(&sim);
}

/* A sound document cut off, or with one byte altered, anywhere: an answer, and nothing left. */
static void altered_documents_break_nothing(void) {
  static const char sound[] =
      HEAD "\"patches\":[{\"name\":\"n\",\"type\":\"norm\"},{\"name\":\"t\",\"type\":\"threshold\","
           "\"options\":{\"above\":15.0}}],\"values\":[{\"to\":\"t.above\",\"value\":18.0}],"
           "\"wires\":[{\"from\":\"n.value\",\"to\":\"t.value\"}],"
           "\"inputs\":[{\"name\":\"limit\",\"to\":\"t.above\"}],\"outputs\":[]}";
  static const char bytes[] = "\"{}[]:,\\0-e\x80\n";
  sim sim;
  char text[sizeof sound];
  if (!sim_open(&sim, MEMORY))
    return;
  CHECK_OK(gkit_patch_from_json(sim.context, sound, sizeof sound - 1, NULL, NULL));
  for (size_t end = 0; end < sizeof sound - 1; end++)
    CHECK_STATUS(gkit_patch_from_json(sim.context, sound, end, NULL, NULL), GKIT_ERROR_PARSE);
  for (size_t at = 0; at < sizeof sound - 1; at++) {
    for (size_t byte = 0; byte < sizeof bytes; byte++) {
      gkit_patch *graph = NULL;
      memcpy(text, sound, sizeof sound);
      text[at] = bytes[byte];
      gkit_status status = gkit_patch_from_json(sim.context, text, sizeof sound - 1, &graph, NULL);
      CHECK((status == GKIT_OK) == (graph != NULL));
      gkit_release(graph);
    }
  }
  CHECK_INT(gkit_live_count("patch"), 0);
  sim_close(&sim);
}

int main(void) {
  RUN(malformed_documents_say_where);
  RUN(hostile_documents_break_nothing);
  RUN(graphs_may_be_nested_as_deep_as_json);
  RUN(altered_documents_break_nothing);
  return check_report();
}
