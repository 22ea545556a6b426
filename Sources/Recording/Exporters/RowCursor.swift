import Gathering
import Values

/// A way through the rows of a table, sample by sample, one block in memory at a time.
struct RowCursor: Sendable {
  private let table: RecordedTable
  private var part = 0
  private var loaded: (rows: RecordedRows, times: [Int64], next: Int)?

  init(_ table: RecordedTable) { self.table = table }

  /// When the next row was so, on CLOCK_REALTIME; nil behind the last. Throws `io`.
  mutating func time() throws(SourceError) -> Int64? {
    while loaded == nil, part < table.parts.count {
      let rows = try table.file.rows(unlessDamaged: table.parts[part].block)
      if let rows, table.parts[part].isFitting(rows) {
        loaded = (rows, rows.realtimes, 0)
      } else {
        part += 1
      }
    }
    return loaded.map { $0.times[$0.next] }
  }

  /// The next row, a sample a column, and goes on behind it; empty where `time` is nil.
  mutating func row() -> [Sample] {
    guard let (rows, times, next) = loaded else { return [] }
    let row = table.parts[part].places.map { place in
      place.map { rows.sample(row: next, property: $0) } ?? .notRecorded
    }
    if next + 1 < rows.rowCount {
      loaded = (rows, times, next + 1)
    } else {
      loaded = nil
      part += 1
    }
    return row
  }
}

extension Sample {
  /// What a row says of a property that its source did not have then.
  static let notRecorded = Sample(
    .none, status: .unsupported, flags: [], absence: Absence("it was not recorded"))
}
