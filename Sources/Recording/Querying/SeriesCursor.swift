import Gathering
import Ground

/// Iterates over the rows of one series by their time on CLOCK_REALTIME, block by block.
///
/// A block is read when its first row may be next, and released after its last: there are several
/// at a time only if the wall clock was set back.
struct SeriesCursor: Sendable {
  let series: QueriedSeries
  private let parts: RecordingParts
  private let range: ClosedRange<Int64>?
  /// By their earliest row, then as recorded.
  private var pending: ArraySlice<(order: Int, block: RecordedBlock)>
  private var loaded: [LoadedBlock] = []

  /// The way through blocks that are in the order they were recorded.
  init(
    _ series: QueriedSeries, _ blocks: [RecordedBlock], in range: ClosedRange<Int64>?,
    of parts: RecordingParts
  ) {
    self.series = series
    self.parts = parts
    self.range = range
    pending =
      blocks.enumerated().map { (order: $0, block: $1) }.sorted {
        ($0.block.realtime.lowerBound, $0.order) < ($1.block.realtime.lowerBound, $1.order)
      }[...]
  }

  /// The number of rows left, if the blocks have it; nil if only some rows of a block are selected.
  var count: Int? {
    var count = loaded.reduce(0) { $0 + $1.count }
    for (_, block) in pending {
      guard isWhole(block) else { return nil }
      count += block.rowCount
    }
    return count
  }

  private func isWhole(_ block: RecordedBlock) -> Bool {
    range.map { $0.contains(block.realtime.lowerBound) && $0.contains(block.realtime.upperBound) }
      ?? true
  }

  /// When the next row was; nil behind the last.
  mutating func head() throws(SourceError) -> Int64? {
    while true {
      let next = loaded.min { ($0.head, $0.order) < ($1.head, $1.order) }?.head
      guard let (order, block) = pending.first,
        next.map({ block.realtime.lowerBound <= $0 }) ?? true
      else { return next }
      pending = pending.dropFirst()
      try load(block, order)
    }
  }

  private mutating func load(_ block: RecordedBlock, _ order: Int) throws(SourceError) {
    let rows: RecordedRows
    do throws(SourceError) {
      rows = try parts.rows(of: block)
    } catch .parse {
      // Reported as a problem of the recording.
      return
    }
    // No recorder writes such rows; no property describes their samples.
    guard rows.propertyCount == series.facts.width else { return }
    let new = LoadedBlock(rows, order: order, in: range)
    if new.count > 0 { loaded.append(new) }
  }

  /// The next rows that lie together, up to a time, which is not before the next row; at most so
  /// many.
  mutating func take(through time: Int64, atMost limit: Int) throws(SourceError) -> RecordedSlice? {
    guard try head() != nil, limit > 0 else { return nil }
    var best = 0
    var bound = time
    for place in loaded.indices.dropFirst() {
      let isFirst =
        (loaded[place].head, loaded[place].order) < (loaded[best].head, loaded[best].order)
      if isFirst { best = place }
    }
    for place in loaded.indices where place != best {
      let head = loaded[place].head
      bound = min(bound, loaded[place].order > loaded[best].order ? head : head - 1)
    }
    if let next = pending.first?.block.realtime.lowerBound { bound = min(bound, next &- 1) }
    guard let range = loaded[best].take(through: bound, atMost: limit) else { return nil }
    let slice = RecordedSlice(
      series: series, rows: loaded[best].rows, range: range, times: loaded[best].times)
    if loaded[best].count == 0 { loaded.remove(at: best) }
    return slice
  }

  /// Skips rows, unread if their blocks allow it; returns how many.
  mutating func skip(_ count: Int) -> Int {
    var skipped = 0
    while loaded.isEmpty, let block = pending.first?.block, isWhole(block),
      block.rowCount <= count - skipped
    {
      let next = pending.dropFirst().first?.block
      guard next.map({ block.realtime.upperBound < $0.realtime.lowerBound }) ?? true else { break }
      pending = pending.dropFirst()
      skipped += block.rowCount
    }
    return skipped
  }
}

/// A block that was read, and how far it has been passed on.
private struct LoadedBlock: Sendable {
  let rows: RecordedRows
  /// Its place among the blocks of the series as recorded.
  let order: Int
  /// When each row was so.
  let times: [Int64]
  /// The rows by time, where that is not the order they lie in.
  private let sorted: [Int]?
  private var next: Int
  private let end: Int

  init(_ rows: RecordedRows, order: Int, in range: ClosedRange<Int64>?) {
    self.rows = rows
    self.order = order
    let times = rows.realtimes
    self.times = times
    let sorted =
      times.isRising
      ? nil : times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    self.sorted = sorted
    next = 0
    var end = times.count
    if let range {
      let time = { (place: Int) in times[sorted?[place] ?? place] }
      next = times.indices.count { time($0) < range.lowerBound }
      end = times.indices.count { time($0) <= range.upperBound }
    }
    self.end = max(end, next)
  }

  var count: Int { end - next }

  /// The time of its next row, which must exist.
  var head: Int64 { times[sorted?[next] ?? next] }

  /// The next rows that lie together, up to a time.
  mutating func take(through time: Int64, atMost limit: Int) -> Range<Int>? {
    let last = min(end, next + min(limit, count))
    guard next < last, head <= time else { return nil }
    let first = sorted?[next] ?? next
    let start = next
    if let sorted {
      next += 1
      while next < last, sorted[next] == first + next - start, times[sorted[next]] <= time {
        next += 1
      }
    } else {
      next = times.firstIndex(after: time, in: next + 1..<last)
    }
    return first..<first + next - start
  }
}

extension [Int64] {
  /// Whether none is below the one before.
  var isRising: Bool {
    withUnsafeBufferPointer { all in
      var last = Int64.min
      for number in all {
        if number < last { return false }
        last = number
      }
      return true
    }
  }

  /// The place of the first number of a rising part that is above one, or its end.
  func firstIndex(after number: Int64, in part: Range<Int>) -> Int {
    // The number searched for is usually near.
    guard let first = part.first, self[first] <= number else { return part.lowerBound }
    if self[part.upperBound - 1] <= number { return part.upperBound }
    var (low, high) = (first, part.upperBound - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle } else { high = middle }
    }
    return high
  }
}
