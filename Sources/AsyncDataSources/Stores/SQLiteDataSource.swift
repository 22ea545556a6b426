public import DataSources

/// Rows of a table in an SQLite file (data sources L27 to L30).
///
/// Queries may carry `where` and `orderedBy`. The table is made when it is missing, and a nullable
/// column that is missing is added; any other difference is `failed`. Without libsqlite3 every call
/// is `failed`, naming its package.
public struct SQLiteDataSource<Value: Sendable>: AccessedDataSource {
  /// What performs its calls.
  public let access: Accessor<Value>

  /// The table of a file, which is made when something is first written. Throws `illegalArgument`
  /// for what is no path.
  public init(
    path: String, form: TableForm<Value>, busyTimeout: Duration = .seconds(5)
  ) throws(DataSourceError) {
    let store = try TableStore(path: path, form.table, busyTimeout: busyTimeout)
    access = Accessor(DataAccess(store, form))
  }
}

extension SQLiteDataSource where Value == TableRow {
  /// The rows themselves, of the table of a file.
  public init(
    path: String, table: TableDescription, busyTimeout: Duration = .seconds(5)
  ) throws(DataSourceError) {
    try self.init(path: path, form: TableForm(table), busyTimeout: busyTimeout)
  }
}
