import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// A battery that only UPower sees, whose outcomes are kept while its values stay.
@Suite struct PowerDaemonReaderTests {
  private static let path = "/org/freedesktop/UPower/devices/battery"
  private static let line = "/org/freedesktop/UPower/devices/line"
  private static let properties: [String: BusValue] = [
    "Type": .uint32(2), "PowerSupply": .bool(true), "IsPresent": .bool(true),
    "NativePath": .string("BAT7"), "State": .uint32(2), "Percentage": .double(50),
    "BatteryLevel": .uint32(1), "Energy": .double(0), "EnergyFull": .double(40),
    "EnergyRate": .double(0), "Voltage": .double(12), "Model": .string("Model"),
  ]

  private let bus = FixtureBus()
  private let fixture: FixtureMachine
  private let reader: PowerDaemonReader
  private var reading = Reading(properties: Battery.table.count)

  init() throws {
    bus.run(
      PowerDaemon.name, [Self.path: BusObject([PowerDaemon.device: Self.properties])])
    fixture = try FixtureMachine(nature: .live, bus: bus)
    reader = PowerDaemonReader(Self.path, fixture.machine)
  }

  private mutating func read() {
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
  }

  private mutating func report(_ properties: [String: BusValue], of path: String = path) {
    bus.report(PowerDaemon.name, path, PowerDaemon.device, properties)
    read()
  }

  /// Compares all outcomes with those of a reader that has kept none.
  private func expectAsAnew() {
    var anew = Reading(properties: Battery.table.count)
    PowerDaemonReader(Self.path, fixture.machine)
      .read(ReadRequest(scope: .everything, allow: .all), into: &anew)
    for field in Battery.Field.allCases {
      #expect(reading[field] == anew[field], "\(field)")
    }
  }

  @Test mutating func `whatever a signal changes, all fields are as if read anew`() {
    read()
    expectAsAnew()
    let changes: [[String: BusValue]] = [
      ["Percentage": .double(49)], ["BatteryLevel": .uint32(6)], ["EnergyFull": .double(0)],
      ["EnergyFull": .double(41), "Energy": .double(20)], ["State": .uint32(1)],
      ["EnergyRate": .double(-3)], ["Voltage": .double(0)], ["Model": .string("Other")],
      ["Temperature": .double(30)], ["PowerSupply": .bool(false)], ["UpdateTime": .uint64(1)],
    ]
    for change in changes {
      report(change)
      expectAsAnew()
    }
    #expect(reading[Battery.Field.level] == .ok(.double(0.49), lowAccuracy: true))
    #expect(reading[Battery.Field.energy] == .ok(.double(72_000)))
    #expect(reading[Battery.Field.scope] == .ok(.string("device")))
  }

  @Test mutating func `changes between two readings are all seen`() {
    read()
    bus.report(PowerDaemon.name, Self.path, PowerDaemon.device, ["Percentage": .double(48)])
    report(["Voltage": .double(11)])
    expectAsAnew()
    bus.set(PowerDaemon.name, Self.path, PowerDaemon.device, ["Percentage": .double(47)])
    read()
    expectAsAnew()
    bus.remove(PowerDaemon.name, Self.path)
    read()
    #expect(reading[Battery.Field.level].status == .noData)
    bus.run(PowerDaemon.name, [Self.path: BusObject([PowerDaemon.device: Self.properties])])
    read()
    #expect(reading[Battery.Field.level] == .ok(.double(0.5)))
  }

  @Test mutating func `external power follows the supplies that are listed, and their values`() {
    read()
    #expect(reading[Battery.Field.externalPower] == .ok(.bool(false), lowAccuracy: true))
    report(["State": .uint32(1)])
    #expect(reading[Battery.Field.externalPower] == .ok(.bool(true), lowAccuracy: true))
    bus.set(
      PowerDaemon.name, Self.line, PowerDaemon.device,
      ["Type": .uint32(1), "Online": .bool(false)])
    read()
    #expect(reading[Battery.Field.externalPower] == .ok(.bool(false)))
    report(["Online": .bool(true)], of: Self.line)
    #expect(reading[Battery.Field.externalPower] == .ok(.bool(true)))
    bus.remove(PowerDaemon.name, Self.line)
    read()
    #expect(reading[Battery.Field.externalPower] == .ok(.bool(true), lowAccuracy: true))
  }
}
