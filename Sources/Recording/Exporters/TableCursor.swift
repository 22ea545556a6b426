public import Gathering

/// A way through the rows of a table, one block in memory at a time.
///
/// A block that is damaged is passed over and logged, and told in the `problems` of its file.
public struct TableCursor: Sendable {
  /// About how many bytes a batch takes at most.
  private static let batchBytes = 32 << 20

  private let table: RecordedTable
  private var part = 0
  /// The block that is being given out, and its first row that has not been.
  private var loaded: (rows: RecordedRows, next: Int)?

  init(_ table: RecordedTable) { self.table = table }

  /// The next rows, of one block at most; nil behind the last. Throws `io`; the same rows are then
  /// tried by the next call.
  public mutating func next() throws(SourceError) -> TableBatch? {
    guard let (rows, start) = try load() else { return nil }
    let columns = rows.table.columns
    let places = table.parts[part].places
    var width = 16
    for (place, column) in zip(places, table.columns) {
      width += place.map { columns[$0].rowBytes(as: column) } ?? 8
    }
    let range = start..<min(rows.rowCount, start + max(1, Self.batchBytes / width))
    if range.upperBound == rows.rowCount {
      loaded = nil
      part += 1
    } else {
      loaded = (rows, range.upperBound)
    }
    return TableBatch(
      rowCount: range.count, times: Array(rows.realtimes[range]), boots: Array(rows.times[range]),
      columns: zip(places, table.columns).map { place, column in
        let filler = ColumnFiller(place.map { columns[$0] }, rows: range)
        return filler.values(of: column)
      })
  }

  /// The block at hand; nil when there is none left.
  private mutating func load() throws(SourceError) -> (rows: RecordedRows, next: Int)? {
    if let loaded { return loaded }
    while part < table.parts.count {
      let rows = try table.file.rows(unlessDamaged: table.parts[part].block)
      if let rows, table.parts[part].isFitting(rows) {
        loaded = (rows, 0)
        return loaded
      }
      part += 1
    }
    return nil
  }
}

extension RecordedTable {
  /// A way through its rows, from the first.
  public var cursor: TableCursor { TableCursor(self) }
}

extension RecordedTable.Part {
  /// Whether rows have the properties their series tells of.
  func isFitting(_ rows: RecordedRows) -> Bool {
    places.allSatisfy { $0.map { $0 < rows.propertyCount } ?? true }
  }
}
