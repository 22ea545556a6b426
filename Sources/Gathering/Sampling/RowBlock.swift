import Ground

/// Rows of one instance as its stream brought them, with all that turns a row into samples.
///
/// Numbers stay in their columns until somebody asks for a sample; nothing is copied for a session
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
      let run = runs.last { $0.row <= row } ?? runs[0]
      var sample = run.sample
      if !run.isStamped { stamp(&sample, row) }
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
    if case .numbers(let numbers, let width, let firstSequence, _) = columns[property] {
      let isThere = numbers[row * width..<(row + 1) * width].allSatisfy(\.isFinite)
      return (firstSequence + UInt64(row), isThere ? .ok : absence(row, property).status)
    }
    let sample = sample(row: row, property: property)
    return (sample.sequence, sample.status)
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

extension ProducerState {
  /// Takes a stream's rows over: its newest values are then those of the last row.
  ///
  /// Rows dated before their predecessor are dropped and counted (sources V12). Nil if none is
  /// left.
  func takeOver(_ block: SampleBlock, realtimeOffset: Int64) -> RowBlock? {
    let block = refusingThePast(block)
    guard block.rowCount > 0 else { return nil }
    let offset = block.realtimeOffset ?? realtimeOffset
    let columns = properties.indices.map { index -> RowBlock.Column in
      guard let column = block.columns[index] else { return .constant(samples[index]) }
      return place(
        column, ofPropertyAt: index, rowCount: block.rowCount, realtimeOffset: offset)
    }
    let rows = RowBlock(block, realtimeOffset: offset, columns: columns)
    let last = rows.rowCount - 1
    for index in block.columns.keys where samples.indices.contains(index) {
      samples[index] = rows.sample(row: last, property: index)
    }
    streamed = Set(block.columns.keys)
    readings += 1
    failure = nil
    return rows
  }

  private func place(
    _ column: SampleBlock.Column, ofPropertyAt index: Int, rowCount: Int, realtimeOffset: Int64
  ) -> RowBlock.Column {
    switch column {
    case .numbers(let numbers, let width):
      guard width > 0, numbers.count == width * rowCount else { return .constant(samples[index]) }
      let first = samples[index].sequence + 1
      // What is no number is absent, whichever way it is none (sources V6).
      let isClean = numbers.allSatisfy(\.isFinite)
      let clean = isClean ? numbers : numbers.map { $0.isFinite ? $0 : .nan }
      return .numbers(clean, width: width, firstSequence: first, type: properties[index].type)
    case .runs(let runs):
      var sample = samples[index]
      var placed: [(row: Int, sample: Sample, isStamped: Bool)] = []
      for run in runs {
        // Only what was stamped is a reading of its own.
        let stamp = run.outcome.stamp
        let realtime = stamp.map { $0 &+ realtimeOffset } ?? sample.realtime
        let instant = Instant(boot: stamp ?? sample.time, realtime: realtime)
        let mode = stamp == nil ? .onChange : properties[index].mode
        _ = sample.take(run.outcome, mode: mode, at: instant)
        placed.append((run.row, sample, stamp != nil))
      }
      return placed.isEmpty ? .constant(sample) : .runs(placed)
    }
  }

  /// The block without rows dated before the newest number of the stream. What comes in runs says
  /// how values are got, and may have been read by other means meanwhile.
  ///
  /// Nor does it have rows of the moment of a reading: they say again what that said (sources I6).
  private func refusingThePast(_ block: SampleBlock) -> SampleBlock {
    var newest = Int64.min
    var lastReading: Int64?
    for (index, column) in block.columns {
      guard case .numbers = column, samples.indices.contains(index) else { continue }
      newest = max(newest, samples[index].time)
      if !streamed.contains(index) {
        lastReading = max(lastReading ?? .min, samples[index].time)
      }
    }
    let late = block.times.prefix { $0 < newest }.count
    let isRepeat: (Int64) -> Bool = { $0 == newest && $0 == lastReading }
    let repeated = block.times[late...].prefix(while: isRepeat).count
    refused += UInt64(late)
    return late + repeated > 0
      ? block.dropping(late + repeated, hasGap: block.hasGap || late > 0) : block
  }
}

extension SampleBlock {
  /// The block without its first rows.
  fileprivate func dropping(_ late: Int, hasGap: Bool) -> SampleBlock {
    var rest = self
    rest.times.removeFirst(late)
    rest.columns = [:]
    rest.hasGap = hasGap
    for (index, column) in columns {
      switch column {
      case .numbers(let numbers, let width):
        rest.columns[index] = .numbers(Array(numbers.dropFirst(late * width)), width: width)
      case .runs(let runs):
        rest.columns[index] = .runs(runs.dropping(late))
      }
    }
    rest.absences = absences.mapValues { $0.dropping(late) }
    return rest
  }
}
