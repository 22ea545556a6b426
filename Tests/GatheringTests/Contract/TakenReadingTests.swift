import Ground
import Machine
import Synchronization
import Testing
import Values

@testable import Gathering

/// What a reading leaves as it was needs no more than a new time.
@Suite struct TakenReadingTests {
  private let reader = WrittenReader()
  private let producer = ProducerState(
    number: 1, kindIndex: 0, kind: Written(),
    instance: Instance("w", availability: Availability(.available)), isRemote: false)
  private let clock = SteppedClock()

  init() throws {
    let reader = reader
    try producer.box.claim { () throws(SourceError) -> sending any InstanceReader in reader }
  }

  /// Takes a reading at a moment.
  private func read(
    at moment: Int64, _ scope: ReadRequest.Scope = .changing,
    _ write: @escaping @Sendable (inout Reading) -> Void
  ) {
    clock.time.store(moment, ordering: .relaxed)
    reader.write.withLock { $0 = write }
    let request = ReadRequest(scope: scope, allow: .none)
    let isRead = producer.box.read(request, clock: clock) {
      producer.takeOver($0, scope: scope, allowance: .none)
    }
    #expect(isRead)
  }

  private var sequences: [UInt64] { producer.newest.samples.map(\.sequence) }
  private var times: [Int64] { producer.newest.samples.map(\.time) }

  @Test func `V8 V11 what is not written again is dated, and news only where all readings are`() {
    read(at: 10, .everything) { reading in
      for index in 0..<4 { reading.set(index, to: Int64(1)) }
    }
    read(at: 20) { $0.set(1, to: Int64(1)) }
    #expect(sequences == [1, 1, 2, 1])
    #expect(times == [10, 20, 20, 20])
    read(at: 30) { $0.set(1, to: Int64(2)) }
    #expect(sequences == [1, 2, 3, 1])
    read(at: 40) { $0[3] = .noData("away") }
    read(at: 50) { _ in }
    #expect(sequences == [1, 2, 5, 2])
    #expect(times == [10, 50, 50, 50])
    #expect(producer.newest[3].absence?.reason == "away")
    #expect(producer.refused == 0)
  }

  @Test func `what is constant is taken over by the whole reading after its change`() {
    read(at: 10, .everything) { $0.set(0, to: Int64(1)) }
    read(at: 20) { $0.set(0, to: Int64(2)) }
    #expect(producer.newest[0].value == .int(1))
    read(at: 30, .everything) { _ in }
    #expect(producer.newest[0].value == .int(2))
    #expect(times[0] == 30)
  }

  @Test func `what something else has written is taken over anew`() {
    read(at: 10) { reading in
      for index in 1..<4 { reading.set(index, to: Int64(1)) }
    }
    producer.takeAbsence(.noData("gone"), allowance: .none, at: Instant(boot: 20, realtime: 20))
    read(at: 30) { _ in }
    #expect(producer.newest[1].value == .int(1))
    #expect(sequences[1] == 3)
  }

  @Test func `a time of its own stays`() {
    read(at: 10) { reading in
      reading.set(1, to: Int64(1))
      reading[1].stamp = 5
    }
    read(at: 20) { _ in }
    #expect(times[1] == 5)
    #expect(sequences[1] == 1)
  }

  @Test func `V12 a reading before the last is refused`() {
    read(at: 20) { $0.set(1, to: Int64(1)) }
    read(at: 10) { _ in }
    #expect(times[1] == 20)
    #expect(producer.refused > 0)
  }

  @Test func `V9 news since the reading before is known, since another it is not`() {
    read(at: 10) { $0.set(1, to: Int64(1)) }
    read(at: 20) { $0.set(2, to: Int64(1)) }
    read(at: 30) { _ in }
    #expect(producer.taken.number == 3)
    #expect(producer.taken.news(since: 2) == 0b100)
    #expect(producer.taken.news(since: 1) == nil)
    producer.forgetBasis()
    read(at: 40) { _ in }
    #expect(producer.taken.news(since: 3) == nil)
  }
}

private struct Written: SourceKind {
  let kind = "written"
  let name = "Written"
  let properties = [
    Property("constant", .int, unit: "1", .static), Property("number", .int, unit: "1", .onChange),
    Property("count", .int, unit: "1", .continuous), Property("other", .int, unit: "1", .onChange),
  ]
  let intervals = Intervals(seconds: 1, minimum: 0.001)

  func discover(on machine: Machine) -> Discovery {
    Discovery([], orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { nil }
}

/// Writes what it is told to.
private final class WrittenReader: InstanceReader, Sendable {
  let write = Monitor<@Sendable (inout Reading) -> Void>({ _ in })

  func read(_ request: ReadRequest, into reading: inout Reading) {
    write.withLock { $0 }(&reading)
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}

private final class SteppedClock: TimeSource {
  let time = Atomic<Int64>(0)
  var now: Instant {
    let time = time.load(ordering: .relaxed)
    return Instant(boot: time, realtime: time)
  }
}
