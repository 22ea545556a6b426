import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Testing
import Values

/// Readers, of a memory whose free bytes rise by one a second (sources L18, C API R9).
@Suite struct ReaderTests {
  private let sim: ScriptedContext
  private let source: Source
  private let width: Int

  init() throws {
    sim = try ScriptedContext(ScriptedContext.memory)
    source = try sim.open("memory")
    width = source.properties.count
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  @Test func `samples come in the order they were gathered, each once`() throws {
    let reader = try source.reader()
    #expect(try reader.read() == [])
    try source.startUpdating(every: second)
    try sim.seek(2)
    #expect(reader.statistics.queued == 3 * width)
    let first = try reader.read(1)
    #expect(first.map(\.property) == [0])
    #expect(first.map(\.source) == [source.number])
    let rest = try reader.read(within: nil)
    #expect(rest.count == 3 * width - 1)
    #expect(rest.map(\.property) == (1..<3 * width).map { $0 % width })
    let times = (first + rest).filter { $0.property == source.index("free") }.map(\.sample.time)
    #expect(times == [0, second, 2 * second])
    #expect(try reader.read() == [])
    #expect(reader.statistics.queued == 0)
    #expect(reader.statistics.delivered == UInt64(3 * width))
    #expect(reader.statistics.dropped == 0)
  }

  @Test func `the descriptor is readable exactly while samples are queued`() throws {
    let reader = try source.reader()
    #expect(!isReadable(reader.descriptor))
    try source.startUpdating(every: second)
    try sim.seek(1)
    #expect(isReadable(reader.descriptor))
    _ = try reader.read(1)
    #expect(isReadable(reader.descriptor))
    _ = try reader.read()
    #expect(!isReadable(reader.descriptor))
    try sim.seek(2)
    #expect(isReadable(reader.descriptor))
    #expect(try reader.nextFrame()?.rowCount == 1)
    #expect(!isReadable(reader.descriptor))
  }

  @Test(arguments: [Reader.Overflow.dropOldest, .dropNewest])
  func `a full reader drops whole readings at one end and counts them`(
    overflow: Reader.Overflow
  ) throws {
    // Room for two readings and a bit.
    let reader = try source.reader(capacity: 2 * width + 1, overflow: overflow)
    try source.startUpdating(every: second)
    try sim.seek(4)
    let statistics = reader.statistics
    #expect(statistics.queued == 2 * width)
    #expect(statistics.queued + Int(statistics.dropped) == 5 * width)
    let frame = try #require(try reader.nextFrame())
    let kept = overflow == .dropOldest ? [3 * second, 4 * second] : [0, second]
    #expect(frame.times == kept)
    #expect(frame.samples(ofRow: 0)[0].flags.contains(.gap) == (overflow == .dropOldest))
  }

  @Test func `a full reader that blocks keeps what it has, and the newest behind it`() throws {
    let reader = try source.reader(capacity: width + 1, overflow: .block)
    let other = try source.reader()
    try source.startUpdating(every: second)
    for moment in 0...4 { try sim.seek(Double(moment)) }
    #expect(other.statistics.queued == 5 * width)
    #expect(other.statistics.dropped == 0)
    #expect(reader.statistics.queued == width)
    #expect(reader.statistics.dropped == UInt64(3 * width))
    let first = try #require(try reader.nextFrame())
    #expect(first.times == [0])
    #expect(first.samples(ofRow: 0).allSatisfy { !$0.flags.contains(.gap) })
    let last = try #require(try reader.nextFrame())
    #expect(last.times == [4 * second])
    #expect(last.samples(ofRow: 0).allSatisfy { $0.flags.contains(.gap) })
    #expect(last.samples(ofRow: 0)[source.index("free")].flags.contains(.isNew))
    #expect(try reader.nextFrame() == nil)
  }

  @Test(arguments: [Reader.Overflow.dropNewest, .block])
  func `of a reading larger than the reader what fits is read, and is no row`(
    overflow: Reader.Overflow
  ) throws {
    let reader = try source.reader(capacity: 10, overflow: overflow)
    try source.startUpdating(every: second)
    try sim.seek(0)
    #expect(reader.statistics.queued == 10)
    #expect(reader.statistics.dropped == UInt64(width - 10))
    #expect(try reader.nextFrame() == nil)
    #expect(try reader.read().count == 10)
    try sim.seek(1)
    let next = try reader.read()
    #expect(next.count == 10)
    #expect(next.allSatisfy { $0.sample.flags.contains(.gap) })
  }

  @Test func `several sources share a reader; a frame is of one`() throws {
    let other = try sim.open("memory")
    let reader = try source.reader()
    #expect(try reader.add(other))
    #expect(try !reader.add(source))
    #expect(reader.sources.map(\.number) == [source.number, other.number])
    try other.startUpdating(every: second)
    try source.startUpdating(every: second)
    try sim.seek(1)
    let oldest = try #require(try reader.nextFrame())
    #expect(oldest.source == other.number)
    #expect(oldest.rowCount == 2)
    #expect(try reader.nextFrame(of: other) == nil)
    #expect(try reader.nextFrame(of: source)?.rowCount == 2)
    #expect(reader.statistics.queued == 0)
  }

  @Test func `a wait ends with the first sample, or with nothing when the time is up`() throws {
    let reader = try source.reader()
    #expect(try reader.read(within: 1_000_000) == [])
    #expect(try reader.nextFrame(within: 1_000_000) == nil)
    try source.startUpdating(every: second)
    _ = try reader.read()
    let thread = try WorkerThread(named: "clock") { [sim] in try? sim.seek(1) }
    defer { thread.join() }
    #expect(try !reader.read(within: Patience.limit).isEmpty)
  }

  @Test(arguments: [true, false])
  func `a close ends a wait`(ofContext: Bool) throws {
    let reader = try source.reader()
    let failure = Lock<SourceError?>(nil)
    let thread = try WorkerThread(named: "waiting") {
      do throws(SourceError) {
        _ = try reader.read(within: nil)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if ofContext { try sim.context.close() } else { reader.close() }
    thread.join()
    #expect(failure.withLock { $0 } == .closed)
    #expect(throws: SourceError.closed) { try reader.read() }
    #expect(throws: SourceError.closed) { try reader.nextFrame() }
    #expect(throws: SourceError.closed) { try reader.add(source) }
  }

  @Test func `a reader keeps its sources until it is closed`() throws {
    var kept: Source? = try sim.open("memory")
    weak var session: Source?
    session = kept
    let reader = try kept?.reader()
    try kept?.startUpdating(every: second)
    kept = nil
    #expect(session != nil)
    try sim.seek(1)
    #expect(try reader?.read().count == 2 * width)
    reader?.close()
    #expect(session == nil)
  }

  @Test func `what cannot be is refused`() throws {
    let other = try ScriptedContext(ScriptedContext.memory)
    let foreign = try other.open("memory")
    let reader = try source.reader()
    #expect(throws: SourceError.invalidArgument("reader and source belong to different contexts")) {
      try reader.add(foreign)
    }
    #expect(throws: SourceError.invalidArgument("the source is not in the reader")) {
      try reader.nextFrame(of: try sim.open("memory"))
    }
    #expect(throws: SourceError.invalidArgument("the capacity must be greater than 0")) {
      try source.reader(capacity: 0)
    }
    #expect(throws: SourceError.limit("the capacity is above \(Reader.capacityLimit)")) {
      try source.reader(capacity: Reader.capacityLimit + 1)
    }
    try other.context.close()
    #expect(throws: SourceError.closed) { try foreign.reader() }
  }
}
