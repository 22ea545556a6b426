import DataSources
public import Gathering

/// The rows of a query in contiguous slices, read block by block on demand.
///
/// Damaged parts are skipped and reported in `problems` of the recording.
public struct RecordedSlices: Sendable {
  private var groups: QueriedGroups
  private var merge: RecordedMerge?
  private var skipped: Int
  private var limit: Int

  init(_ query: RecordingQuery, of parts: RecordingParts) throws(SourceError) {
    groups = QueriedGroups(query, try query.selection(of: parts), of: parts)
    (skipped, limit) = (query.offset, query.limit)
  }

  /// The next rows; nil behind the last. Throws `io`.
  public mutating func next() throws(SourceError) -> RecordedSlice? {
    while limit > 0 {
      if merge == nil {
        guard var next = groups.next().map(RecordedMerge.init) else { return nil }
        skipped -= next.skip(skipped)
        merge = next
      }
      guard let slice = try merge?.next(atMost: skipped > 0 ? skipped : limit) else {
        merge = nil
        continue
      }
      if skipped > 0 {
        skipped -= slice.count
        continue
      }
      limit -= slice.count
      return slice
    }
    return nil
  }
}

/// The rows that a query asks for, one by one.
public struct RecordedRowReader: Sendable {
  private var slices: RecordedSlices
  private var slice: RecordedSlice?
  private var place = 0

  init(_ slices: RecordedSlices) { self.slices = slices }

  /// The next row; nil behind the last. Throws `io`.
  public mutating func next() throws(SourceError) -> RecordedRow? {
    if place >= slice?.count ?? 0 {
      slice = try slices.next()
      place = 0
    }
    defer { place += 1 }
    return slice?[place]
  }
}

extension RecordingParts {
  /// The rows of a query in contiguous slices. Throws `invalidArgument` and `notFound`.
  public func slices(_ query: RecordingQuery) throws(SourceError) -> RecordedSlices {
    try RecordedSlices(query, of: self)
  }

  /// The rows of a query, one by one. Throws `invalidArgument` and `notFound`.
  public func rows(_ query: RecordingQuery) throws(SourceError) -> RecordedRowReader {
    RecordedRowReader(try slices(query))
  }
}

/// The series of a query, in groups whose rows are stored together.
struct QueriedGroups: Sendable {
  private let parts: RecordingParts
  private let span: ClosedRange<Int64>?
  private var groups: ArraySlice<[QueriedSeries]>
  private var blocks: [UInt32: [RecordedBlock]]

  init(_ query: RecordingQuery, _ series: [QueriedSeries], of parts: RecordingParts) {
    self.parts = parts
    span = query.span
    groups = [series]
    if query.arrangement == .bySeries {
      groups = series.reduce(into: []) { groups, next in
        if let last = groups.last?.last, EntryID(last.name) == EntryID(next.name) {
          groups[groups.endIndex - 1].append(next)
        } else {
          groups.append([next])
        }
      }
    }
    blocks = [:]
    for own in series { blocks[own.facts.number] = [] }
    if query.isVoid { return }
    for block in parts.blocks(realtime: span) {
      blocks[block.series]?.append(block)
    }
  }

  /// Ways through the series of the next group; nil behind the last.
  mutating func next() -> [SeriesCursor]? {
    groups.popFirst()?.map { series in
      let own = blocks.removeValue(forKey: series.facts.number) ?? []
      return SeriesCursor(series, own, in: span, of: parts)
    }
  }
}

/// Rows of several series by time.
struct RecordedMerge: Sendable {
  private var cursors: [SeriesCursor]
  private var heads: TimeQueue?

  init(_ cursors: [SeriesCursor]) { self.cursors = cursors }

  /// Passes over rows without reading them, as far as that is possible; how many.
  mutating func skip(_ count: Int) -> Int {
    if cursors.count == 1 { return cursors[0].skip(count) }
    var all = 0
    for cursor in cursors {
      guard let own = cursor.count else { return 0 }
      all += own
    }
    guard all <= count else { return 0 }
    cursors = []
    return all
  }

  mutating func next(atMost limit: Int) throws(SourceError) -> RecordedSlice? {
    var heads = self.heads ?? TimeQueue()
    if self.heads == nil {
      for place in cursors.indices {
        if let head = try cursors[place].head() { heads.insert(place, at: head) }
      }
    }
    defer { self.heads = heads }
    guard let place = heads.popFirst()?.place else { return nil }
    // Of rows with equal times the first series comes first: those in front have later heads.
    let bound = heads.first.map { $0.place < place ? $0.time &- 1 : $0.time } ?? .max
    let slice = try cursors[place].take(through: bound, atMost: limit)
    if let head = try cursors[place].head() { heads.insert(place, at: head) }
    return slice
  }
}
