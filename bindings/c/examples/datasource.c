/* Keeps a small note between runs, and prints what the last run left.
 *
 *   cc -std=c99 datasource.c $(pkg-config --cflags --libs gatheredkit) -o datasource
 *   ./datasource [NOTE [FILE]]           ~/.local/share/gatheredkit/notes.sqlite unless told
 */
#include <gatheredkit.h>
#include <stdio.h>

/* Makes a call and waits for its answer, which the future lends. */
static gkit_status ask(gkit_datasource *notes, int32_t operation, const gkit_value *value,
                       gkit_future **future, gkit_value *out) {
  gkit_dict *query = gkit_query_new("id", "note");
  gkit_status status = gkit_datasource_perform(notes, operation, query, value, future);
  gkit_release(query);
  return status < 0 ? status : gkit_future_wait(*future, INT64_C(5000000000), out);
}

int main(int argc, char **argv) {
  gkit_context *context = NULL;
  gkit_datasource *notes = NULL;
  gkit_future *future = NULL;
  gkit_dict *options = gkit_dict_new();
  gkit_value name = gkit_value_string("notes"), note;
  gkit_status status;

  gkit_dict_set(options, "name", &name);
  if (argc > 2) {
    gkit_value path = gkit_value_string(argv[2]);
    gkit_dict_set(options, "path", &path);
  }
  status = gkit_context_open(NULL, NULL, &context);
  if (status >= 0)
    status = gkit_datasource_open(context, "storage", options, &notes);
  if (status >= 0) {
    status = ask(notes, GKIT_OPERATION_GET, NULL, &future, &note);
    if (status >= 0 && note.type == GKIT_TYPE_STRING)
      printf("the last note: %s\n", note.as.string);
    else if (status == GKIT_ERROR_NOT_FOUND)
      status = GKIT_OK;
  }
  if (status >= 0 && argc > 1) {
    gkit_value text = gkit_value_string(argv[1]);
    gkit_release(future);
    status = ask(notes, GKIT_OPERATION_PUT, &text, &future, &note);
  }
  if (status < 0)
    fprintf(stderr, "%s\n", gkit_last_error()->message);
  gkit_release(future);
  gkit_release(options);
  gkit_release(notes);
  gkit_release(context);
  return status < 0;
}
