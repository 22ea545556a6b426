#include "recording.h"

#include <sqlite3.h>

_Bool insert_rows(const char *path, const int64_t *times, const double *numbers, size_t count) {
  sqlite3 *base = NULL;
  sqlite3_stmt *insert = NULL;
  if (sqlite3_open(path, &base) != SQLITE_OK ||
      sqlite3_exec(base, "PRAGMA journal_mode = WAL; CREATE TABLE rows(time, x, y, z); BEGIN", NULL,
                   NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(base, "INSERT INTO rows VALUES (?, ?, ?, ?)", -1, &insert, NULL) !=
          SQLITE_OK) {
    return 0;
  }
  for (size_t i = 0; i < count; i++) {
    sqlite3_bind_int64(insert, 1, times[i]);
    for (int axis = 0; axis < 3; axis++) {
      sqlite3_bind_double(insert, 2 + axis, numbers[3 * i + (size_t)axis]);
    }
    if (sqlite3_step(insert) != SQLITE_DONE || sqlite3_reset(insert) != SQLITE_OK) {
      return 0;
    }
  }
  sqlite3_finalize(insert);
  return sqlite3_exec(base, "COMMIT", NULL, NULL, NULL) == SQLITE_OK &&
         sqlite3_close(base) == SQLITE_OK;
}
