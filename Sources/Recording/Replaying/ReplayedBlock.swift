import Gathering

/// The rows of a block that was read, as a replay brings them.
final class ReplayedBlock: Sendable {
  /// When each row is played.
  let times: [Int64]
  private let rows: RecordedRows
  private let table: [Property]
  /// Where each property of the table is in the rows; nil for one that was not recorded.
  private let places: [Int?]
  /// The offset added to the recorded boot times, in nanoseconds.
  private let shift: Int64
  /// The rows that something was lost before.
  private let gaps: [Int]

  /// The places are those of the table's properties in the rows.
  init(_ rows: RecordedRows, table: [Property], places: [Int?], shift: Int64) {
    self.rows = rows
    self.table = table
    self.shift = shift
    times = rows.times.map { $0 &+ shift }
    // A file may describe more properties than its rows have.
    let places = places.map { $0.flatMap { $0 < rows.propertyCount ? $0 : nil } }
    self.places = places
    gaps = Set(places.compactMap(\.self).flatMap { rows.table.columns[$0].gaps }).sorted()
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
    columns.reserveCapacity(places.count)
    for (index, place) in places.enumerated() {
      if let place, let own = self.rows.table.columns[place].own(inRows: rows),
        own.origin == origin ?? own.origin,
        let whole = whole(
          self.rows.table.columns[place].payloads, own.payload..<own.payload + rows.count,
          table[index], takesNumbers: isInOrder && own.origin != .library)
      {
        origin = own.origin
        columns[index] = whole
      } else {
        columns[index] = .runs(runs(rows, property: index))
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
    _ payloads: PayloadColumn, _ own: Range<Int>, _ property: Property, takesNumbers: Bool
  ) -> SampleBlock.Column? {
    guard property.mode == .continuous else { return .runs(held(payloads, own)) }
    guard takesNumbers, case .numbers(let numbers, let width) = payloads,
      property.type.isNumbers(ofWidth: width)
    else { return nil }
    let part = numbers[own.lowerBound * width..<own.upperBound * width]
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

  /// The outcomes of the rows with new values, and that of the first.
  private func runs(_ rows: Range<Int>, property: Int) -> [SampleBlock.Run] {
    guard let place = places[property] else {
      return [SampleBlock.Run(from: 0, outcome(row: rows.lowerBound, property: property))]
    }
    var runs: [SampleBlock.Run] = []
    for entry in self.rows.table.columns[place].entries(ofRows: rows) {
      let row = max(Int(self.rows.table.columns[place].rows[entry]), rows.lowerBound)
      let outcome = outcome(row: row, property: property)
      if runs.last?.outcome == outcome { continue }
      runs.append(SampleBlock.Run(from: row - rows.lowerBound, outcome))
    }
    return runs
  }

  /// The outcome of one sample, as if it were read now.
  func outcome(row: Int, property: Int) -> Outcome {
    guard let place = places[property] else { return .unsupported("it was not recorded") }
    let sample = rows.sample(row: row, property: place)
    var outcome = Outcome(
      value: sample.value, status: sample.status,
      isLowAccuracy: sample.flags.contains(.lowAccuracy), absence: sample.absence)
    // A value that was never read has no time.
    if sample.sequence != 0 {
      outcome.stamp = sample.time &+ shift
      outcome.stampOrigin = sample.clockOrigin
    }
    outcome.isReplayed = true
    return outcome
  }
}

extension PropertyType {
  /// Whether a payload of this property has `width` numbers.
  fileprivate func isNumbers(ofWidth width: Int) -> Bool {
    switch self {
    case .double: width == 1
    case .vector: width > 1
    default: false
    }
  }
}
