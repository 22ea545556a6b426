import Gathering
import Machine
import SourceKinds
import Testing

private let millisecond: Int64 = 1_000_000

/// Readers that block, on a clock of their own: what they wait for is real.
@Suite struct SlowReaderTests {
  /// A probe that takes so long for a reading, on a loop that runs by itself.
  private func open(delay: Int64) throws -> (device: ProbeDevice, source: Source, diary: Diary) {
    let device = ProbeDevice()
    device.set {
      $0.mayBlock = true
      $0.delay = delay
    }
    let context = try Context.open("local:", catalogue: [Probe(device: device)])
    let source = try context.open("probe")
    return (device, source, Diary(source))
  }

  @Test func `L8 a reading that is late changes nothing before its deadline`() throws {
    let (device, source, _) = try open(delay: 300 * millisecond)
    let before = source.context.now.boot
    try source.updateValuesInPlace(within: 10 * millisecond)
    #expect(source.context.now.boot - before < 290 * millisecond)
    #expect(source.value("other").status == .noData)
    // It comes in later, and is what the next reading begins with.
    try source.updateValuesInPlace(within: 60_000 * millisecond)
    #expect(source.value("other").payload == .int(7))
    #expect(device.get(\.reads) == 2)
  }

  @Test func `L3 T7 a start does not wait for a slow reading; its values follow`() throws {
    let (_, source, diary) = try open(delay: 400 * millisecond)
    try source.startUpdating(every: 60_000 * millisecond)
    let deadline = Monitor<Bool>.moment(after: 60_000 * millisecond)
    var seen: [ValueStatus] = []
    while seen.count < 2 && Monitor<Bool>.moment(after: 0) < deadline {
      seen += diary.updates().map { $0.value("other", of: source).status }
      _ = Monitor(false).wait(until: Monitor<Bool>.moment(after: 5 * millisecond)) {
        $0 ? true : nil
      }
    }
    #expect(seen == [.noData, .ok])
    try source.stopUpdating()
  }

  @Test func `T7 an instance that hangs delays no other`() throws {
    let (_, source, _) = try open(delay: 5_000 * millisecond)
    try source.startUpdating(every: 100 * millisecond)
    let other = try open(delay: 0)
    try other.source.startUpdating(every: millisecond)
    try other.source.updateValuesInPlace()
    #expect(other.source.value("other").payload == .int(7))
    let before = source.context.now.boot
    try source.stopUpdating()
    #expect(source.context.now.boot - before < 4_000 * millisecond)
  }
}
