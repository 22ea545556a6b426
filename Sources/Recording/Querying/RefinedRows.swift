import DataSources
import Gathering
import Ground
import Values

/// The rows, or intervals, of a query that a condition holds for, in an order.
struct RefinedRows {
  private struct Sorted {
    let keys: [Value]
    let number: Int
    let row: ValueDictionary
  }

  private var query: RecordingQuery
  private let refinement: Refinement
  private let interval: Int64?
  private let cancellation: Cancellation?
  private let (offset, limit): (Int, Int)

  init(
    _ query: RecordingQuery, _ refinement: Refinement, every interval: Int64?,
    _ cancellation: Cancellation?
  ) {
    self.query = query
    self.refinement = refinement
    self.interval = interval
    self.cancellation = cancellation
    (offset, limit) = (query.offset, query.limit)
    if refinement.orders == [Order("time")] { self.query.arrangement = .byTime }
    guard !isPlain else { return }
    (self.query.offset, self.query.limit) = (0, .max)
    self.query.names = refinement.condition?.sources ?? query.names
    if let times = refinement.condition?.times { narrow(to: times.first) }
  }

  /// Whether rows are answered as they come.
  private var isPlain: Bool { refinement.condition == nil && isInOrder }

  private var isInOrder: Bool { refinement.orders.isEmpty || query.arrangement == .byTime }

  /// Skips blocks that cannot have such rows.
  private mutating func narrow(to times: ClosedRange<Int64>?) {
    guard let times else {
      query.range = 0..<0
      return
    }
    // The summary of an interval may include rows later than its beginning.
    let end = times.upperBound.addingReportingOverflow(max(interval ?? 1, 1) - 1)
    query.bounds = times.lowerBound...(end.overflow ? .max : end.partialValue)
  }

  /// Throws `illegalArgument` for unknown columns.
  func check(_ parts: RecordingParts) throws(DataSourceError) {
    var named = query
    named.names = nil
    let series = try RecordingStore.catching { () throws(SourceError) in
      try named.selection(of: parts)
    }
    let columns = try refinement.condition?.columns() ?? []
    for column in columns + refinement.orders.map(\.column) {
      let isThere = series.contains { $0.hasColumn(column, inIntervals: interval != nil) }
      // If no series is recorded, the columns are unknown.
      if !isThere, !series.isEmpty {
        throw DataSourceError(.illegalArgument, "the recording has no column \(column)")
      }
    }
  }

  /// All of them, read from the files.
  func all(of parts: RecordingParts) throws(DataSourceError) -> [ValueDictionary] {
    try check(parts)
    var rows: [ValueDictionary] = []
    var sorted: [Sorted] = []
    var (skipped, number) = (isPlain ? 0 : offset, 0)
    try visit(parts) { value, row in
      if !isInOrder {
        let keys = refinement.orders.map { value($0.column) }
        sorted.append(Sorted(keys: keys, number: number, row: row()))
        number += 1
        if limit < 100_000, offset < 100_000, sorted.count > 2 * (offset + limit) + 1000 {
          sorted = Array(inOrder(sorted).prefix(offset + limit))
        }
      } else if skipped > 0 {
        skipped -= 1
      } else {
        rows.append(row())
      }
      return isInOrder && rows.count >= limit
    }
    if isInOrder { return rows }
    return inOrder(sorted).dropFirst(offset).prefix(limit).map(\.row)
  }

  private func inOrder(_ rows: [Sorted]) -> [Sorted] {
    rows.sorted { left, right in
      refinement.orders.areRising(left.keys, right.keys) ?? (left.number < right.number)
    }
  }

  /// Visits the rows that meet the condition, until `visit` returns that it has enough.
  private func visit(
    _ parts: RecordingParts,
    _ body: (_ value: (String) -> Value, _ row: () -> ValueDictionary) -> Bool
  ) throws(DataSourceError) {
    let condition = refinement.condition
    if limit == 0 { return }
    var count = 0
    if let interval {
      var intervals = try RecordingStore.catching { () throws(SourceError) in
        try parts.intervals(query, every: interval)
      }
      while let next = try next({ () throws(SourceError) in try intervals.next() }, &count) {
        let row = next.dictionary
        guard condition?.holds(for: row) ?? true else { continue }
        if body({ row.value(of: $0) }, { row }) { return }
      }
    } else {
      var rows = try RecordingStore.catching { () throws(SourceError) in try parts.rows(query) }
      while let row = try next({ () throws(SourceError) in try rows.next() }, &count) {
        guard condition?.holds(for: row) ?? true else { continue }
        if body({ row.value(of: $0) }, { row.dictionary }) { return }
      }
    }
  }

  /// The next row. Every 64 rows, throws `cancelled` if the call was cancelled.
  private func next<Row>(
    _ body: () throws(SourceError) -> Row?, _ count: inout Int
  ) throws(DataSourceError) -> Row? {
    count += 1
    if count % 64 == 1, cancellation?.isCancelled == true { throw DataSourceError(.cancelled) }
    return try RecordingStore.catching(body)
  }
}
