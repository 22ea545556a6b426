/* libsqlite3, opened at run time. Its header is not wanted to build: these declarations of our own
   are all that is asked of it, and have been the same since its version 3.20. */
#ifndef CLINUX_DATABASE_H
#define CLINUX_DATABASE_H

#include <stddef.h>
#include <stdint.h>

/* -- libsqlite3's own opaque types: a connection, and a statement prepared on it. */
typedef struct clinux_sqlite clinux_sqlite;
typedef struct clinux_statement clinux_statement;

#define CLINUX_SQLITE_READONLY 0x1 /* how a file is opened (SQLITE_OPEN_…) */
#define CLINUX_SQLITE_READWRITE 0x2
#define CLINUX_SQLITE_CREATE 0x4
#define CLINUX_SQLITE_NOMUTEX 0x8000
#define CLINUX_SQLITE_PERSISTENT 1   /* SQLITE_PREPARE_PERSISTENT */
#define CLINUX_SQLITE_LIMIT_LENGTH 0 /* SQLITE_LIMIT_LENGTH */

/* Binds bytes to a parameter, as a text or a blob; `destroy` frees them. */
typedef int clinux_bind_bytes(clinux_statement *statement, int index, const void *bytes, int length,
                              void (*destroy)(void *));

typedef struct {
  int (*threadsafe)(void);
  int (*limit)(clinux_sqlite *database, int what, int most);
  const char *(*libversion)(void);
  int (*open_v2)(const char *path, clinux_sqlite **database, int flags, const char *vfs);
  int (*close_v2)(clinux_sqlite *database);
  int (*busy_handler)(clinux_sqlite *database, int (*waits)(void *context, int count),
                      void *context);
  void (*interrupt)(clinux_sqlite *database);
  int (*extended_result_codes)(clinux_sqlite *database, int on);
  const char *(*errmsg)(clinux_sqlite *database);
  int (*system_errno)(clinux_sqlite *database);
  int (*get_autocommit)(clinux_sqlite *database);
  int (*changes)(clinux_sqlite *database);
  int64_t (*last_insert_rowid)(clinux_sqlite *database);
  int (*prepare_v3)(clinux_sqlite *database, const char *sql, int length, unsigned flags,
                    clinux_statement **statement, const char **rest);
  int (*step)(clinux_statement *statement);
  int (*reset)(clinux_statement *statement);
  int (*clear_bindings)(clinux_statement *statement);
  int (*finalize)(clinux_statement *statement);
  int (*bind_int64)(clinux_statement *statement, int index, int64_t number);
  int (*bind_double)(clinux_statement *statement, int index, double number);
  clinux_bind_bytes *bind_text;
  clinux_bind_bytes *bind_blob;
  int (*column_type)(clinux_statement *statement, int column);
  int64_t (*column_int64)(clinux_statement *statement, int column);
  double (*column_double)(clinux_statement *statement, int column);
  const void *(*column_blob)(clinux_statement *statement, int column);
  int (*column_bytes)(clinux_statement *statement, int column);
} clinux_database;

/* Fills a table from an opened library; the name of the first symbol missing, or NULL. */
const char *clinux_database_bind(clinux_database *table, void *library);

/* Binds a copy of the bytes; that copying is asked for by a pointer of -1, which Swift has no way
   to write. */
int clinux_bind_copy(clinux_bind_bytes *bind, clinux_statement *statement, int index,
                     const void *bytes, int length);

#endif
