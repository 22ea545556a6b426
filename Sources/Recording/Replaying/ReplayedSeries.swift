import Gathering
import Ground

/// The rows of one source for the sessions of a replay.
///
/// A damaged block is skipped permanently when it is first read: the next block in the file is
/// played as after a loss.
final class ReplayedSeries: ReplayedRows {
  private let table: [Property]
  private let timeline: ReplayTimeline
  private let parts: Monitor<ReplayedParts>
  /// The part that was read last, and the one before it: rows go on from one to the next.
  private let loaded = Monitor<[(id: Int, rows: ReplayedBlock)]>([])

  let interval: Int64

  init(
    _ series: [RecordedSeries], table: [Property], on timeline: ReplayTimeline
  ) throws(SourceError) {
    self.table = table
    self.timeline = timeline
    let all = ReplayedParts(series, table: table, on: timeline)
    parts = Monitor(all)
    interval = try all.usualInterval { part throws(SourceError) in
      try timeline.file.isWhole(part.block)
    }
  }

  func nextRow(after moment: Int64) throws(SourceError) -> Int64? {
    var last: ReplayedPart?
    while let part = parts.withLock({ $0.next(behind: last, after: moment) }) {
      last = part
      guard let times = try load(part)?.times else { continue }
      let row = times.count(notAfter: moment)
      if row < times.count { return times[row] }
    }
    return nil
  }

  func lastRow(
    after moment: Int64, before end: Int64, most count: Int
  ) throws(SourceError) -> Int64? {
    guard parts.withLock({ $0.isInOrder }) else {
      return try nextRow(after: moment).flatMap { $0 < end ? $0 : nil }
    }
    var last: ReplayedPart?
    while let part = parts.withLock({ $0.next(behind: last, after: moment) }) {
      last = part
      guard let times = try load(part)?.times else { continue }
      let first = times.count(notAfter: moment)
      if first == times.count { continue }
      let rest = times.count(notAfter: end &- 1) - first
      return rest > 0 ? times[first + min(rest, count) - 1] : nil
    }
    return nil
  }

  func state(at moment: Int64) throws(SourceError) -> [Outcome] {
    var last: ReplayedPart?
    while let part = parts.withLock({ $0.previous(before: last, notAfter: moment) }) {
      last = part
      guard let block = try load(part) else { continue }
      let row = block.times.count(notAfter: moment) - 1
      if row >= 0 { return table.indices.map { block.outcome(row: row, property: $0) } }
    }
    return table.map { _ in .noData("nothing was recorded yet") }
  }

  func blocks(after moment: Int64, through last: Int64) throws(SourceError) -> [SampleBlock] {
    var blocks: [SampleBlock] = []
    var former: ReplayedPart?
    while let part = parts.withLock({ $0.next(behind: former, after: moment) }), part.first <= last
    {
      former = part
      guard let block = try load(part) else { continue }
      let rows = block.times.count(notAfter: moment)..<block.times.count(notAfter: last)
      if rows.isEmpty { continue }
      let (isInOrder, losses) = parts.withLock { ($0.isInOrder, $0.losses[part.id]) }
      var cut = block.cut(rows, isInOrder: isInOrder)
      if rows.lowerBound == 0, let losses, !cut.isEmpty {
        cut[0].hasGap = true
        cut[0].loss = timeline.error(losses)
      }
      blocks += cut
    }
    return blocks
  }

  func lossAtEnd() -> SourceError? {
    parts.withLock { $0.losses[ReplayedParts.end] }.map(timeline.error)
  }

  /// The rows of a part; nil where it is damaged, which it is then no part any more.
  private func load(_ part: ReplayedPart) throws(SourceError) -> ReplayedBlock? {
    let known = loaded.withLock { $0 }
    if let found = known.first(where: { $0.id == part.id }) { return found.rows }
    do throws(SourceError) {
      let block = ReplayedBlock(
        try timeline.file.rows(of: part.block), table: table, places: part.places,
        shift: timeline.shift(of: part.block))
      let former = loaded.withLock { loaded in
        defer { loaded = [(part.id, block)] + loaded.prefix(1) }
        return loaded
      }
      withExtendedLifetime(former) {}
      return block
    } catch .parse(let reason) {
      parts.withLock { $0.remove(part, because: reason) }
      return nil
    }
  }
}

extension [Int64] {
  /// How many moments of a rising series are not after another.
  func count(notAfter moment: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
