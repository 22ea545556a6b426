#include "CLinux.h"
#include "bind.h"

const char *clinux_database_bind(clinux_database *table, void *library) {
#define WANTED(name)                                                                               \
  { &table->name, "sqlite3_" #name }
  const clinux_wanted wanted[] = {
      WANTED(threadsafe),
      WANTED(limit),
      WANTED(libversion),
      WANTED(open_v2),
      WANTED(close_v2),
      WANTED(busy_handler),
      WANTED(interrupt),
      WANTED(extended_result_codes),
      WANTED(errmsg),
      WANTED(system_errno),
      WANTED(get_autocommit),
      WANTED(changes),
      WANTED(last_insert_rowid),
      WANTED(prepare_v3),
      WANTED(step),
      WANTED(reset),
      WANTED(clear_bindings),
      WANTED(finalize),
      WANTED(bind_int64),
      WANTED(bind_double),
      WANTED(bind_text),
      WANTED(bind_blob),
      WANTED(column_type),
      WANTED(column_int64),
      WANTED(column_double),
      WANTED(column_blob),
      WANTED(column_bytes),
  };
  return clinux_bind(library, wanted, sizeof wanted / sizeof *wanted);
}

int clinux_bind_copy(clinux_bind_bytes *bind, clinux_statement *statement, int index,
                     const void *bytes, int length) {
  void (*const transient)(void *) = (void (*)(void *))(intptr_t)-1;
  /* Nothing, in SQLite's eyes, is what has no address: the empty text has one. */
  return bind(statement, index, bytes != NULL ? bytes : "", length, transient);
}
