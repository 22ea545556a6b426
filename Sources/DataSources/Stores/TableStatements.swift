import Machine

/// What is said to SQLite for each kind of work.
struct TableStatements: Sendable {
  typealias Steps = @Sendable (Database) throws(DataSourceError) -> [TableRow?]

  let table: TableDescription
  private let name: String
  private let key: String
  private let columns: String
  private let insertion: String
  private let selection: String
  private let deletion: String

  init(_ table: TableDescription) {
    self.table = table
    let (name, key) = (table.name.quoted, table.key.quoted)
    let columns = table.columns.map(\.name.quoted).joined(separator: ",")
    (self.name, self.key, self.columns) = (name, key, columns)
    let places = table.columns.map { _ in "?" }.joined(separator: ",")
    let updates = table.columns.filter { !table.isKey($0) }
      .map { "\($0.name.quoted)=excluded.\($0.name.quoted)" }.joined(separator: ",")
    let action = updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates)"
    insertion =
      "INSERT INTO \(name)(\(columns)) VALUES(\(places)) ON CONFLICT(\(key)) DO \(action)"
    selection = "SELECT \(columns) FROM \(name) WHERE \(key)=?"
    deletion = "DELETE FROM \(name) WHERE \(key)=?"
  }

  /// What a work consists of. Throws what is wrong with it before the file is touched.
  func steps(of work: TableStore.Work) throws(DataSourceError) -> Steps {
    switch work {
    case .read(let ids):
      return { database throws(DataSourceError) in
        var found: [TableRow?] = []
        for id in ids { found.append(try read(id, database)) }
        return found
      }
    case .readAll(let refinement, let offset, let limit):
      let (sql, parameters) = try selection(refinement)
      let bounds: [DatabaseValue] = [.integer(Int64(limit)), .integer(Int64(offset))]
      return { database throws(DataSourceError) in
        try rows(sql + " LIMIT ? OFFSET ?", parameters + bounds, database)
      }
    case .write(let rows):
      var stored: [[DatabaseValue]] = []
      for (id, row) in rows { stored.append(try values(row, under: id)) }
      return { [stored] database throws(DataSourceError) in try write(stored, database) }
    case .remove(let ids):
      return { database throws(DataSourceError) in
        for case let id? in ids.map(table.stored) {
          try run(deletion, [id], database)
        }
        return []
      }
    case .removeAll(let condition):
      let (sql, parameters) = try filter(condition)
      return { database throws(DataSourceError) in
        try run("DELETE FROM \(name)" + sql, parameters, database)
        return []
      }
    }
  }

  // MARK: Writing

  /// The values of a row that is to stand under an id (L29); without one it may lack its own.
  private func values(
    _ row: TableRow, under id: EntryID?
  ) throws(DataSourceError) -> [DatabaseValue] {
    var values = try table.stored(row)
    guard let id, let index = table.columns.firstIndex(where: table.isKey) else {
      if let own = table.id(of: row) { _ = try own.checked() }
      return values
    }
    guard let wanted = table.stored(id), values[index] == .null || values[index] == wanted else {
      throw DataSourceError(.illegalArgument, "the row has another id, or cannot have this one")
    }
    values[index] = wanted
    return values
  }

  private func write(
    _ rows: [[DatabaseValue]], _ database: Database
  ) throws(DataSourceError) -> [TableRow?] {
    var answer: [TableRow?] = []
    for row in rows {
      var row = row
      let index = table.columns.firstIndex(where: table.isKey) ?? 0
      let isNew = row[index] == .null
      if isNew && table.columns[index].type == .string { row[index] = .text(Self.freshID()) }
      try run(insertion, row, database)
      if row[index] == .null { row[index] = .integer(database.lastRowID) }
      answer.append(try table.row(row))
    }
    return answer
  }

  /// 128 random bits in hexadecimal digits.
  private static func freshID() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  // MARK: Reading

  /// The row of an id; nil if there is none.
  func read(_ id: EntryID, _ database: Database) throws(DataSourceError) -> TableRow? {
    guard let stored = table.stored(id) else { return nil }
    return try rows(selection, [stored], database).first ?? nil
  }

  private func rows(
    _ sql: String, _ parameters: [DatabaseValue], _ database: Database
  ) throws(DataSourceError) -> [TableRow?] {
    var found: [[DatabaseValue]] = []
    try catching { () throws(DatabaseError) in
      try database.run(sql, parameters) { row in
        found.append(table.columns.indices.map { row[$0] })
        return true
      }
    }
    var rows: [TableRow?] = []
    for values in found { rows.append(try table.row(values)) }
    return rows
  }

  private func run(
    _ sql: String, _ parameters: [DatabaseValue], _ database: Database
  ) throws(DataSourceError) {
    try catching { () throws(DatabaseError) in try database.run(sql, parameters) }
  }

  /// Rows in the order asked for, those that are alike in it by their ids (L30).
  private func selection(
    _ refinement: Refinement
  ) throws(DataSourceError) -> (String, [DatabaseValue]) {
    let (condition, parameters) = try filter(refinement.condition)
    var orders: [String] = []
    for order in refinement.orders {
      guard let column = table.column(order.column) else {
        throw DataSourceError(.illegalArgument, "the table has no column \(order.column)")
      }
      orders.append(column.name.quoted + (order.isDescending ? " DESC" : ""))
    }
    let order = (orders + [key]).joined(separator: ",")
    return ("SELECT \(columns) FROM \(name)\(condition) ORDER BY \(order)", parameters)
  }

  private func filter(
    _ condition: Predicate?
  ) throws(DataSourceError) -> (String, [DatabaseValue]) {
    guard let condition else { return ("", []) }
    let text = try PredicateText(condition, table)
    return (" WHERE " + text.sql, text.parameters)
  }
}
