/// One value of a column, or one parameter of a statement, in SQLite's five types.
public enum DatabaseValue: Sendable, Equatable {
  /// NULL.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number; NaN is stored as NULL.
  case real(Double)
  /// A text, which may hold NUL.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}
