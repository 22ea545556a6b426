public import Gathering
public import Values

/// What the rows of one series come to in one interval of time.
public struct RecordedInterval: Sendable {
  /// The series, with the properties that are wanted.
  public let series: QueriedSeries
  /// When it begins, on CLOCK_REALTIME: a multiple of its length.
  public let time: Int64
  /// How many rows it has; at least one.
  public private(set) var rowCount = 0
  private var summaries: [ValueSummary]

  init(_ series: QueriedSeries, at time: Int64) {
    self.series = series
    self.time = time
    summaries = [ValueSummary](repeating: ValueSummary(), count: series.columns.count)
  }

  mutating func add(_ rows: Range<Int>, of block: RecordedRows) {
    rowCount += rows.count
    for (place, column) in series.columns.enumerated() {
      summaries[place].add(block.table.columns[column], rows: rows, of: block.rowCount)
    }
  }

  /// What numbers, and vectors component by component, come to: from the least to the greatest, and
  /// on average; NaN, and what is missing or stale, is left out. Nil for what has no numbers.
  ///
  /// `place` is that of a property among those wanted.
  public func numbers(at place: Int) -> (minimum: Value, maximum: Value, mean: Value)? {
    let summary = summaries[place]
    guard summary.count > 0 else { return nil }
    // Whole numbers stay what they are, as far as a double holds them.
    let isWhole = if case .int? = series.type(at: place) { true } else { false }
    let same = { (value: Value) in
      if isWhole, let whole = value.number.flatMap({ Int64(exactly: $0) }) {
        return Value.int(whole)
      }
      return value
    }
    return (same(summary.minimum), same(summary.maximum), summary.mean)
  }

  /// The last value that is no number, `.none` if there is none.
  public func last(at place: Int) -> Value { summaries[place].last }

  /// The interval as a dictionary: `source`, `time`, `rows`, then `KEY.min`, `KEY.max` and
  /// `KEY.mean` of each property of numbers, and the last value of each other under its key.
  ///
  /// What has no value is null; `KEY.status`, behind all others, then says what the last row was,
  /// unless it was ok.
  public var dictionary: ValueDictionary {
    var members: ValueDictionary = [
      "source": .string(series.name), "time": .time(time), "rows": .int(Int64(rowCount)),
    ]
    var notes: [(String, Value)] = []
    for place in series.columns.indices {
      let key = series.members[place]
      let numbers = numbers(at: place)
      if numbers != nil || series.hasNumbers(at: place) {
        members["\(key).min"] = numbers?.minimum ?? Value.none
        members["\(key).max"] = numbers?.maximum ?? Value.none
        members["\(key).mean"] = numbers?.mean ?? Value.none
      } else {
        members[key] = last(at: place)
      }
      let status = summaries[place].status
      if numbers == nil, last(at: place) == .none, status != .ok {
        notes.append(("\(key).status", .string(status.word)))
      }
    }
    for (name, status) in notes { members[name] = status }
    return members
  }
}

extension QueriedSeries {
  /// Whether a property is one of numbers, whatever its values.
  func hasNumbers(at place: Int) -> Bool {
    switch type(at: place) {
    case .double, .int, .vector: true
    default: false
    }
  }
}

/// The rows that a query asks for, an interval at a time, read block by block as they are taken.
///
/// Intervals begin at multiples of their length. A series has one where it has rows, and a source
/// whose properties changed is another series. Offset and limit count intervals.
public struct RecordedIntervals: Sendable {
  private var groups: QueriedGroups
  private let length: Int64
  private var cursors: [IntervalCursor] = []
  private var heads: [RecordedInterval?] = []
  private var skipped: Int
  private var limit: Int

  init(
    _ query: RecordingQuery, every length: Int64, of parts: RecordingParts
  ) throws(SourceError) {
    guard length > 0 else { throw .invalidArgument("an interval is longer than 0") }
    self.length = length
    groups = QueriedGroups(query, try query.selection(of: parts), of: parts)
    (skipped, limit) = (query.offset, query.limit)
  }

  /// The next interval; nil behind the last. Throws `io`.
  public mutating func next() throws(SourceError) -> RecordedInterval? {
    while limit > 0 {
      guard let next = try nextOfGroup() else {
        guard let group = groups.next() else { return nil }
        cursors = group.map { IntervalCursor($0, every: length) }
        heads = []
        for place in cursors.indices { heads.append(try cursors[place].next()) }
        continue
      }
      if skipped > 0 {
        skipped -= 1
        continue
      }
      limit -= 1
      return next
    }
    return nil
  }

  private mutating func nextOfGroup() throws(SourceError) -> RecordedInterval? {
    var best: (place: Int, head: RecordedInterval)?
    for (place, head) in heads.enumerated() {
      guard let head, best.map({ head.time < $0.head.time }) ?? true else { continue }
      best = (place, head)
    }
    guard let best else { return nil }
    heads[best.place] = try cursors[best.place].next()
    return best.head
  }
}

extension RecordingParts {
  /// The rows that a query asks for, an interval of so many nanoseconds at a time.
  ///
  /// Throws `invalidArgument` and `notFound`.
  public func intervals(
    _ query: RecordingQuery, every length: Int64
  ) throws(SourceError) -> RecordedIntervals {
    try RecordedIntervals(query, every: length, of: self)
  }
}

/// A way through the intervals of one series.
private struct IntervalCursor: Sendable {
  private var rows: SeriesCursor
  private let length: Int64
  /// Rows that are read and belong to later intervals.
  private var rest: RecordedSlice?

  init(_ rows: SeriesCursor, every length: Int64) {
    self.rows = rows
    self.length = length
  }

  mutating func next() throws(SourceError) -> RecordedInterval? {
    if rest == nil { rest = try rows.take(through: .max, atMost: .max) }
    guard let first = rest?[0].time else { return nil }
    let phase = first % length
    let start = first.subtractingReportingOverflow(phase < 0 ? phase + length : phase)
    // Before the first multiple that can be told.
    let begin = start.overflow ? Int64.min : start.partialValue
    let end = begin.addingReportingOverflow(length - 1)
    let last = end.overflow ? Int64.max : end.partialValue
    var interval = RecordedInterval(rows.series, at: begin)
    while let slice = rest, slice[0].time <= last {
      let place = slice.times.firstIndex(after: last, in: slice.range)
      interval.add(slice.range.lowerBound..<place, of: slice.rows)
      if place < slice.range.upperBound {
        rest?.range = place..<slice.range.upperBound
        break
      }
      rest = try rows.take(through: .max, atMost: .max)
    }
    return interval
  }
}
