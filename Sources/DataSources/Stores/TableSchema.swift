import Machine

/// Makes a table as described, or finds out how one that is there differs (data sources L27).
struct TableSchema: Sendable {
  let table: TableDescription

  private struct ColumnTraits: Equatable {
    var type: String
    var isNullable: Bool
    var isKey: Bool
  }

  /// Makes what is missing, in one transaction. Throws what differs.
  func prepare(_ database: Database) throws(DatabaseError) {
    if try isWhole(database) { return }
    try database.transaction { () throws(DatabaseError) in
      let found = try columns(database)
      if found.isEmpty {
        let columns = table.columns.map(declaration).joined(separator: ",")
        try database.run("CREATE TABLE \(table.name.quoted)(\(columns))")
      } else {
        try complete(found, database)
      }
      for column in table.columns where column.isIndexed && !table.isKey(column) {
        let name = "\(table.name) by \(column.name)".quoted
        try database.run(
          "CREATE INDEX IF NOT EXISTS \(name) ON \(table.name.quoted)(\(column.name.quoted))")
      }
    }
  }

  /// Whether nothing is to be done; finding that out takes no write lock.
  private func isWhole(_ database: Database) throws(DatabaseError) -> Bool {
    let found = try columns(database)
    guard found.count == table.columns.count else { return false }
    var indices = 0
    for column in table.columns {
      if found[EntryID(column.name.folded)] != wanted(column) { return false }
      guard column.isIndexed && !table.isKey(column) else { continue }
      let name = DatabaseValue.text("\(table.name) by \(column.name)")
      let index = try database.first(
        "SELECT 1 FROM sqlite_master WHERE type='index' AND name=?1", [name])
      if index == .null { return false }
      indices += 1
    }
    return true
  }

  private func complete(
    _ found: [EntryID: ColumnTraits], _ database: Database
  ) throws(DatabaseError) {
    for column in table.columns {
      guard let present = found[EntryID(column.name.folded)] else {
        guard column.isNullable && !table.isKey(column) else {
          throw difference("has no column \(column.name)")
        }
        try database.run("ALTER TABLE \(table.name.quoted) ADD COLUMN \(declaration(column))")
        continue
      }
      let wanted = wanted(column)
      if present.type.folded != wanted.type.folded {
        let known = ColumnType.allCases.first { $0.declaration.folded == present.type.folded }
        let word = known?.rawValue ?? present.type
        throw difference("has \(column.name) as \(word), not \(column.type.rawValue)")
      }
      if present.isKey != wanted.isKey {
        throw difference("\(present.isKey ? "has" : "does not have") \(column.name) as its key")
      }
      if present.isNullable != wanted.isNullable {
        throw difference("\(present.isNullable ? "lets" : "does not let") \(column.name) be null")
      }
    }
    let names = Set(table.columns.map { EntryID($0.name.folded) })
    for name in found.keys.sorted() where !names.contains(name) {
      throw difference("has a column \(name.key) more")
    }
  }

  /// The columns that are there, by name.
  private func columns(_ database: Database) throws(DatabaseError) -> [EntryID: ColumnTraits] {
    var found: [EntryID: ColumnTraits] = [:]
    let sql = "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1)"
    try database.run(sql, [.text(table.name)]) { row in
      guard case (.text(let name), .text(let type)) = (row[0], row[1]) else { return true }
      let isKey = row[3] != .integer(0)
      found[EntryID(name.folded)] = ColumnTraits(
        type: type, isNullable: row[2] == .integer(0) && !isKey, isKey: isKey)
      return true
    }
    return found
  }

  private func wanted(_ column: TableColumn) -> ColumnTraits {
    let isKey = table.isKey(column)
    return ColumnTraits(
      type: column.type.declaration, isNullable: column.isNullable && !isKey, isKey: isKey)
  }

  private func declaration(_ column: TableColumn) -> String {
    let type = "\(column.name.quoted) \(column.type.declaration)"
    if table.isKey(column) { return type + " PRIMARY KEY NOT NULL" }
    return column.isNullable ? type : type + " NOT NULL"
  }

  private func difference(_ text: String) -> DatabaseError {
    DatabaseError(1, message: "the table \(table.name) \(text)")
  }
}
