/* Prints every source of a machine: whether it can be used, why not, what to do, and its values.
 *
 *   cc -std=c99 list_sources.c $(pkg-config --cflags --libs gatheredkit) -o list_sources
 *   ./list_sources [URI]                 this computer; or sim:laptop, local:root=DIR, ip:HOST
 */
#include <gatheredkit.h>
#include <stdio.h>

static int complain(const char *what) {
  fprintf(stderr, "%s: %s\n", what, gkit_last_error()->message);
  return 1;
}

/* A text of a dictionary, or "" where there is none. */
static const char *text_of(const gkit_dict *dict, const char *key) {
  gkit_value value;
  if (gkit_dict_get(dict, key, &value) < 0 || value.type != GKIT_TYPE_STRING)
    return "";
  return value.as.string;
}

/* A value, or the reason why there is none. */
static void print_value(const gkit_source *source, const gkit_property_info *property,
                        const gkit_sample *sample) {
  if (sample->status == GKIT_SAMPLE_OK || sample->status == GKIT_SAMPLE_STALE) {
    char text[128];
    gkit_property_format(property, &sample->value, GKIT_STYLE_PEOPLE, text, sizeof text);
    printf("    %-28s %s\n", property->name, text);
  } else {
    gkit_dict *why = NULL;
    if (gkit_source_explain(source, sample->property, &why) < 0)
      return;
    printf("    %-28s (%s)\n", property->name, text_of(why, "reason"));
    gkit_release(why);
  }
}

static int print_source(gkit_context *context, const gkit_dict *entry) {
  const char *id = text_of(entry, "id");
  const char *detail = text_of(entry, "detail");
  const char *remedy = text_of(entry, "remedy");
  gkit_source *source = NULL;
  gkit_source_info info = GKIT_SOURCE_INFO_INIT;

  printf("%s (%s): %s%s%s\n", id, text_of(entry, "label"), text_of(entry, "reason"),
         *detail ? ", " : "", detail);
  if (*remedy)
    printf("    to mend it: %s\n", remedy);

  if (gkit_source_open(context, id, &source) < 0 ||
      gkit_source_update_values(source, INT64_C(1000000000)) < 0 ||
      gkit_source_get_info(source, &info) < 0) {
    complain(id);
    gkit_release(source);
    return 1;
  }
  for (uint32_t i = 0; i < info.property_count; i++) {
    gkit_property_info property = GKIT_PROPERTY_INFO_INIT;
    gkit_sample sample;
    if (gkit_source_get_property_info(source, i, &property) == GKIT_OK &&
        gkit_source_get_value(source, i, &sample) == GKIT_OK)
      print_value(source, &property, &sample);
  }
  gkit_release(source);
  return 0;
}

int main(int argc, char **argv) {
  gkit_context *context = NULL;
  gkit_dict *sources = NULL;
  int failures = 0;

  if (gkit_context_open(argc > 1 ? argv[1] : NULL, NULL, &context) < 0)
    return complain(argc > 1 ? argv[1] : "local:");
  if (gkit_source_list(context, NULL, &sources) < 0)
    failures = complain("list");

  for (size_t i = 0; sources != NULL && i < gkit_dict_count(sources); i++) {
    gkit_value entry;
    if (gkit_dict_at(sources, i, NULL, &entry) == GKIT_OK && entry.type == GKIT_TYPE_DICT)
      failures += print_source(context, entry.as.dict);
  }
  gkit_release(sources);
  gkit_context_close(context);
  gkit_release(context);
  return failures ? 1 : 0;
}
