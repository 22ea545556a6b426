/// The columns of a table and which of them is the id (data sources L27).
public struct TableDescription: Sendable, Equatable {
  /// What the table is called.
  public let name: String
  /// The column of ids, of type `int` or `string`.
  public let key: String
  /// All columns, with that of the ids.
  public let columns: [TableColumn]

  /// A table. A key that is no column described is one more, of type `string`.
  ///
  /// Throws `illegalArgument` for names that are empty, hold NUL or differ by case only, or in how
  /// an accent is spelt, and for ids of another type.
  public init(
    _ name: String, key: String = "id", columns: [TableColumn]
  ) throws(DataSourceError) {
    let hasKey = columns.contains { $0.name.utf8.elementsEqual(key.utf8) }
    let columns = hasKey ? columns : [TableColumn(key, .string)] + columns
    let names = [name] + columns.map(\.name)
    if names.contains(where: { $0.isEmpty || $0.utf8.contains(0) }) {
      throw DataSourceError(.illegalArgument, "a name of a table is neither empty nor holds NUL")
    }
    if Set(columns.map { $0.name.folded }).count != columns.count {
      throw DataSourceError(.illegalArgument, "two columns have the same name")
    }
    for column in columns where column.name.utf8.elementsEqual(key.utf8) {
      if column.type != .int && column.type != .string {
        throw DataSourceError(.illegalArgument, "ids are of type int or string")
      }
    }
    self.name = name
    self.key = key
    self.columns = columns
  }
}

/// A column of a table.
public struct TableColumn: Sendable, Equatable {
  /// What it is called.
  public var name: String
  /// What it holds.
  public var type: ColumnType
  /// Whether it may hold nothing.
  public var isNullable: Bool
  /// Whether rows are found by it without looking at all of them.
  public var isIndexed: Bool

  /// A column that always holds something, unless told otherwise.
  public init(
    _ name: String, _ type: ColumnType, isNullable: Bool = false, isIndexed: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.isIndexed = isIndexed
  }
}

/// What the values of a column are.
public enum ColumnType: String, Sendable, CaseIterable {
  /// What `ColumnValue` has under the same name.
  case bool, int, double, string, bytes, time

  /// How the type is declared in SQL; different types are told apart by it.
  var declaration: String {
    switch self {
    case .bool: "BOOLEAN"
    case .int: "INTEGER"
    case .double: "REAL"
    case .string: "TEXT"
    case .bytes: "BLOB"
    case .time: "TIMESTAMP"
    }
  }
}

/// A row, by the names of its columns; what is not named is null.
public typealias TableRow = [String: ColumnValue]

extension String {
  /// With small letters for A to Z, which names in SQL are compared without regard to.
  var folded: String {
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return String(decoding: utf8.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
