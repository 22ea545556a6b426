import Gathering
import Ground
import Testing
import Values

private let millisecond: Int64 = 1_000_000

/// What the columns of a frame hold (C API R9).
@Suite struct FrameTests {
  /// A frame of one polled reading and four rows of a stream.
  private func streamed() throws -> (frame: Frame, source: Source) {
    let probe = try ProbeContext()
    let source = try probe.context.open("probe")
    let reader = try source.reader()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    probe.device.bring(3, from: 0, at: millisecond)
    probe.device.bring(1, from: 3, at: 31 * millisecond)
    return (try #require(try reader.nextFrame()), source)
  }

  @Test func `a row is a reading, with its time and its place in each column`() throws {
    let (frame, source) = try streamed()
    #expect(frame.source == source.number)
    #expect(frame.properties.map(\.key) == source.properties.map(\.key))
    #expect(frame.rowCount == 5)
    #expect(frame.times == [0, 1, 11, 21, 31].map { $0 * millisecond })
    let ahead = frame.realtimes[0] - frame.times[0]
    #expect(zip(frame.realtimes, frame.times).allSatisfy { $0 - $1 == ahead })
    #expect(
      frame.column("field")
        == .numbers([-1, 0, 0, 0, 0.5, -1, 1, 0.5, -1, 2, 0.5, -1, 3, 0.5, -1], width: 3))
    #expect(frame.column("word")?.texts == Array(repeating: "polled", count: 5))
    #expect(frame.column("other") == .integers([7, 7, 7, 7, 7]))
    #expect(frame.column("relative") == .numbers([0, 1, 2, 3, 4], width: 1))
    #expect(frame.sequences(ofPropertyAt: 0) == [1, 2, 3, 4, 5])
    #expect(frame.sequences(ofPropertyAt: 1) == [1, 1, 1, 1, 1])
  }

  @Test func `a row has the samples that an update brings`() throws {
    let (frame, _) = try streamed()
    let rows = (0..<5).map { frame.samples(ofRow: $0) }
    #expect(rows.allSatisfy { $0.count == frame.properties.count })
    #expect(rows.map { $0[0].value.vector?.x } == [-1, 0, 1, 2, 3])
    #expect(rows.map { $0[0].flags.contains(.isNew) } == [true, true, true, true, true])
    #expect(rows.map { $0[1].flags.contains(.isNew) } == [true, false, false, false, false])
  }

  @Test func `deliveries that go on where others end are the rows that listeners get`() throws {
    let probe = try ProbeContext()
    probe.device.set { $0.isPersonal = false }
    let (source, diary) = try probe.open()
    let (frames, samples) = (try source.reader(), try source.reader())
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    var (rows, time) = (0, millisecond)
    for count in [3, 1, 10, 2, 7] {
      probe.device.bring(count, from: rows, at: time)
      try probe.deliver()
      (rows, time) = (rows + count, time + Int64(count) * 10 * millisecond)
      // Some are lost between the others.
      guard count == 10 else { continue }
      var late = SampleBlock(
        times: [time], origin: .kernel, columns: [0: .numbers([99, .nan, 0], width: 3)])
      late.hasGap = true
      probe.device.bring(late)
      try probe.deliver()
      time += 10 * millisecond
    }
    let heard = diary.updates().flatMap(\.rows)
    let frame = try #require(try frames.nextFrame())
    #expect(frame.rowCount == 25 && heard.count == 25)
    #expect((0..<25).map { frame.samples(ofRow: $0) } == heard)
    #expect(frame.times == heard.map { $0[0].time })
    #expect(frame.realtimes == heard.map { $0[0].realtime })
    #expect(frame.sequences(ofPropertyAt: 0) == (1...25).map { UInt64($0) })
    // Taken bit by bit, they are the same.
    var taken: [Sample] = []
    while case let some = try samples.read(7), !some.isEmpty { taken += some.map(\.sample) }
    #expect(taken == heard.flatMap { $0 })
  }

  @Test func `a full reader drops the oldest of deliveries that follow each other`() throws {
    let probe = try ProbeContext()
    probe.device.set { $0.isPersonal = false }
    let (source, _) = try probe.open()
    let width = source.properties.count
    let reader = try source.reader(capacity: 1000 * width)
    try source.startUpdating(every: 10 * millisecond)
    for row in 0..<1500 {
      probe.device.bring(1, from: row, at: Int64(row + 1) * 10 * millisecond)
    }
    let frame = try #require(try reader.nextFrame())
    let first = frame.samples(ofRow: 0)
    #expect(frame.rowCount == 1000 && reader.statistics.dropped == UInt64(501 * width))
    #expect(frame.column("field")?.numbers?.last == -1)
    #expect(first[0].value.vector?.x == 500 && first[0].flags.contains(.gap))
    #expect(frame.samples(ofRow: 999)[0].value.vector?.x == 1499)
    #expect((1..<1000).allSatisfy { !frame.samples(ofRow: $0)[0].flags.contains(.gap) })
  }

  @Test func `a missing number is NaN, another payload false, 0 or nil`() throws {
    let sim = try ScriptedContext(
      ScriptedContext.memory + "\n0 add battery|BAT0\n0 set battery|BAT0/level 0.5")
    for (kind, wanted) in [("memory", ["dirty", "pressure_some_avg10"]), ("battery", ["serial"])] {
      let source = try sim.open(kind)
      let reader = try source.reader()
      try source.startUpdating(every: second)
      try sim.seek(0)
      let frame = try #require(try reader.nextFrame())
      for key in wanted {
        let index = source.index(key)
        #expect(frame.statuses(ofPropertyAt: index).map(\.hasPayload) == [false])
        switch try #require(frame.column(at: index)) {
        case .numbers(let numbers, _): #expect(numbers.count == 1 && numbers[0].isNaN)
        case .integers(let numbers), .times(let numbers): #expect(numbers == [0])
        case .flags(let flags): #expect(flags == [false])
        case .texts(let texts): #expect(texts == [nil])
        case .bytes(let bytes): #expect(bytes == [nil])
        }
      }
      #expect(frame.statuses(ofPropertyAt: 0).count == 1)
    }
  }

  @Test func `every property has a column of its type and as many rows`() throws {
    let sim = try ScriptedContext(ScriptedContext.memory)
    let source = try sim.open("memory")
    let reader = try source.reader()
    try source.startUpdating(every: second)
    try sim.seek(2)
    let frame = try #require(try reader.nextFrame())
    #expect(frame.column("free")?.integers?.count == 3)
    for (index, property) in frame.properties.enumerated() {
      let column = try #require(frame.column(at: index))
      #expect(column == frame.column(property.key) || column.numbers?.contains { $0.isNaN } == true)
      let rows =
        switch column {
        case .flags(let flags): flags.count
        case .integers(let numbers), .times(let numbers): numbers.count
        case .numbers(let numbers, let width): numbers.count / width
        case .texts(let texts): texts.count
        case .bytes(let bytes): bytes.count
        }
      #expect(rows == 3)
      #expect(column.width == property.type.componentCount)
    }
  }

  @Test func `what is not there is nil or empty`() throws {
    let (frame, _) = try streamed()
    #expect(frame.column("nothing") == nil)
    #expect(frame.column(at: -1) == nil && frame.column(at: frame.properties.count) == nil)
    #expect(frame.statuses(ofPropertyAt: 99).isEmpty && frame.sequences(ofPropertyAt: -1).isEmpty)
    #expect(frame.samples(ofRow: 5).isEmpty && frame.samples(ofRow: -1).isEmpty)
    #expect(frame.column("word")?.numbers == nil && frame.column("field")?.integers == nil)
  }
}

extension PropertyType {
  /// How many numbers a row of it has.
  fileprivate var componentCount: Int {
    if case .vector(let components) = self { components.count } else { 1 }
  }
}
