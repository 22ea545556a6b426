/// Which entries a call is about (data sources L11).
///
/// The set is closed. Only `id` and `key` name one entry, and no id can mean `all`.
public enum Query: Sendable {
  /// Nothing: no verb takes it.
  case void
  /// The entry of an id.
  case id(EntryID)
  /// The entries of several ids, in this order.
  case ids([EntryID])
  /// The entry with this key text.
  case key(String)
  /// The entry that has the id of this value.
  case object(any Sendable)
  /// What was recorded from a moment up to another, which is not included; nanoseconds since 1970.
  case timeRange(Range<Int64>)
  /// Everything, or the rows that a predicate holds for.
  case all(where: Predicate? = nil, orderedBy: [Order] = [])
  /// A slice of what `all` answers, from `offset` on, at most `limit` values.
  case page(offset: Int, limit: Int, where: Predicate? = nil, orderedBy: [Order] = [])
}

/// What a row must fulfil (data sources L18).
public indirect enum Predicate: Sendable, Equatable {
  /// A column compares with a value; a column that is null compares with nothing.
  case compare(String, Comparison, ColumnValue)
  /// A column has one of these values.
  case isIn(String, [ColumnValue])
  /// A column has no value.
  case isNull(String)
  /// All of them hold; so does none at all.
  case and([Predicate])
  /// One of them holds; of none, none does.
  case or([Predicate])
  /// It does not hold.
  case not(Predicate)
}

/// How a column is compared with a value.
public enum Comparison: String, Sendable, CaseIterable {
  /// Both are the same.
  case equal = "="
  /// They differ.
  case notEqual = "!="
  /// The column is smaller.
  case less = "<"
  /// The column is smaller or the same.
  case lessOrEqual = "<="
  /// The column is greater.
  case greater = ">"
  /// The column is greater or the same.
  case greaterOrEqual = ">="
}

/// What a column of a row can hold.
public enum ColumnValue: Sendable, Equatable {
  /// Nothing, in a column that may be null.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case int(Int64)
  /// A floating-point number.
  case double(Double)
  /// UTF-8 text.
  case string(String)
  /// Bytes.
  case bytes([UInt8])
  /// A moment, in nanoseconds since 1970.
  case time(Int64)
}

extension ColumnValue {
  /// The word for its type in messages, which is that of columns.
  package var typeWord: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .time: "time"
    }
  }
}

/// A column that rows are ordered by.
public struct Order: Sendable, Equatable {
  /// The name of the column.
  public var column: String
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// Orders by a column, the smallest first unless told otherwise.
  public init(_ column: String, isDescending: Bool = false) {
    self.column = column
    self.isDescending = isDescending
  }
}
