import Ground
import Values

/// Rows of one instance as its stream brought them, with all that turns a row into samples.
///
/// Numbers stay in their columns until a caller asks for a sample; nothing is copied for a session
/// that takes every row.
final class RowBlock: Sendable {
  /// One property's part of the rows.
  enum Column: Sendable {
    /// `width` numbers a row; the first row's sequence.
    case numbers([Double], width: Int, firstSequence: UInt64, type: PropertyType)
    /// Samples that hold from a row on, in the order of rows; their times are the rows' unless
    /// they were stamped.
    case runs([(row: Int, sample: Sample, isStamped: Bool)])
    /// Nothing new: the sample holds for every row, time included.
    case constant(Sample)
  }

  let times: [Int64]
  let origin: ClockOrigin
  /// What CLOCK_REALTIME is ahead of CLOCK_BOOTTIME.
  let realtimeOffset: Int64
  /// Whether the rows come from a recording.
  let isReplayed: Bool
  /// One a property, in catalogue order.
  let columns: [Column]
  /// Why rows have no number where they have none, by property.
  private let absences: [Int: [SampleBlock.Run]]

  /// The rows of a block, whose columns have been placed.
  init(_ block: SampleBlock, realtimeOffset: Int64, columns: [Column]) {
    times = block.times
    origin = block.origin
    isReplayed = block.isReplayed
    self.realtimeOffset = realtimeOffset
    self.columns = columns
    absences = block.absences
  }

  var rowCount: Int { times.count }

  /// All samples of a row, none of them marked new.
  func samples(ofRow row: Int) -> [Sample] {
    columns.indices.map { sample(row: row, property: $0) }
  }

  /// One sample, not marked new.
  func sample(row: Int, property: Int) -> Sample {
    switch columns[property] {
    case .constant(let sample):
      return sample
    case .runs(let runs):
      let place = Self.place(of: row, in: runs)
      var sample = runs[place].sample
      if !runs[place].isStamped { stamp(&sample, row) }
      if isReplayed { sample.flags.insert(.replayed) }
      return sample
    case .numbers(let numbers, let width, let firstSequence, let type):
      let outcome = Outcome(of: numbers, from: row * width, width: width, type: type)
      var sample = Sample(outcome ?? absence(row, property))
      sample.sequence = firstSequence + UInt64(row)
      stamp(&sample, row)
      return sample
    }
  }

  /// How far a property has come at a row, without making the sample.
  func progress(row: Int, property: Int) -> (sequence: UInt64, status: ValueStatus) {
    switch columns[property] {
    case .numbers(let numbers, let width, let firstSequence, _):
      let isThere = numbers[row * width..<(row + 1) * width].allSatisfy(\.isFinite)
      return (firstSequence + UInt64(row), isThere ? .ok : absence(row, property).status)
    case .runs(let runs):
      let place = Self.place(of: row, in: runs)
      return (runs[place].sample.sequence, runs[place].sample.status)
    case .constant(let sample): return (sample.sequence, sample.status)
    }
  }

  /// The place of the run that holds in a row, found without a copy of its sample.
  private static func place(
    of row: Int, in runs: [(row: Int, sample: Sample, isStamped: Bool)]
  ) -> Int {
    var (place, end) = (0, runs.count)
    while end - place > 1 {
      let middle = (place + end) / 2
      if runs[middle].row <= row { place = middle } else { end = middle }
    }
    return place
  }

  /// What a row says that has no number where there should be one.
  private func absence(_ row: Int, _ property: Int) -> Outcome {
    let run = absences[property].flatMap { runs in runs.last { $0.row <= row } }
    return run?.outcome ?? .noData("the sample is not a number")
  }

  private func stamp(_ sample: inout Sample, _ row: Int) {
    sample.time = times[row]
    sample.realtime = times[row] &+ realtimeOffset
    sample.clockOrigin = origin
    if isReplayed { sample.flags.insert(.replayed) }
  }
}

extension Outcome {
  /// The payload a row of numbers is: whole, or nil where one of them is no number.
  fileprivate init?(of numbers: [Double], from start: Int, width: Int, type: PropertyType) {
    let row = numbers[start..<start + width]
    guard row.allSatisfy(\.isFinite) else { return nil }
    switch type {
    case .vector: self = Vector(row).map { .ok(.vector($0)) } ?? .failed("no vector")
    case .bool: self = .ok(.bool(row[start] != 0))
    case .int: self = .ok(.int(Int64(exactly: row[start].rounded()) ?? 0))
    case .time: self = .ok(.time(Int64(exactly: row[start].rounded()) ?? 0))
    default: self = .ok(.double(row[start]))
    }
  }
}
