import CLinux
import Gathering
import Values

/// All samples of one property in one block: only rows that bring something have an entry.
///
/// A row without one carries the sample of the row before, neither new nor behind a gap.
struct PropertyColumn: Sendable {
  /// Successive entries of one manner.
  struct Run: Sendable {
    var manner: EntryManner
    /// The first entry, and the first payload.
    var start: Int
    var payloadStart: Int
  }

  /// The rows that have an entry; row 0 has.
  var rows = Integers()
  var sequences = Integers()
  /// The entries whose times differ from those of their row, with the differences: in boot time,
  /// and in the offset of realtime.
  var strays = Integers()
  var strayTimes = Integers()
  var strayOffsets = Integers()
  var runs: [Run] = []
  var payloads = PayloadColumn.none
  /// The sample of the last entry, where rows may carry it.
  private var last: Sample?

  var count: Int { rows.count }

  mutating func append(_ sample: Sample, row: Int, time: Int64, offset: Int64) {
    if let last, sample.isCarried(from: last) { return }
    var carried = sample
    carried.flags.remove([.isNew, .gap])
    last = carried
    if sample.time != time || sample.realtime &- sample.time != offset {
      strays.append(Int64(count))
      strayTimes.append(sample.time &- time)
      strayOffsets.append(sample.realtime &- sample.time &- offset)
    }
    let hasPayload = sample.value.type != .none
    note(
      EntryManner(
        status: sample.status, flags: sample.flags, origin: sample.clockOrigin,
        hasPayload: hasPayload, absence: sample.absence))
    rows.append(Int64(row))
    sequences.append(Int64(bitPattern: sample.sequence))
    if hasPayload { payloads.append(sample.value) }
  }

  /// Appends rows of numbers that are all new and there, each with the next sequence; false if they
  /// do not go on from the last entry, or one is not finite.
  mutating func append(
    _ new: RowSlice.Continuation, from row: Int, expecting room: Int
  ) -> Bool {
    guard let run = runs.last, run.manner.hasPayload, count > 0, run.manner.status == .ok,
      run.manner.absence == nil, run.manner.origin == new.origin,
      run.manner.flags.subtracting([.isNew, .gap]) == (new.isReplayed ? .replayed : []),
      sequences[sequences.count - 1] &+ 1 == Int64(bitPattern: new.sequence),
      new.numbers.areFinite,
      payloads.append(new.numbers, width: new.width, expecting: room)
    else { return false }
    let more = new.numbers.count / new.width
    var manner = run.manner
    manner.flags.remove(.gap)
    manner.flags.insert(.isNew)
    note(manner, payloadStart: payloads.count - more)
    rows.append(from: Int64(row), stride: 1, count: more)
    sequences.append(from: Int64(bitPattern: new.sequence), stride: 1, count: more)
    last = nil
    return true
  }

  /// Appends rows that repeat the last entry, each with its own time.
  mutating func repeatLast(inRows more: Range<Int>, lastTime: Int64, offset: Int64) {
    guard !more.isEmpty, var manner = runs.last?.manner else { return }
    manner.flags.remove([.isNew, .gap])
    note(manner)
    rows.append(from: Int64(more.lowerBound), stride: 1, count: more.count)
    sequences.append(from: sequences[sequences.count - 1], stride: 0, count: more.count)
    if manner.hasPayload { payloads.repeatLast(more.count) }
    last?.time = lastTime
    last?.realtime = lastTime &+ offset
  }

  /// Begins a run unless the attributes are those of the present one.
  private mutating func note(_ manner: EntryManner, payloadStart: Int? = nil) {
    if let last = runs.last?.manner, last.isSame(as: manner) { return }
    runs.append(
      Run(manner: manner, start: count, payloadStart: payloadStart ?? payloads.count))
  }

  // MARK: Looking

  /// The sample of a row, given the block's times and how far realtime is ahead of them.
  func sample(ofRow row: Int, times: Integers, offsets: Integers) -> Sample {
    let entry = rows.lastIndex(notAbove: Int64(row))
    let own = Int(rows[entry])
    let run = runs[run(ofEntry: entry)]
    let manner = run.manner
    var (time, offset) = (times[own], offsets[own])
    if strays.count > 0 {
      let stray = strays.lastIndex(notAbove: Int64(entry))
      if stray >= 0, strays[stray] == Int64(entry) {
        time &+= strayTimes[stray]
        offset &+= strayOffsets[stray]
      }
    }
    let value = manner.hasPayload ? payloads[run.payloadStart + entry - run.start] : .none
    var sample = Sample(
      value, status: manner.status, flags: manner.flags, time: time, realtime: time &+ offset,
      sequence: UInt64(bitPattern: sequences[entry]), absence: manner.absence)
    sample.clockOrigin = manner.origin
    if own < row { sample.flags.remove([.isNew, .gap]) }
    return sample
  }

  /// How far the property is in the last row; there is one.
  var progress: Progress {
    let sequence = UInt64(bitPattern: sequences.last ?? 0)
    return Progress(sequence: sequence, status: runs.last?.manner.status ?? .noData)
  }

  /// How far a property is, by which its next sample is new or not.
  struct Progress: Sendable {
    let sequence: UInt64
    let status: ValueStatus
  }

  /// The place of the run that an entry is of.
  func run(ofEntry entry: Int) -> Int { runs.partition { $0.start <= entry } - 1 }

  // MARK: Ranges of rows

  /// The entries that some rows show: the first may stand before them.
  func entries(ofRows shown: Range<Int>) -> Range<Int> {
    let first = rows.lastIndex(notAbove: Int64(shown.lowerBound))
    return first..<rows.lastIndex(notAbove: Int64(shown.upperBound - 1)) + 1
  }

  /// The first entry, the place of the first payload and the clock of some rows, if each row has a
  /// payload of its own that is ok and has the row's time; nil otherwise.
  func own(inRows shown: Range<Int>) -> (entry: Int, payload: Int, origin: ClockOrigin)? {
    let entries = entries(ofRows: shown)
    guard entries.count == shown.count, rows[entries.lowerBound] == Int64(shown.lowerBound),
      !hasStrays(in: entries)
    else { return nil }
    let first = run(ofEntry: entries.lowerBound)
    let origin = runs[first].manner.origin
    let isPlain = runs[first...].prefix { $0.start < entries.upperBound }.allSatisfy {
      $0.manner.isPlain && $0.manner.origin == origin
    }
    guard isPlain else { return nil }
    let payload = runs[first].payloadStart + entries.lowerBound - runs[first].start
    return (entries.lowerBound, payload, origin)
  }

  /// The sequence of an entry.
  func sequence(ofEntry entry: Int) -> UInt64 { UInt64(bitPattern: sequences[entry]) }

  /// Whether each of some entries has the sequence behind that of the entry before.
  func counts(inEntries entries: Range<Int>) -> Bool {
    if sequences.isEven {
      return entries.count < 2 || sequences[1] &- sequences[0] == 1
    }
    return entries.dropFirst().allSatisfy { sequences[$0] &- sequences[$0 - 1] == 1 }
  }

  /// The rows with a gap before them.
  var gaps: [Int] {
    runs.indices.filter { runs[$0].manner.flags.contains(.gap) }.flatMap { place in
      let end = place + 1 < runs.count ? runs[place + 1].start : count
      return (runs[place].start..<end).map { Int(rows[$0]) }
    }
  }

  private func hasStrays(in entries: Range<Int>) -> Bool {
    guard strays.count > 0 else { return false }
    let before = strays.lastIndex(notAbove: Int64(entries.lowerBound - 1))
    return strays.lastIndex(notAbove: Int64(entries.upperBound - 1)) > before
  }
}

extension PropertyColumn {
  func write(
    absences: inout AbsenceTable, scale: inout Numbers.Scale?, to out: inout ByteWriter
  ) {
    out.put(varint: count)
    rows.write(to: &out)
    sequences.write(to: &out)
    out.put(varint: strays.count)
    if strays.count > 0 {
      for column in [strays, strayTimes, strayOffsets] { column.write(to: &out) }
    }
    out.put(varint: runs.count)
    for (place, run) in runs.enumerated() {
      let end = place + 1 < runs.count ? runs[place + 1].start : count
      out.put(varint: end - run.start)
      run.manner.write(absences: &absences, to: &out)
    }
    payloads.write(scale: &scale, to: &out)
  }

  /// Reads a column of a block with this number of rows.
  init(
    _ reader: inout ByteReader, rowCount: Int, absences: [Absence]
  ) throws(Malformed) {
    let count = try reader.count(atMost: rowCount)
    rows = try Integers(&reader, count: count)
    guard count > 0, rows[0] == 0, rows.areIndices(below: rowCount) else {
      throw Malformed("a property is not in all rows")
    }
    sequences = try Integers(&reader, count: count)
    let strayCount = try reader.count(atMost: count)
    if strayCount > 0 {
      strays = try Integers(&reader, count: strayCount)
      strayTimes = try Integers(&reader, count: strayCount)
      strayOffsets = try Integers(&reader, count: strayCount)
      guard strays.areIndices(below: count) else { throw Malformed("a time has no row") }
    }
    let payloadCount = try readRuns(&reader, absences: absences)
    payloads = try PayloadColumn(&reader, count: payloadCount)
  }

  /// Reads the runs; how many payloads they have.
  private mutating func readRuns(
    _ reader: inout ByteReader, absences: [Absence]
  ) throws(Malformed) -> Int {
    var (start, payloadStart) = (0, 0)
    for _ in 0..<(try reader.count(atMost: count)) {
      let length = try reader.count(atMost: count - start)
      let manner = try EntryManner(&reader, absences: absences)
      guard length > 0 else { throw Malformed("a status is unknown") }
      runs.append(Run(manner: manner, start: start, payloadStart: payloadStart))
      start += length
      if manner.hasPayload { payloadStart += length }
    }
    guard start == count else { throw Malformed("a status is missing") }
    return payloadStart
  }
}

extension ArraySlice<Double> {
  /// Whether none is infinite or no number.
  var areFinite: Bool {
    withUnsafeBufferPointer { numbers in
      numbers.baseAddress.map { clinux_are_finite($0, numbers.count) } ?? true
    }
  }
}

extension Sample {
  /// Whether a row that repeats `last` is this sample; `last` is neither new nor after a gap.
  fileprivate func isCarried(from last: Sample) -> Bool {
    guard sequence == last.sequence, time == last.time, realtime == last.realtime,
      status == last.status, flags == last.flags, clockOrigin == last.clockOrigin
    else { return false }
    let isSameAbsence =
      absence.map { own in last.absence.map(own.isIdentical) ?? false } ?? (last.absence == nil)
    return isSameAbsence && value.isIdentical(to: last.value)
  }
}

extension [PropertyColumn.Run] {
  /// The number of elements before the first one that fails the condition.
  fileprivate func partition(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
