import Machine

/// A predicate as SQL, in which every value is a parameter (data sources L18, L28).
struct PredicateText {
  private(set) var sql = ""
  private(set) var parameters: [DatabaseValue] = []

  private let table: TableDescription

  /// The text of a condition. Throws `illegalArgument` for a column the table does not have, a
  /// value it cannot hold, and conditions nested over 100 deep.
  init(_ predicate: Predicate, _ table: TableDescription) throws(DataSourceError) {
    self.table = table
    try add(predicate, depth: 0)
  }

  private mutating func add(_ predicate: Predicate, depth: Int) throws(DataSourceError) {
    if depth > 100 { throw DataSourceError(.illegalArgument, "a condition is nested too deep") }
    switch predicate {
    case .compare(let name, let comparison, let value):
      let column = try column(name)
      sql += "\(column.name.quoted)\(comparison.rawValue)\(try parameter(value, column))"
    case .isIn(let name, let values):
      let column = try column(name)
      var list: [String] = []
      for value in values { list.append(try parameter(value, column)) }
      sql += "\(column.name.quoted) IN (\(list.joined(separator: ",")))"
    case .isNull(let name): sql += "\(try column(name).name.quoted) IS NULL"
    case .and(let parts): try add(parts, " AND ", empty: "1", depth)
    case .or(let parts): try add(parts, " OR ", empty: "0", depth)
    case .not(let part):
      // What SQL does not know, as a comparison with null, does not hold.
      sql += "NOT ifnull("
      try add(part, depth: depth + 1)
      sql += ",0)"
    }
  }

  private mutating func add(
    _ parts: [Predicate], _ word: String, empty: String, _ depth: Int
  ) throws(DataSourceError) {
    sql += "("
    if parts.isEmpty { sql += empty }
    for (index, part) in parts.enumerated() {
      if index > 0 { sql += word }
      try add(part, depth: depth + 1)
    }
    sql += ")"
  }

  private mutating func parameter(
    _ value: ColumnValue, _ column: TableColumn
  ) throws(DataSourceError) -> String {
    guard let stored = value == .null ? .null : column.compared(value) else {
      throw DataSourceError(
        .illegalArgument,
        "the column \(column.name) is \(column.type.rawValue), which is not compared with "
          + value.typeWord)
    }
    // More than any SQLite takes by default.
    if parameters.count >= 32_000 {
      throw DataSourceError(.illegalArgument, "a condition has too many values")
    }
    parameters.append(stored)
    return "?"
  }

  private func column(_ name: String) throws(DataSourceError) -> TableColumn {
    if let column = table.column(name) { return column }
    throw DataSourceError(.illegalArgument, "the table has no column \(name)")
  }
}

extension TableColumn {
  /// What a column is compared with: besides what it holds, any number if it holds numbers.
  fileprivate func compared(_ value: ColumnValue) -> DatabaseValue? {
    switch (type, value) {
    case (.int, .double(let number)), (.time, .double(let number)): .real(number)
    case (.time, .int(let number)): .integer(number)
    default: stored(value)
    }
  }
}

extension String {
  /// As a name in SQL.
  var quoted: String {
    var bytes = [UInt8(ascii: "\"")]
    for byte in utf8 { bytes += byte == UInt8(ascii: "\"") ? [byte, byte] : [byte] }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}
