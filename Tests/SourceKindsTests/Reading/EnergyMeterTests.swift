import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// Counters of energy as sessions see them (catalogue G5).
@Suite struct EnergyMeterTests {
  private static let zone = "/sys/class/powercap/intel-rapl:0/"
  private static let second: Int64 = 1_000_000_000

  private let fixture: FixtureMachine
  private let context: Context

  init() throws {
    fixture = try FixtureMachine([
      Self.zone + "name": "package-0\n", Self.zone + "energy_uj": "1000000\n",
      Self.zone + "max_energy_range_uj": "65000000000\n",
    ])
    context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
  }

  private func sample(_ source: Source, _ key: String) throws -> Sample {
    source.allValues[try #require(source.properties.firstIndex { $0.key == key })]
  }

  /// At a second the counter says so many joules.
  private func say(_ joules: Int64, at second: Int64) throws {
    fixture.loop.advance(to: second * Self.second)
    try fixture.write("\(joules * 1_000_000)\n", to: Self.zone + "energy_uj")
  }

  @Test(arguments: ["package-0", "aggregate"])
  func `a counter that wraps between two updates loses nothing`(name: String) throws {
    defer { try? context.close() }
    let source = try context.open("power|\(name)")
    try source.startUpdating(every: 200 * Self.second)
    // 60 kJ in half a minute, again and again: five wraps before the next update.
    for step in 0..<6 {
      try say(60_000 - 5_000 * Int64(step), at: 30 * Int64(step + 1))
    }
    try say(35_001, at: 195)
    fixture.loop.advance(to: 201 * Self.second)
    #expect(try sample(source, "energy").payload == .double(35_001 + 5 * 65_000))
    #expect(try sample(source, "power").payload == .double(1_800))
    #expect(source.updateInterval == 200 * Self.second)
  }

  @Test func `without a range a counter that fell starts again`() throws {
    defer { try? context.close() }
    try fixture.remove(Self.zone + "max_energy_range_uj")
    let source = try context.open("power|package-0")
    try source.startUpdating(every: Self.second)
    try say(5, at: 1)
    fixture.loop.advance(to: 2 * Self.second)
    #expect(try sample(source, "power").payload == .double(4))
    try say(2, at: 2)
    fixture.loop.advance(to: 3 * Self.second)
    #expect(try sample(source, "energy").payload == .double(5))
    #expect(try sample(source, "power").absence?.reason == "needs two readings")
    try say(3, at: 3)
    fixture.loop.advance(to: 4 * Self.second)
    #expect(try sample(source, "energy").payload == .double(6))
    #expect(try sample(source, "power").payload == .double(1))
  }

  @Test func `a machine that slept begins anew, after a gap`() throws {
    defer { try? context.close() }
    let source = try context.open("power|package-0")
    try source.startUpdating(every: Self.second)
    try say(9, at: 1)
    fixture.loop.advance(to: 2 * Self.second)
    #expect(try !sample(source, "energy").flags.contains(.gap))
    try #require(fixture.loop.clock as? VirtualTime).noteSleep(of: 3600 * Self.second)
    try say(2, at: 2)
    fixture.loop.advance(to: 3 * Self.second)
    let energy = try sample(source, "energy")
    #expect(energy.payload == .double(9) && energy.flags.contains(.gap))
    #expect(try sample(source, "power").absence?.reason == "needs two readings")
    try say(4, at: 3)
    fixture.loop.advance(to: 4 * Self.second)
    #expect(try sample(source, "energy").payload == .double(11))
    #expect(try !sample(source, "energy").flags.contains(.gap))
    #expect(try sample(source, "power").payload == .double(2))
  }

  @Test func `a package that stands still for ten seconds has no energy`() throws {
    defer { try? context.close() }
    let source = try context.open("power|package-0")
    try source.startUpdating(every: Self.second)
    fixture.loop.advance(to: 9 * Self.second)
    #expect(try sample(source, "energy").payload == .double(1))
    fixture.loop.advance(to: 11 * Self.second)
    for key in ["energy", "power"] {
      #expect(
        try sample(source, key).absence?.reason
          == "the counter stands still, as in virtual machines")
    }
    try say(3, at: 11)
    fixture.loop.advance(to: 12 * Self.second)
    #expect(try sample(source, "energy").payload == .double(3))
  }

  @Test func `sessions have their own spans`() throws {
    defer { try? context.close() }
    let quick = try context.open("power|package-0")
    let slow = try context.open("power|package-0")
    try quick.startUpdating(every: Self.second)
    try slow.startUpdating(every: 4 * Self.second)
    for second in 1...4 { try say(Int64(1 + second * second), at: Int64(second)) }
    fixture.loop.advance(to: 5 * Self.second)
    #expect(try sample(slow, "power").payload == .double(Double(9) / 4))
    #expect(try sample(quick, "power").payload == .double(7))
  }
}
