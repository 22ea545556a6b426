import Gathering

/// The rows of one series in columns: the content of a block of rows.
struct RowTable: Sendable {
  private(set) var rowCount = 0
  private(set) var times = Integers()
  /// The offset of CLOCK_REALTIME from CLOCK_BOOTTIME in each row, in nanoseconds.
  private(set) var offsets = Integers()
  private(set) var columns: [PropertyColumn]
  /// How many rows are expected.
  private var room = 0
  /// The slice whose rows were appended last; nil behind others.
  private var former: RowSlice?

  /// An empty table of `count` properties, with room for the expected rows.
  init(properties count: Int, expecting rows: Int = 0) {
    columns = [PropertyColumn](repeating: PropertyColumn(), count: count)
    room = rows
  }

  /// Appends one sample of each property; the row's time is that of the newest one.
  mutating func append(_ samples: [Sample]) {
    guard samples.count == columns.count, let newest = samples.max(by: { $0.time < $1.time }) else {
      return
    }
    append(time: newest.time, offset: newest.realtime &- newest.time, samples)
  }

  /// Appends a row as it was.
  @inline(never)
  mutating func append(time: Int64, offset: Int64, _ samples: [Sample]) {
    former = nil
    for index in columns.indices {
      columns[index].append(samples[index], row: rowCount, time: time, offset: offset)
    }
    times.append(time)
    offsets.append(offset)
    rowCount += 1
  }

  /// Appends some rows of a stream; the first one is after a loss if the last row before it is
  /// given. Rows of numbers that go on from those before are appended as such, others by samples.
  mutating func append(
    _ slice: RowSlice, rows: Range<Int>, behind lost: [PropertyColumn.Progress]? = nil
  ) {
    guard let first = rows.first, slice.propertyCount == columns.count else { return }
    let (time, offset) = (slice.time(ofRow: first), slice.offset(ofRow: first))
    // What is carried on takes no room.
    let isCarriedOn = lost == nil && (former.map(slice.continues) ?? false)
    for index in isCarriedOn ? slice.changing : Array(columns.indices) {
      if isCarriedOn, let former, slice.repeats(former, ofPropertyAt: index) {
        let last = rows.upperBound - 1
        columns[index].repeatLast(
          inRows: rowCount..<rowCount + rows.count, lastTime: slice.time(ofRow: last),
          offset: slice.offset(ofRow: last))
        continue
      }
      let numbers = slice.numbers(ofPropertyAt: index, rows: rows)
      if lost == nil, let numbers, append(numbers, ofPropertyAt: index, from: rowCount) {
        continue
      }
      var sample = slice.sample(row: first, property: index)
      if let lost { sample.markGap(after: lost.progress(index)) }
      columns[index].append(sample, row: rowCount, time: time, offset: offset)
      if rows.count > 1 { appendRest(of: rows, of: slice, property: index) }
    }
    times.append(time)
    if rows.count > 1 {
      times.append(contentsOf: slice.times[rows.dropFirst()], expecting: room)
    }
    if slice.hasOneOffset {
      offsets.append(from: offset, stride: 0, count: rows.count)
    } else {
      for row in rows { offsets.append(slice.offset(ofRow: row)) }
    }
    rowCount += rows.count
    former = slice
  }

  /// Appends numbers that go on from the last entry; false if they do not.
  private mutating func append(
    _ numbers: RowSlice.Continuation, ofPropertyAt index: Int, from row: Int
  ) -> Bool {
    columns[index].append(numbers, from: row, expecting: room)
  }

  /// Appends the values of one property for all rows after the first.
  private mutating func appendRest(of rows: Range<Int>, of slice: RowSlice, property: Int) {
    let rest = rows.dropFirst()
    if let numbers = slice.numbers(ofPropertyAt: property, rows: rest),
      append(numbers, ofPropertyAt: property, from: rowCount + 1)
    {
      return
    }
    switch slice.layout(ofPropertyAt: property) {
    case .carried: return
    case .runs(let runs):
      return append(runs, ofRows: rows, of: slice, property: property)
    case .separate: break
    }
    for row in rest {
      columns[property].append(
        slice.sample(row: row, property: property), row: rowCount + row - rows.lowerBound,
        time: slice.time(ofRow: row), offset: slice.offset(ofRow: row))
    }
  }

  /// Appends runs: the first row of each as a sample, unless it is the first of all.
  private mutating func append(
    _ runs: [RowSlice.Run], ofRows rows: Range<Int>, of slice: RowSlice, property: Int
  ) {
    let shift = rowCount - rows.lowerBound
    for (place, run) in runs.enumerated() {
      let next = place + 1 < runs.count ? runs[place + 1].row : rows.upperBound
      let held = (min(run.row, next)..<next).clamped(to: rows)
      guard let first = held.first, let last = held.last else { continue }
      if first > rows.lowerBound {
        columns[property].append(
          slice.sample(row: first, property: property), row: first + shift,
          time: slice.time(ofRow: first), offset: slice.offset(ofRow: first))
      }
      guard run.hasRowTimes else { continue }
      columns[property].repeatLast(
        inRows: first + 1 + shift..<last + 1 + shift, lastTime: slice.time(ofRow: last),
        offset: slice.offset(ofRow: last))
    }
  }

  /// One sample, as it was recorded.
  func sample(row: Int, property: Int) -> Sample {
    columns[property].sample(ofRow: row, times: times, offsets: offsets)
  }

  // MARK: The body of a block

  /// The body of a block of these rows.
  func body(ofSeries series: UInt32, scales: inout [Numbers.Scale?]) -> [UInt8] {
    var absences = AbsenceTable()
    var content = ByteWriter()
    for (index, column) in columns.enumerated() {
      column.write(absences: &absences, scale: &scales[index], to: &content)
    }
    var head = ByteWriter()
    head.put32(series)
    head.put32(UInt32(rowCount))
    for span in [boot, realtime] {
      head.put64(span.lowerBound)
      head.put64(span.upperBound)
    }
    head.put(varint: columns.count)
    absences.write(to: &head)
    times.write(to: &head)
    offsets.write(to: &head)
    return head.bytes + content.bytes
  }

  /// The earliest and the latest boot time; there is a row.
  var boot: ClosedRange<Int64> { times.all.span }

  /// The earliest and the latest realtime; there is a row.
  var realtime: ClosedRange<Int64> {
    // One offset for all is the rule; where it wraps around, realtimes are not in that order.
    if let offset = offsets.constant {
      let boot = boot
      let first = boot.lowerBound.addingReportingOverflow(offset)
      let last = boot.upperBound.addingReportingOverflow(offset)
      if !first.overflow, !last.overflow { return first.partialValue...last.partialValue }
    }
    return times.all.enumerated().map { row, time in time &+ offsets[row] }.span
  }

  /// Reads the body of a block that was found by its first bytes.
  init(body: [UInt8], of block: RecordedBlock) throws(Malformed) {
    try self.init(body: body)
    // Where a query or a replay looks for a row is where it is.
    guard boot == block.boot, realtime == block.realtime else {
      throw Malformed("its first bytes tell other times than its rows")
    }
  }

  /// Reads the untrusted body of a block of rows.
  init(body: [UInt8]) throws(Malformed) {
    var reader = ByteReader(body, from: 4)
    rowCount = Int(try reader.get32())
    guard (1...Format.rowLimit).contains(rowCount) else { throw Malformed("it has too many rows") }
    _ = try reader.bytes(Format.rowsHeadSize - 8)
    let columnCount = try reader.count(atMost: reader.remaining)
    let absences = try AbsenceTable(&reader).absences
    times = try Integers(&reader, count: rowCount)
    offsets = try Integers(&reader, count: rowCount)
    columns = []
    for _ in 0..<columnCount {
      columns.append(try PropertyColumn(&reader, rowCount: rowCount, absences: absences))
    }
    if reader.remaining > 0 { throw Malformed("something follows its columns") }
  }
}

extension [Int64] {
  /// From the least to the greatest; 0 of none.
  fileprivate var span: ClosedRange<Int64> {
    guard var (least, greatest) = first.map({ ($0, $0) }) else { return 0...0 }
    withUnsafeBufferPointer { all in
      for number in all {
        least = Swift.min(least, number)
        greatest = Swift.max(greatest, number)
      }
    }
    return least...greatest
  }
}
