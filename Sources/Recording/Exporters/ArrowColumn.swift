/// An array as the Arrow columnar format lays it out: a record batch, or one column of it.
package struct ArrowColumn: Sendable {
  /// What lies behind the validity of its rows.
  package enum Buffer: Sendable, Equatable {
    /// Bits, the lowest of a byte first, or bytes one behind the other.
    case bytes([UInt8])
    /// Whole numbers and moments.
    case integers([Int64])
    /// Doubles.
    case numbers([Double])
    /// Where the bytes of each row begin: one more than there are rows.
    case starts([Int32])
  }

  /// How many rows there are.
  package let rowCount: Int
  /// How many of them have no value.
  package private(set) var missingCount = 0
  /// One bit a row, set where there is a value, the lowest of a byte first; empty where all rows
  /// have one.
  package private(set) var validity: [UInt8] = []
  /// The buffers behind the validity, in the order of the format.
  package private(set) var buffers: [Buffer] = []
  /// The columns of a batch, or the components of vectors.
  package private(set) var children: [ArrowColumn] = []

  /// The record batch of some rows: their times, then the columns of their table.
  package init(_ batch: TableBatch) {
    rowCount = batch.rowCount
    let rowTimes = [batch.times, batch.boots].map { ColumnValues(integers: $0) }
    children = (rowTimes + batch.columns).map { ArrowColumn($0, rowCount: batch.rowCount) }
  }

  private init(_ values: ColumnValues, rowCount: Int) {
    self.rowCount = rowCount
    missingCount = values.missingCount
    validity = values.validity
    switch values.content {
    case .bits(let bits): buffers = [.bytes(bits)]
    case .integers(let numbers): buffers = [.integers(numbers)]
    case .numbers(let numbers, let width) where width > 1:
      children = [ArrowColumn(components: numbers)]
    case .numbers(let numbers, _): buffers = [.numbers(numbers)]
    case .bytes(let bytes, let starts): buffers = [.starts(starts), .bytes(bytes)]
    }
  }

  /// The components of vectors, one row after the other.
  private init(components: [Double]) {
    rowCount = components.count
    buffers = [.numbers(components)]
  }
}
