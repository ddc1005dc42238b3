// SQLite's C interface. The macro that asks SQLite to copy a value is a cast, which Swift does not import.
#pragma once
#include <sqlite3.h>

static inline int gk_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
