import GatheredKitTesting
import Gathering
import Ground
import Testing
import Values

@testable import SourceKinds

private let millisecond: Int64 = 1_000_000

/// Readers that block, on a clock of their own: what they wait for is real.
@Suite struct SlowReaderTests {
  /// A probe whose readings may be held, on a loop that runs by itself.
  private func open(held: Bool) throws -> (device: ProbeDevice, source: Source, diary: Diary) {
    let device = ProbeDevice()
    device.set {
      $0.mayBlock = true
      $0.isHeld = held
    }
    let context = try Context.open("local:", catalogue: [Probe(device: device)])
    let source = try context.open("probe")
    return (device, source, Diary(source))
  }

  @Test func `L8 a reading that is late changes nothing before its deadline`() throws {
    let (device, source, _) = try open(held: true)
    try source.updateValuesInPlace(within: 10 * millisecond)
    #expect(source.value("other").status == .noData)
    // It comes in later, and is what the next reading begins with.
    device.set { $0.isHeld = false }
    try source.updateValuesInPlace(within: Patience.limit)
    #expect(source.value("other").payload == .int(7))
    #expect(device.get(\.reads) == 2)
  }

  @Test func `L3 T7 a start does not wait for a slow reading; its values follow`() throws {
    let (device, source, diary) = try open(held: true)
    try source.startUpdating(every: Patience.limit)
    // Told before the next, which would take its place (sources L14).
    #expect(statuses(of: source, in: diary) == [.noData])
    device.set { $0.isHeld = false }
    #expect(statuses(of: source, in: diary) == [.ok])
    try source.stopUpdating()
  }

  /// What the next updates say of `other`, once there are any.
  private func statuses(of source: Source, in diary: Diary) -> [ValueStatus] {
    var told: [SourceUpdate] = []
    Patience.wait {
      told = diary.updates()
      return !told.isEmpty
    }
    return told.map { $0.value("other", of: source).status }
  }

  @Test func `T7 an instance that hangs delays no other`() throws {
    let (device, source, _) = try open(held: true)
    try source.startUpdating(every: 100 * millisecond)
    let other = try open(held: false)
    try other.source.startUpdating(every: millisecond)
    try other.source.updateValuesInPlace()
    #expect(other.source.value("other").payload == .int(7))
    try source.stopUpdating()
    // Until now it has been read.
    #expect(device.get(\.reads) == 0)
    device.set { $0.isHeld = false }
  }
}
