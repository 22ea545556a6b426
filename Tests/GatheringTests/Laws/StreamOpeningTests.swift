import Gathering
import Ground
import Testing
import Values

private let millisecond: Int64 = 1_000_000

/// Streams that are being opened, are refused, or whose device goes and comes back.
@Suite struct StreamOpeningTests {
  @Test func `L3 what a stream is to bring is not read where that takes long`() throws {
    let probe = try ProbeContext()
    probe.device.set { $0.mayBlock = true }
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    let first = try #require(diary.updates().last)
    #expect(first.value("field", of: source).status == .noData)
    #expect(first.value("other", of: source).payload == .int(7))
    probe.device.bring(2, from: 4, at: millisecond)
    try probe.deliver()
    #expect(diary.updates().last?.counts == [4, 5])
    // A reading by hand leaves the stream's values alone, and once it is over it brings them.
    try source.updateValuesInPlace(within: 60_000 * millisecond)
    #expect(source.value("field").payload == .vector(Vector(5, 0.5, -1)))
    try source.stopUpdating()
    try probe.seek(1)
    try source.updateValuesInPlace(within: 60_000 * millisecond)
    #expect(source.value("field").payload == .vector(Vector(-1, 0, 0)))
  }

  @Test func `L3 3.2 what a refused stream does not bring is read at once, and nothing is lost`()
    throws
  {
    let probe = try ProbeContext()
    probe.device.set { state in
      state.mayBlock = true
      state.refusal = .io(errno: 13, place: "dev")
    }
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    #expect(source.availability.detail == "polling only")
    let update = try #require(diary.updates().last)
    #expect(update.value("field", of: source).payload == .vector(Vector(-1, 0, 0)))
    #expect(!update.value("field", of: source).flags.contains(.gap))
    #expect(source.rates.dropped == 0)
  }

  @Test func `V12 a reading before the first samples makes none of them old`() throws {
    let probe = try ProbeContext()
    probe.device.set { $0.mayBlock = true }
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.seek(0.5)
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    try source.updateValuesInPlace(within: 60_000 * millisecond)
    _ = diary.updates()
    probe.device.bring(
      SampleBlock(
        times: [100 * millisecond, 110 * millisecond], origin: .kernel,
        columns: [
          0: .numbers([0, 0, 0, 1, 0, 0], width: 3),
          1: .runs([SampleBlock.Run(from: 0, .ok(.string("streamed")))]),
        ]))
    try probe.deliver()
    #expect(diary.updates().last?.counts == [0, 1])
    #expect(source.value("word").payload == .string("streamed"))
    #expect(source.rates.dropped == 0)
  }

  @Test func `A1 what a stream says of itself holds until it says otherwise or ends`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    _ = diary.words()
    var block = SampleBlock(
      times: [millisecond], origin: .kernel, columns: [0: .numbers([0, 0, 0], width: 3)])
    block.condition = Availability(.searching, backend: "probe", detail: "settling")
    probe.device.bring(block)
    #expect(source.availability.state == .searching)
    #expect(source.availability.detail == "settling")
    #expect(source.isUpdating)
    probe.device.bring(1, from: 0, at: 11 * millisecond)
    #expect(source.availability.state == .available)
    block.times = [21 * millisecond]
    probe.device.bring(block)
    #expect(source.availability.state == .searching)
    try source.stopUpdating()
    #expect(source.availability.state == .available)
    try probe.deliver()
    try source.context.rescan()
    try probe.deliver()
    #expect(diary.words().count { $0.hasPrefix("availability") } == 3)
  }

  @Test func `L10 a stream that breaks because its device went is no failure`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    _ = diary.words()
    // Nothing has told of it yet.
    for _ in 0..<4 {
      probe.device.set { state in
        state.path = nil
        state.refusal = .io(errno: 19, place: "dev")
      }
      probe.device.end(.io(errno: 19, place: "dev"))
      try probe.seek(Double(source.context.now.boot) / 1e9 + 0.1)
      #expect(source.isUpdating)
      #expect(source.availability.state == .disconnected)
      #expect(source.value("field").status == .noData)
      probe.device.set { state in
        state.path = "/one"
        state.refusal = nil
      }
      try source.context.rescan()
      #expect(source.availability.state == .available)
    }
    #expect(!diary.words().contains { $0.hasPrefix("stopped") })
    #expect(probe.device.get(\.opened).count == 5)
  }

  @Test func `H5 a device that is elsewhere at the next look is claimed there`() throws {
    let probe = try ProbeContext()
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    probe.device.set { $0.path = "/two" }
    try source.context.rescan()
    #expect(probe.device.get(\.opened).count == 2)
    #expect(probe.device.get(\.cancelled) == 1)
    _ = diary.updates()
    probe.device.bring(2, from: 0, at: millisecond)
    try probe.deliver()
    #expect(diary.updates().last?.counts == [0, 1])
    #expect(source.isUpdating)
  }

  @Test func `A4 a stream that was refused is tried again when a caller asks`() throws {
    let probe = try ProbeContext()
    let (source, _) = try probe.open()
    probe.device.set { $0.refusal = .io(errno: 13, place: "dev") }
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    #expect(source.availability.detail == "polling only")
    #expect(probe.device.get(\.refusals) == 1)
    try source.updateValuesInPlace(within: 60_000 * millisecond)
    #expect(probe.device.get(\.refusals) == 1)
    // The remedy was followed, and 2 s after the last attempt an update is one.
    probe.device.set { $0.refusal = nil }
    try probe.seek(2)
    #expect(probe.device.get(\.opened).isEmpty)
    try source.updateValuesInPlace(within: 60_000 * millisecond)
    #expect(probe.device.get(\.opened).count == 1)
    try source.stopUpdating()
    probe.device.set { $0.refusal = .io(errno: 13, place: "dev") }
    try source.startUpdating(every: 10 * millisecond)
    try probe.deliver()
    #expect(probe.device.get(\.opened).count == 1)
    probe.device.set { $0.refusal = nil }
    try source.startUpdating(every: 10 * millisecond)
    #expect(probe.device.get(\.opened).count == 2)
    #expect(source.availability.detail != "polling only")
  }

  @Test func `A4 a refusal that may pass is tried again ever less often, another is not`() throws {
    let often = [0, 1, 3, 7, 15]
    for (code, attempts) in [(Int32(2), often), (16, often), (107, often), (104, often), (13, [0])]
    {
      let probe = try ProbeContext()
      let (source, _) = try probe.open()
      probe.device.set { $0.refusal = .io(errno: code, place: "dev") }
      try source.startUpdating(every: 10 * millisecond)
      for second in 0..<20 {
        try probe.seek(Double(second) + 0.5)
        #expect(probe.device.get(\.refusals) == attempts.count { $0 <= second })
      }
      #expect(source.availability.detail == "polling only")
    }
    let probe = try ProbeContext()
    let (source, _) = try probe.open()
    probe.device.set { $0.refusal = .io(errno: 2, place: "dev") }
    try source.startUpdating(every: 10 * millisecond)
    probe.device.set { $0.refusal = nil }
    try probe.seek(1.5)
    #expect(probe.device.get(\.opened) == [10 * millisecond])
    #expect(source.availability.detail == "")
  }

  @Test func `a value that a session saw late is the first it counts from`() throws {
    let probe = try ProbeContext()
    probe.device.set { $0.mayBlock = true }
    let (source, diary) = try probe.open()
    try source.startUpdating(every: 10 * millisecond)
    probe.device.bring(3, from: 9, at: millisecond)
    try probe.deliver()
    let rows = try #require(diary.updates().last).rows
    #expect(rows.map { $0[4].value } == [.double(0), .double(1), .double(2)])
  }
}
