/// Some rows of a table in columns, whatever they were recorded as.
public struct TableBatch: Sendable {
  /// How many rows there are.
  public let rowCount: Int
  /// When each row was so, on CLOCK_REALTIME.
  public let times: [Int64]
  /// When each row was so, on the CLOCK_BOOTTIME of the computer that recorded it.
  public let boots: [Int64]
  /// One for each column of the table.
  public let columns: [ColumnValues]
}

/// The values of one column in some rows; those that are missing are 0, NaN or empty.
public struct ColumnValues: Sendable {
  /// The values, by the type of the column.
  public enum Content: Sendable {
    /// One bit a row, the lowest of a byte first.
    case bits([UInt8])
    /// Whole numbers and moments.
    case integers([Int64])
    /// Doubles, or the components of vectors, one row after the other.
    case numbers([Double], width: Int)
    /// Texts and bytes, one behind the other, and where each begins: one more than there are rows.
    case bytes([UInt8], starts: [Int32])
  }

  /// How many rows have no value.
  public internal(set) var missingCount = 0
  /// One bit a row, set where there is a value, the lowest of a byte first; empty where all rows
  /// have one.
  public internal(set) var validity: [UInt8] = []
  /// The values.
  public internal(set) var content: Content

  /// Whole numbers, none of them missing.
  public init(integers: [Int64]) { content = .integers(integers) }

  init(missingCount: Int = 0, validity: [UInt8] = [], content: Content) {
    self.missingCount = missingCount
    self.validity = validity
    self.content = content
  }
}
