import CGatheredKit
import Ground

/// The rows of a block that one session gets, as it gets them.
public final class RowSlice: Sendable {
  /// Which rows of its block a slice has, in order.
  enum Choice: Sendable {
    /// All, also those that are put behind later.
    case all
    case range(Range<Int>)
    case places([Int])
  }

  /// The number of the session.
  let session: UInt32
  let block: RowBlock
  let choice: Choice
  /// The session's previous update, which newness is measured by.
  let before: Block
  /// Whether something before the first row was lost to the session.
  let hasGap: Bool
  /// Every row where they are the session's own (its settings, its start), not marked new.
  let own: [Block]?
  /// The last row, as an update delivers it; nil where nothing has asked for it yet.
  let last: Block?

  /// Some rows of a block; the last one is written over a block that is handed on with the slice.
  init(
    _ block: RowBlock, of session: UInt32, choice: Choice, before: Block, hasGap: Bool,
    own: [Block]? = nil, last: Block? = nil
  ) {
    self.session = session
    self.block = block
    self.choice = choice
    self.before = before
    self.hasGap = hasGap
    self.own = own
    self.last = last
    if let last { write(rowCount - 1, over: last) }
  }

  /// How many rows there are.
  public var rowCount: Int {
    switch choice {
    case .all: block.rowCount
    case .range(let range): range.count
    case .places(let places): places.count
    }
  }

  /// How many properties a row has.
  public var propertyCount: Int { block.width }

  /// When a row was so, on CLOCK_BOOTTIME.
  public func time(ofRow row: Int) -> Int64 { block.times[place(row)] }

  /// When a row was so, on CLOCK_REALTIME.
  public func realtime(ofRow row: Int) -> Int64 {
    block.realtime(ofRow: place(row))
  }

  /// The numbers of a property in all rows, where they stand in a column of their own; NaN for a
  /// row without a payload.
  public func numbers(ofPropertyAt property: Int) -> (numbers: [Double], width: Int)? {
    guard own == nil, case .numbers(let column) = block.content(ofPropertyAt: property) else {
      return nil
    }
    let width = column.width
    switch choice {
    case .all: return (column.all, width)
    case .range(let range):
      return (Array(column.all[range.lowerBound * width..<range.upperBound * width]), width)
    case .places(let places):
      var taken: [Double] = []
      taken.reserveCapacity(places.count * width)
      for row in places { taken += column.all[row * width..<(row + 1) * width] }
      return (taken, width)
    }
  }

  /// One sample, as an update delivers it.
  public func sample(row: Int, property: Int) -> Sample {
    var sample =
      own.map { $0[row][property] } ?? block.sample(row: place(row), property: property)
    sample.flags.remove([.isNew, .gap])
    let (sequence, status) = previous(row: row, property: property)
    if sequence != sample.sequence || status != sample.status { sample.flags.insert(.isNew) }
    if row == 0 && hasGap { sample.flags.insert(.gap) }
    return sample
  }

  /// All samples of a row, in catalogue order.
  public func samples(ofRow row: Int) -> [Sample] {
    (0..<propertyCount).map { sample(row: row, property: $0) }
  }

  /// The same rows without the first ones, which were lost.
  public func dropping(_ count: Int) -> RowSlice {
    RowSlice(
      block, of: session, choice: choice(behind: count), before: before, hasGap: true,
      own: own.map { Array($0.dropFirst(count)) })
  }

  /// The rows behind the first ones, which have gone on.
  public func following(_ count: Int) -> RowSlice {
    RowSlice(
      block, of: session, choice: choice(behind: count),
      before: count > 0 ? row(count - 1) : before, hasGap: false,
      own: own.map { Array($0.dropFirst(count)) })
  }

  private func choice(behind count: Int) -> Choice {
    count == 0 ? choice : choice(of: count..<rowCount)
  }

  /// Some of its rows that follow each other, as they are now.
  private func choice(of rows: Range<Int>) -> Choice {
    switch choice {
    case .all: return .range(rows)
    case .range(let range):
      return .range(range.lowerBound + rows.lowerBound..<range.lowerBound + rows.upperBound)
    case .places(let places): return .places(Array(places[rows]))
    }
  }

  /// The first rows.
  public func prefix(_ count: Int) -> RowSlice {
    RowSlice(
      block, of: session, choice: choice(of: 0..<count), before: before, hasGap: hasGap,
      own: own.map { Array($0.prefix(count)) })
  }

  /// The last row, or the update before the first.
  var latest: Block { last ?? (rowCount > 0 ? row(rowCount - 1) : before) }

  func place(_ row: Int) -> Int {
    switch choice {
    case .all: row
    case .range(let range): range.lowerBound + row
    case .places(let places): places[row]
    }
  }

  private func previous(row: Int, property: Int) -> (sequence: UInt64, status: ValueStatus) {
    if row == 0 {
      guard (0..<before.count).contains(property) else { return (0, .noData) }
      return (before.sequence(at: property), before.status(at: property))
    }
    if let own { return (own[row - 1].sequence(at: property), own[row - 1].status(at: property)) }
    return block.progress(row: place(row - 1), property: property)
  }
}

/// One delivery of a source's values to a session's listeners: one reading, or the rows of a
/// stream that have come since the last delivery.
public final class SourceUpdate: Sendable {
  enum Content: Sendable {
    case reading(Block)
    case rows([RowSlice])
  }

  let content: Content

  init(_ content: Content) { self.content = content }

  /// Whether the readings are rows of a stream, each measured by itself.
  public var isOfStream: Bool {
    if case .rows = content { true } else { false }
  }

  /// How many readings there are; each has one sample a property.
  public var rowCount: Int {
    switch content {
    case .reading: 1
    case .rows(let slices): slices.reduce(0) { $0 + $1.rowCount }
    }
  }

  /// All readings in time order, each with one sample a property, in catalogue order.
  public var rows: [[Sample]] {
    switch content {
    case .reading(let block): [block.samples]
    case .rows(let slices):
      slices.flatMap { slice in (0..<slice.rowCount).map { slice.samples(ofRow: $0) } }
    }
  }

  /// When each reading was so, on CLOCK_REALTIME: of one reading its newest value's moment, 0
  /// before anything was read.
  public var realtimes: [Int64] {
    switch content {
    case .reading(let block): [block.realtime]
    case .rows(let slices):
      slices.flatMap { slice in (0..<slice.rowCount).map { slice.realtime(ofRow: $0) } }
    }
  }

  /// The samples of all readings, one reading after the other.
  public var samples: [Sample] {
    if case .reading(let block) = content { return block.samples }
    return rows.flatMap { $0 }
  }

  /// The newest reading.
  public var latest: [Sample] {
    switch content {
    case .reading(let block): block.samples
    case .rows(let slices):
      slices.last?.latest.samples ?? []
    }
  }
}
