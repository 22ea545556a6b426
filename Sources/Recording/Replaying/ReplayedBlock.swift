package import Gathering

/// The rows of a block that was read, as a replay brings them, or a machine that publishes them.
package final class ReplayedBlock: Sendable {
  /// When each row is played.
  package let times: [Int64]
  private let rows: RecordedRows
  private let table: [Property]
  /// Where each property of the table is in the rows; nil for one that was not recorded.
  private let places: [Int?]
  /// The offset added to the recorded boot times, in nanoseconds.
  private let shift: Int64
  /// The rows that something was lost before.
  private let gaps: [Int]
  /// Whether the rows are of the present, with the sequences and realtimes that they have.
  private let isLive: Bool

  /// The places are those of the table's properties in the rows.
  package init(
    _ rows: RecordedRows, table: [Property], places: [Int?], shift: Int64, isLive: Bool = false
  ) {
    self.isLive = isLive
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
  package func cut(_ rows: Range<Int>, isInOrder: Bool) -> [SampleBlock] {
    let gaps = gaps.filter(rows.contains)
    let starts = [rows.lowerBound] + gaps.filter { $0 > rows.lowerBound }
    return zip(starts, starts.dropFirst() + [rows.upperBound]).map { start, end in
      block(start..<end, hasGap: gaps.first == start || start > rows.lowerBound, isInOrder)
    }
  }

  private func block(_ rows: Range<Int>, hasGap: Bool, _ isInOrder: Bool) -> SampleBlock {
    var origin: ClockOrigin?
    var columns: [Int: SampleBlock.Column] = [:]
    var firstSequences: [Int: UInt64] = [:]
    columns.reserveCapacity(places.count)
    let keepsPace = isInOrder && (!isLive || self.rows.table.offsets.constant != nil)
    for (index, place) in places.enumerated() {
      if let place, let own = self.rows.table.columns[place].own(inRows: rows),
        own.origin == origin ?? own.origin, keepsPace || !isLive,
        let whole = whole(
          self.rows.table.columns[place], own.entry..<own.entry + rows.count, own.payload,
          table[index], takesNumbers: keepsPace && own.origin != .library)
      {
        origin = own.origin
        columns[index] = whole
        if isLive, case .numbers = whole {
          firstSequences[index] = self.rows.table.columns[place].sequence(ofEntry: own.entry)
        }
      } else {
        columns[index] = .runs(runs(rows, property: index))
      }
    }
    let first = rows.lowerBound
    var block = SampleBlock(
      times: Array(times[rows]), origin: origin ?? .kernel, columns: columns, hasGap: hasGap)
    block.isReplayed = !isLive
    block.firstSequences = firstSequences
    let offsets = self.rows.table.offsets
    block.realtimeOffset = offsets[first] &- shift
    if offsets.constant == nil {
      block.realtimes = rows.map { times[$0] &- shift &+ offsets[$0] }
    }
    return block
  }

  /// The column of rows that each have a payload of their own, of their own time; nil for one that
  /// is to be told sample by sample. Numbers are all news, which the library's own need not be.
  private func whole(
    _ column: PropertyColumn, _ entries: Range<Int>, _ payload: Int, _ property: Property,
    takesNumbers: Bool
  ) -> SampleBlock.Column? {
    guard property.mode == .continuous else { return .runs(held(column, entries, payload)) }
    guard takesNumbers, case .numbers(let numbers, let width) = column.payloads,
      property.type.isNumbers(ofWidth: width), !isLive || column.counts(inEntries: entries)
    else { return nil }
    let part = numbers[payload * width..<(payload + entries.count) * width]
    return part.areFinite ? .numbers(Array(part), width: width) : nil
  }

  /// Payloads that hold from row to row.
  private func held(
    _ column: PropertyColumn, _ entries: Range<Int>, _ payload: Int
  ) -> [SampleBlock.Run] {
    var runs: [SampleBlock.Run] = []
    var place = 0
    while place < entries.count {
      var outcome = Outcome.ok(column.payloads[payload + place])
      outcome.isReplayed = !isLive
      let sequence = column.sequence(ofEntry: entries.lowerBound + place)
      runs.append(SampleBlock.Run(from: place, outcome, sequence: isLive ? sequence : 0))
      let end = column.payloads.endOfSame(
        from: payload + place, before: payload + entries.count)
      place = end - payload
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
      let sample = self.rows.sample(row: row, property: place)
      let outcome = outcome(of: sample)
      if !isLive, runs.last?.outcome == outcome { continue }
      runs.append(
        SampleBlock.Run(
          from: row - rows.lowerBound, outcome, sequence: isLive ? sample.sequence : 0,
          realtime: sample.realtime))
    }
    return runs
  }

  /// The outcome of one sample, as if it were read now.
  func outcome(row: Int, property: Int) -> Outcome {
    guard let place = places[property] else { return .unsupported("it was not recorded") }
    return outcome(of: rows.sample(row: row, property: place))
  }

  private func outcome(of sample: Sample) -> Outcome {
    var outcome = Outcome(
      value: sample.value, status: sample.status,
      isLowAccuracy: sample.flags.contains(.lowAccuracy), absence: sample.absence)
    // A value that was never read has no time.
    if sample.sequence != 0 {
      outcome.stamp = sample.time &+ shift
      outcome.stampOrigin = sample.clockOrigin
    }
    outcome.isReplayed = !isLive || sample.flags.contains(.replayed)
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
