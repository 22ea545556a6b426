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

  let interval: Int64
  private let parts: [Part]
  /// How far each part and those before it reach.
  private let reaches: [Int64]
  /// Whether no part begins before the one before it ends.
  private let isInOrder: Bool
  private let table: [Property]
  private let timeline: ReplayTimeline
  private let loaded = Monitor<(index: Int, rows: ReplayedBlock)?>(nil)

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
    reaches = parts.reduce(into: []) { $0.append(max($0.last ?? .min, $1.last)) }
    isInOrder = zip(parts, parts.dropFirst()).allSatisfy { $0.last <= $1.first }
    let largest = parts.max { $0.block.rowCount < $1.block.rowCount }
    let span = largest.map { max(0, $0.last &- $0.first) } ?? 0
    interval = span / Int64(max(1, (largest?.block.rowCount ?? 0) - 1))
  }

  func nextRow(after moment: Int64) throws(SourceError) -> Int64? {
    for index in reaches.count(notAfter: moment)..<parts.count where parts[index].last > moment {
      let times = try load(index).times
      let row = times.count(notAfter: moment)
      if row < times.count { return times[row] }
    }
    return nil
  }

  func state(at moment: Int64) throws(SourceError) -> [Outcome] {
    for index in parts.indices.reversed() where parts[index].first <= moment {
      let block = try load(index)
      let row = block.times.count(notAfter: moment) - 1
      if row >= 0 { return table.indices.map { block.outcome(row: row, property: $0) } }
    }
    return table.map { _ in .noData("nothing was recorded yet") }
  }

  func blocks(after moment: Int64, through last: Int64) throws(SourceError) -> [SampleBlock] {
    var blocks: [SampleBlock] = []
    for index in reaches.count(notAfter: moment)..<parts.count where parts[index].last > moment {
      if parts[index].first > last { break }
      let block = try load(index)
      let rows = block.times.count(notAfter: moment)..<block.times.count(notAfter: last)
      if !rows.isEmpty { blocks += block.cut(rows, isInOrder: isInOrder) }
    }
    return blocks
  }

  private func load(_ index: Int) throws(SourceError) -> ReplayedBlock {
    if let loaded = loaded.withLock({ $0 }), loaded.index == index { return loaded.rows }
    let part = parts[index]
    let block = ReplayedBlock(
      try timeline.file.rows(of: part.block), table: table, places: part.places,
      shift: timeline.shift(of: part.block))
    loaded.withLock { $0 = (index, block) }
    return block
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
