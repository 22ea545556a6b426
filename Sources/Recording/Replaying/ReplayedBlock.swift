import Gathering

/// The rows of a block that was read, as a replay brings them.
final class ReplayedBlock: Sendable {
  /// When each row is played.
  let times: [Int64]
  private let rows: RecordedRows
  private let table: [Property]
  /// The column of each property of the table; nil for one that was not recorded.
  private let columns: [PropertyColumn?]
  /// What is added to the boot times that were recorded.
  private let shift: Int64
  /// The rows that something was lost before.
  private let gaps: [Int]

  /// The places are those of the table's properties in the rows.
  init(_ rows: RecordedRows, table: [Property], places: [Int?], shift: Int64) {
    self.rows = rows
    self.table = table
    self.shift = shift
    times = rows.times.map { $0 &+ shift }
    let recorded = rows.table.columns
    // A file may tell of more properties than its rows have.
    columns = places.map { $0.flatMap { recorded.indices.contains($0) ? recorded[$0] : nil } }
    gaps = Set(columns.compactMap(\.self).flatMap(\.gaps)).sorted()
  }

  /// Some rows as blocks of samples, a new one after each gap.
  ///
  /// Where no row of the recording is before the one before, numbers stay in their columns.
  func cut(_ rows: Range<Int>, isInOrder: Bool) -> [SampleBlock] {
    let gaps = gaps.filter(rows.contains)
    let starts = [rows.lowerBound] + gaps.filter { $0 > rows.lowerBound }
    return zip(starts, starts.dropFirst() + [rows.upperBound]).map { start, end in
      block(start..<end, hasGap: gaps.first == start || start > rows.lowerBound, isInOrder)
    }
  }

  private func block(_ rows: Range<Int>, hasGap: Bool, _ isInOrder: Bool) -> SampleBlock {
    var origin: ClockOrigin?
    var columns: [Int: SampleBlock.Column] = [:]
    for (index, column) in self.columns.enumerated() {
      let own = column?.own(inRows: rows)
      if let column, let own, own.origin == origin ?? own.origin,
        let whole = whole(
          column, own.payload, rows.count, table[index],
          takesNumbers: isInOrder && own.origin != .library)
      {
        origin = own.origin
        columns[index] = whole
      } else {
        columns[index] = .runs(runs(column, rows, property: index))
      }
    }
    let first = rows.lowerBound
    var block = SampleBlock(
      times: Array(times[rows]), origin: origin ?? .kernel, columns: columns, hasGap: hasGap)
    block.isReplayed = true
    block.realtimeOffset = self.rows.table.offsets[first] &- shift
    return block
  }

  /// The column of rows that each have a payload of their own, of their own time; nil for one that
  /// is to be told sample by sample. Numbers are all news, which the library's own need not be.
  private func whole(
    _ column: PropertyColumn, _ place: Int, _ count: Int, _ property: Property,
    takesNumbers: Bool
  ) -> SampleBlock.Column? {
    guard property.mode == .continuous else {
      return .runs(held(column.payloads, place..<place + count))
    }
    guard takesNumbers, case .numbers(let numbers, let width) = column.payloads,
      property.type.isNumbers(ofWidth: width)
    else { return nil }
    let part = numbers[place * width..<(place + count) * width]
    return part.areFinite ? .numbers(Array(part), width: width) : nil
  }

  /// Payloads that hold from row to row.
  private func held(_ payloads: PayloadColumn, _ places: Range<Int>) -> [SampleBlock.Run] {
    var runs: [SampleBlock.Run] = []
    var place = places.lowerBound
    while place < places.upperBound {
      var outcome = Outcome.ok(payloads[place])
      outcome.isReplayed = true
      runs.append(SampleBlock.Run(from: place - places.lowerBound, outcome))
      place = payloads.endOfSame(from: place, before: places.upperBound)
    }
    return runs
  }

  /// The outcomes of the rows that bring something, and that of the first.
  private func runs(
    _ column: PropertyColumn?, _ rows: Range<Int>, property: Int
  ) -> [SampleBlock.Run] {
    guard let column else {
      return [SampleBlock.Run(from: 0, outcome(row: rows.lowerBound, property: property))]
    }
    var runs: [SampleBlock.Run] = []
    for entry in column.entries(ofRows: rows) {
      let row = max(Int(column.rows[entry]), rows.lowerBound)
      let outcome = outcome(row: row, property: property)
      if runs.last?.outcome == outcome { continue }
      runs.append(SampleBlock.Run(from: row - rows.lowerBound, outcome))
    }
    return runs
  }

  /// What one sample was, as if it were read now.
  func outcome(row: Int, property: Int) -> Outcome {
    guard let column = columns[property] else { return .unsupported("it was not recorded") }
    let sample = column.sample(
      ofRow: row, times: rows.table.times, offsets: rows.table.offsets)
    var outcome = Outcome(
      value: sample.value, status: sample.status,
      isLowAccuracy: sample.flags.contains(.lowAccuracy), absence: sample.absence)
    // What was never read has no time.
    if sample.sequence != 0 {
      outcome.stamp = sample.time &+ shift
      outcome.stampOrigin = sample.clockOrigin
    }
    outcome.isReplayed = true
    return outcome
  }
}

extension PropertyType {
  /// Whether so many numbers are a payload of it.
  fileprivate func isNumbers(ofWidth width: Int) -> Bool {
    switch self {
    case .double: width == 1
    case .vector: width > 1
    default: false
    }
  }
}
