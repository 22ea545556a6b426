import Machine

extension TableColumn {
  /// A value as SQLite keeps it; nil if the column cannot hold it. A whole number fits a column of
  /// floating-point numbers, NaN none.
  func stored(_ value: ColumnValue) -> DatabaseValue? {
    switch (type, value) {
    case (_, .null): isNullable ? .null : nil
    case (.bool, .bool(let flag)): .integer(flag ? 1 : 0)
    case (.int, .int(let number)), (.time, .time(let number)): .integer(number)
    case (.double, .double(let number)): number.isNaN ? nil : .real(number)
    case (.double, .int(let number)): .real(Double(number))
    case (.string, .string(let text)): .text(text)
    case (.bytes, .bytes(let bytes)): .blob(bytes)
    default: nil
    }
  }

  /// A value as it was stored; nil when another program has stored what the column cannot hold.
  func value(_ stored: DatabaseValue) -> ColumnValue? {
    switch (type, stored) {
    case (_, .null): isNullable ? .null : nil
    case (.bool, .integer(let number)): number == 0 || number == 1 ? .bool(number == 1) : nil
    case (.int, .integer(let number)): .int(number)
    case (.time, .integer(let number)): .time(number)
    case (.double, .real(let number)): .double(number)
    case (.double, .integer(let number)): .double(Double(number))
    case (.string, .text(let text)): .string(text)
    case (.bytes, .blob(let bytes)): .bytes(bytes)
    default: nil
    }
  }
}

extension TableDescription {
  /// The values of all columns of a row, in their order. Without an id the first is null.
  ///
  /// Throws `serialization` for a row that does not fit (L28).
  func stored(_ row: TableRow) throws(DataSourceError) -> [DatabaseValue] {
    for name in row.keys where column(name) == nil {
      throw DataSourceError(.serialization, "the table has no column \(name)")
    }
    var values: [DatabaseValue] = []
    for column in columns {
      let value = row[column.name] ?? .null
      if value == .null && isKey(column) {
        values.append(.null)
      } else if let stored = column.stored(value) {
        values.append(stored)
      } else {
        throw DataSourceError(
          .serialization,
          "the value does not fit the column \(column.name): it is \(value.typeWord), "
            + "not \(column.type.rawValue)")
      }
    }
    return values
  }

  /// The row of the values of all columns, in their order.
  func row(_ values: [DatabaseValue]) throws(DataSourceError) -> TableRow {
    var row: TableRow = [:]
    for (column, stored) in zip(columns, values) {
      guard let value = column.value(stored) else {
        throw DataSourceError(
          .serialization,
          "the column \(column.name) holds something else than \(column.type.rawValue)")
      }
      row[column.name] = value
    }
    return row
  }

  func column(_ name: String) -> TableColumn? {
    columns.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  func isKey(_ column: TableColumn) -> Bool { column.name.utf8.elementsEqual(key.utf8) }

  /// An id as the column of ids holds it; nil if it cannot, and so no row has it.
  func stored(_ id: EntryID) -> DatabaseValue? {
    if column(key)?.type == .string { return .text(id.key) }
    // Only one spelling of a number is its key text (L9).
    return Int64(id.key).flatMap { String($0) == id.key ? .integer($0) : nil }
  }

  /// The id of a row; nil if it has none.
  package func id(of row: TableRow) -> EntryID? {
    switch row[key] {
    case .int(let number): EntryID(number)
    case .string(let text): EntryID(text)
    default: nil
    }
  }
}
