import Gathering
import Machine

/// The rows of one source on their way to the sessions of a replay.
final class ReplayedSeries: ReplayedRows {
  /// A block and where its properties stand in the table.
  private struct Part: Sendable {
    let block: RecordedBlock
    let places: [Int?]
    let first: Int64
    let last: Int64
  }

  /// A block that was read.
  private struct Loaded: Sendable {
    let index: Int
    let rows: RecordedRows
    let times: [Int64]
  }

  let interval: Int64
  private let parts: [Part]
  private let table: [Property]
  private let timeline: ReplayTimeline
  private let loaded = Monitor<Loaded?>(nil)

  init(_ series: [RecordedSeries], table: [Property], on timeline: ReplayTimeline) {
    self.table = table
    self.timeline = timeline
    parts = series.flatMap { series in
      let keys = series.properties.map(\.key)
      let places = table.map { keys.firstIndex(of: $0.key) }
      return timeline.blocks(of: series.number).map { block in
        let shift = timeline.shift(of: block)
        return Part(
          block: block, places: places, first: block.boot.lowerBound &+ shift,
          last: block.boot.upperBound &+ shift)
      }
    }.sorted { ($0.first, $0.last) < ($1.first, $1.last) }
    let largest = parts.max { $0.block.rowCount < $1.block.rowCount }
    let span = largest.map { max(0, $0.last &- $0.first) } ?? 0
    interval = span / Int64(max(1, (largest?.block.rowCount ?? 0) - 1))
  }

  func nextRow(after moment: Int64) throws(SourceError) -> Int64? {
    for index in parts.indices where parts[index].last > moment {
      let times = try load(index).times
      let row = times.count(notAfter: moment)
      if row < times.count { return times[row] }
    }
    return nil
  }

  func state(at moment: Int64) throws(SourceError) -> [Outcome] {
    for index in parts.indices.reversed() where parts[index].first <= moment {
      let part = try load(index)
      let row = part.times.count(notAfter: moment) - 1
      if row >= 0 { return table.indices.map { outcome(part, row, $0) } }
    }
    return table.map { _ in .noData("nothing was recorded yet") }
  }

  func blocks(after moment: Int64, through last: Int64) throws(SourceError) -> [SampleBlock] {
    var blocks: [SampleBlock] = []
    for index in parts.indices where parts[index].last > moment && parts[index].first <= last {
      let part = try load(index)
      let rows = part.times.count(notAfter: moment)..<part.times.count(notAfter: last)
      if !rows.isEmpty { blocks += cut(part, rows) }
    }
    return blocks
  }

  private func load(_ index: Int) throws(SourceError) -> Loaded {
    if let loaded = loaded.withLock({ $0 }), loaded.index == index { return loaded }
    let block = parts[index].block
    let rows = try timeline.file.rows(of: block)
    let shift = timeline.shift(of: block)
    let new = Loaded(index: index, rows: rows, times: rows.times.map { $0 &+ shift })
    loaded.withLock { $0 = new }
    return new
  }

  /// Rows as blocks of samples, a new one after each gap.
  private func cut(_ part: Loaded, _ rows: Range<Int>) -> [SampleBlock] {
    let gaps = rows.filter { row in
      parts[part.index].places.contains { place in
        place.map { part.rows.sample(row: row, property: $0).flags.contains(.gap) } ?? false
      }
    }
    let starts = [rows.lowerBound] + gaps.filter { $0 > rows.lowerBound }
    return zip(starts, starts.dropFirst() + [rows.upperBound]).map { start, end in
      block(part, start..<end, hasGap: gaps.contains(start))
    }
  }

  private func block(_ part: Loaded, _ rows: Range<Int>, hasGap: Bool) -> SampleBlock {
    var columns: [Int: SampleBlock.Column] = [:]
    for index in table.indices {
      columns[index] = .runs(runs(part, rows, index))
    }
    var block = SampleBlock(
      times: Array(part.times[rows]), origin: .kernel, columns: columns, hasGap: hasGap)
    block.isReplayed = true
    let first = rows.lowerBound
    block.realtimeOffset = part.rows.realtimes[first] &- part.times[first]
    return block
  }

  private func runs(_ part: Loaded, _ rows: Range<Int>, _ index: Int) -> [SampleBlock.Run] {
    var runs: [SampleBlock.Run] = []
    for row in rows {
      let outcome = outcome(part, row, index)
      if runs.last?.outcome == outcome { continue }
      runs.append(SampleBlock.Run(from: row - rows.lowerBound, outcome))
    }
    return runs
  }

  /// What one sample was, as if it were read now.
  private func outcome(_ part: Loaded, _ row: Int, _ index: Int) -> Outcome {
    guard let place = parts[part.index].places[index] else {
      return .unsupported("it was not recorded")
    }
    let sample = part.rows.sample(row: row, property: place)
    var outcome = Outcome(
      value: sample.value, status: sample.status,
      isLowAccuracy: sample.flags.contains(.lowAccuracy), absence: sample.absence)
    // What was never read has no time.
    if sample.sequence != 0 {
      outcome.stamp = sample.time &+ timeline.shift(of: parts[part.index].block)
      outcome.stampOrigin = sample.clockOrigin
    }
    outcome.isReplayed = true
    return outcome
  }
}

extension [Int64] {
  /// How many moments of a rising series are not after another.
  fileprivate func count(notAfter moment: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
