import CGatheredKit
import Ground
import Values

/// Rows of one instance as its stream brought them, with all that turns a row into samples.
///
/// What the stream brings stays in columns until a row is asked for. The other properties are
/// carried: one block has them for every row, and the same block for all deliveries between two
/// readings.
final class RowBlock: @unchecked Sendable {
  // Safe: nothing in it changes, but for rows put behind a block that one reader made for itself,
  // under the reader's lock and before the block is handed on.

  /// What the stream brings of one property.
  struct Column: Sendable {
    enum Content: Sendable {
      case numbers(Numbers)
      case runs(Runs)
    }

    let property: Int
    fileprivate(set) var content: Content
  }

  /// `width` numbers a row; those that are none are NaN.
  struct Numbers: Sendable {
    fileprivate(set) var all: [Double]
    let width: Int
    /// The sequence of the first row; each following row has the next one.
    let firstSequence: UInt64
    let type: ValueType
  }

  /// Samples that hold from a row on, in the order of rows: one row of a block each, whose times
  /// are those of the rows unless they were stamped.
  final class Runs: Sendable {
    let starts: [(row: Int, isStamped: Bool)]
    let block: Block

    init(_ starts: [(row: Int, isStamped: Bool)], _ block: Block) {
      self.starts = starts
      self.block = block
    }

    /// The place of the run that holds in a row.
    func place(of row: Int) -> Int {
      var (place, end) = (0, starts.count)
      while end - place > 1 {
        let middle = (place + end) / 2
        if starts[middle].row <= row { place = middle } else { end = middle }
      }
      return place
    }
  }

  private(set) var times: [Int64]
  let origin: ClockOrigin
  /// What CLOCK_REALTIME is ahead of CLOCK_BOOTTIME, unless `realtimes` tells more.
  private let realtimeOffset: Int64
  /// When each row was so on CLOCK_REALTIME, where it told that or rows of several were joined.
  private var realtimes: [Int64] = []
  /// Whether the rows come from a recording.
  let isReplayed: Bool
  /// The rows of the properties without a column, which hold for every row, time included.
  let carried: Block
  /// In the order of their properties.
  private(set) var columns: [Column]
  /// Why rows have no number where they have none, by property.
  private let absences: [Int: [SampleBlock.Run]]

  /// The rows of a block, whose columns have been placed.
  init(_ block: SampleBlock, realtimeOffset: Int64, carrying carried: Block, _ columns: [Column]) {
    times = block.times
    origin = block.origin
    isReplayed = block.isReplayed
    self.realtimeOffset = realtimeOffset
    realtimes = block.realtimes
    self.carried = carried
    self.columns = columns
    absences = block.absences
  }

  var rowCount: Int { times.count }

  /// How many properties a row has.
  var width: Int { carried.count }

  /// When a row was so, on CLOCK_REALTIME.
  func realtime(ofRow row: Int) -> Int64 {
    realtimes.isEmpty ? times[row] &+ realtimeOffset : realtimes[row]
  }

  /// Whether CLOCK_REALTIME is as far ahead in each row.
  var hasOneOffset: Bool { realtimes.isEmpty }

  /// What the stream brings of a property; nil where it brings nothing.
  func content(ofPropertyAt property: Int) -> Column.Content? {
    columns.first { $0.property == property }?.content
  }

  // MARK: As rows

  /// Writes what the stream brings of a property in one row, not marked new, without the text and
  /// the reason; the row keeps its source.
  func write(_ row: Int, of column: Column, to target: UnsafeMutablePointer<Row>) {
    switch column.content {
    case .numbers(let numbers):
      if let value = numbers.value(at: row) {
        target.pointee.value = value
        target.pointee.status = ValueStatus.ok.rawValue
        target.pointee.flags = 0
      } else {
        let absence = absence(row, column.property)
        target.pointee.value = gkit_value()
        target.pointee.status = absence.status.rawValue
        target.pointee.flags = absence.flags.rawValue
      }
      target.pointee.sequence = numbers.firstSequence + UInt64(row)
      stamp(target, row)
    case .runs(let runs):
      let place = runs.place(of: row)
      let source = target.pointee.source
      target.pointee = runs.block.rows[place]
      target.pointee.source = source
      if !runs.starts[place].isStamped { stamp(target, row) }
    }
    target.pointee.property = UInt32(truncatingIfNeeded: column.property)
    if isReplayed { target.pointee.flags |= SampleFlags.replayed.rawValue }
  }

  /// The same in a block of one row a property, with the text and the reason.
  func put(_ row: Int, of column: Column, into block: Block) {
    let property = column.property
    switch column.content {
    case .numbers(let numbers):
      let isThere = numbers.value(at: row) != nil
      let reason = isThere ? nil : absence(row, property).absence
      block.noteNumber(reason, stampedBy: origin, at: property)
    case .runs(let runs):
      let place = runs.place(of: row)
      block.copyRow(place, of: runs.block, to: property)
      if !runs.starts[place].isStamped { block.noteOrigin(origin, at: property) }
    }
    write(row, of: column, to: block.rows + property)
  }

  /// Makes a block of one row a property one of the rows, not marked new.
  func put(_ row: Int, into block: Block) {
    block.copy(carried)
    for column in columns { put(row, of: column, into: block) }
  }

  private func stamp(_ target: UnsafeMutablePointer<Row>, _ row: Int) {
    target.pointee.boot_ns = times[row]
    target.pointee.time_ns = realtime(ofRow: row)
  }

  // MARK: As samples

  /// One sample, not marked new.
  func sample(row: Int, property: Int) -> Sample {
    guard let content = content(ofPropertyAt: property) else { return carried[property] }
    var sample: Sample
    switch content {
    case .runs(let runs):
      let place = runs.place(of: row)
      sample = runs.block[place]
      if !runs.starts[place].isStamped { stamp(&sample, row) }
    case .numbers(let numbers):
      let value = numbers.value(at: row)?.number
      sample = Sample(value.map { Outcome.ok($0) } ?? absence(row, property))
      sample.sequence = numbers.firstSequence + UInt64(row)
      stamp(&sample, row)
    }
    if isReplayed { sample.flags.insert(.replayed) }
    return sample
  }

  /// How far a property has come at a row, without making the sample.
  func progress(row: Int, property: Int) -> (sequence: UInt64, status: ValueStatus) {
    switch content(ofPropertyAt: property) {
    case .numbers(let numbers):
      let isThere = numbers.value(at: row) != nil
      return (
        numbers.firstSequence + UInt64(row), isThere ? .ok : absence(row, property).status
      )
    case .runs(let runs):
      let place = runs.place(of: row)
      return (runs.block.sequence(at: place), runs.block.status(at: place))
    case nil: return (carried.sequence(at: property), carried.status(at: property))
    }
  }

  /// What a row says that has no number where there should be one.
  private func absence(_ row: Int, _ property: Int) -> Outcome {
    let run = absences[property].flatMap { runs in runs.last { $0.row <= row } }
    return run?.outcome ?? .noData("the sample is not a number")
  }

  private func stamp(_ sample: inout Sample, _ row: Int) {
    sample.time = times[row]
    sample.realtime = realtime(ofRow: row)
    sample.clockOrigin = origin
  }

  // MARK: Joined

  /// A copy that others may be put behind, until it is handed on.
  init(extending other: RowBlock) {
    (times, realtimes, realtimeOffset) = (other.times, other.realtimes, other.realtimeOffset)
    (origin, isReplayed) = (other.origin, other.isReplayed)
    (carried, columns, absences) = (other.carried, other.columns, [:])
  }

  /// Whether the rows of another block go on where these end, so that both may be one block: with
  /// the next sequences, the same texts, and nothing missing.
  func isContinued(by next: RowBlock) -> Bool {
    guard carried === next.carried, origin == next.origin, isReplayed == next.isReplayed,
      absences.isEmpty, next.absences.isEmpty, columns.count == next.columns.count
    else { return false }
    return zip(columns, next.columns).allSatisfy { own, other in
      if own.property != other.property { return false }
      switch (own.content, other.content) {
      case (.numbers(let numbers), .numbers(let more)):
        return numbers.width == more.width && numbers.type == more.type
          && numbers.firstSequence + UInt64(rowCount) == more.firstSequence
      case (.runs(let runs), .runs(let more)):
        return runs === more && runs.starts.count == 1 && !runs.starts[0].isStamped
      default: return false
      }
    }
  }

  /// Puts the rows of a block behind these, which it continues.
  func append(_ next: RowBlock) {
    if realtimeOffset != next.realtimeOffset || !realtimes.isEmpty || !next.realtimes.isEmpty {
      if realtimes.isEmpty { realtimes = times.map { $0 &+ realtimeOffset } }
      for row in 0..<next.rowCount { realtimes.append(next.realtime(ofRow: row)) }
    }
    times += next.times
    for index in columns.indices {
      guard case .numbers(let more) = next.columns[index].content else { continue }
      columns[index].append(more.all)
    }
  }
}

extension RowBlock.Column {
  /// Puts numbers behind those it has, in their place.
  fileprivate mutating func append(_ more: [Double]) {
    guard case .numbers(var numbers) = content else { return }
    // The only reference while it grows.
    content = .numbers(RowBlock.Numbers(noneLike: numbers))
    numbers.all += more
    content = .numbers(numbers)
  }
}

extension RowBlock.Numbers {
  /// No rows of the same kind.
  fileprivate init(noneLike other: RowBlock.Numbers) {
    (all, width, firstSequence, type) = ([], other.width, other.firstSequence, other.type)
  }

  /// Numbers of a property of some type; nil where they cannot be its payloads.
  init?(_ all: [Double], width: Int, from firstSequence: UInt64, as property: PropertyType) {
    switch property {
    case .vector:
      guard (2...4).contains(width) else { return nil }
      type = .vector
    case .bool: type = .bool
    case .int: type = .int
    case .time: type = .time
    default: type = .double
    }
    (self.all, self.width, self.firstSequence) = (all, width, firstSequence)
  }

  /// The payload of a row: whole, or nil where one of its numbers is none.
  func value(at row: Int) -> gkit_value? {
    all.withUnsafeBufferPointer { all -> gkit_value? in
      let first = row * width
      for place in first..<first + width where !all[place].isFinite { return nil }
      var value = gkit_value()
      value.type = type.rawValue
      switch type {
      case .vector:
        value.count = UInt32(width)
        value.as.vector = (
          all[first], all[first + 1], width > 2 ? all[first + 2] : 0, width > 3 ? all[first + 3] : 0
        )
      case .bool: value.as.boolean = all[first] != 0
      case .int, .time: value.as.integer = Int64(exactly: all[first].rounded()) ?? 0
      default: value.as.number = all[first]
      }
      return value
    }
  }
}
