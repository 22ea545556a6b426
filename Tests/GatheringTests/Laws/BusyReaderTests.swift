import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

/// What happens while an instance that may block is read.
@Suite struct BusyReaderTests {
  @Test func `I7 an event during a reading has a reading after it`() throws {
    let bus = FixtureBus()
    let fixture = try FixtureMachine(bus: bus)
    let gate = Gate()
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: [GatedKind(gate: gate)])
    let source = try context.open("gated")
    gate.state.withLock { $0.isOpen = false }
    try source.startUpdating(every: 3_600_000_000_000)
    #expect(Patience.wait { gate.state.withLock { $0.entered } == 1 })
    gate.state.withLock { $0.number = 2 }
    bus.run(GatedKind.service.name, [:])
    // Now the event has come, and finds the first reading under way.
    try context.seek(to: context.now.boot + 200_000_000)
    #expect(gate.state.withLock { $0.entered } == 1)
    gate.open()
    let isSeen = Patience.wait {
      try? context.seek(to: context.now.boot + 200_000_000)
      return source.allValues[0].payload == .int(2)
    }
    #expect(isSeen)
    #expect(gate.state.withLock { $0.entered } == 2)
    try context.close()
  }
}

/// A door that readings pass only while it is open.
private final class Gate: Sendable {
  let state = Monitor((isOpen: true, number: Int64(1), entered: 0))

  func open() {
    state.withLock { $0.isOpen = true }
    state.signalAll()
  }

  /// The number of the moment of entering.
  func pass() -> Int64 {
    let number = state.withLock { state in
      state.entered += 1
      return state.number
    }
    _ = state.wait { $0.isOpen ? true : nil }
    return number
  }
}

private struct GatedKind: SourceKind {
  static let service = BusService(
    "org.example.Gate", objects: .managed(root: "/"), unit: "gate.service", package: "gate")

  let kind = "gated"
  let name = "Gated"
  let properties = [Property("number", .int, unit: "1", .onChange)]
  let intervals = Intervals(seconds: 1, minimum: 0.001, eventDriven: true)
  let topics: [ChangeTopic] = [.bus(Self.service)]
  let gate: Gate

  func discover(on machine: Machine) -> Discovery {
    Discovery(
      [Instance("g", availability: Availability(.available))], orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    GatedReader(gate)
  }
}

private final class GatedReader: InstanceReader {
  private let gate: Gate
  let mayBlock = true

  init(_ gate: Gate) { self.gate = gate }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    reading[0] = .ok(.int(gate.pass()))
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}
