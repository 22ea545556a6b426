import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// One modem on a bus that the test plays.
struct PlayedModem {
  static let daemon = "org.freedesktop.ModemManager1"
  static let path = "/org/freedesktop/ModemManager1/Modem/3"
  static let modem = daemon + ".Modem"
  static let network = modem + ".Modem3gpp"
  static let signal = modem + ".Signal"
  static let location = modem + ".Location"

  let bus = FixtureBus()
  let fixture: FixtureMachine

  init(_ interfaces: [String: [String: BusValue]] = Self.interfaces) throws {
    fixture = try FixtureMachine(bus: bus)
    bus.run(Self.daemon, [Self.path: BusObject(interfaces)])
  }

  static let interfaces: [String: [String: BusValue]] = [
    modem: [
      "State": .int32(8), "AccessTechnologies": .uint32(1 << 14),
      "SignalQuality": .structure([.uint32(71), .bool(true)]),
      "Manufacturer": .string("QUALCOMM"), "Model": .string("EG25-G"),
      "DeviceIdentifier": .string("a1b2c3"),
    ],
    network: [
      "OperatorName": .string("Test Net"), "OperatorCode": .string("26202"),
      "RegistrationState": .uint32(5), "Imei": .string("867698041234567"),
    ],
    signal: [
      "Rate": .uint32(0), "Gsm": numbers([:]), "Umts": numbers([:]), "Nr5g": numbers([:]),
      "Cdma": numbers([:]), "Evdo": numbers([:]),
      "Lte": numbers(["rssi": -61, "rsrp": -92, "rsrq": -11.5, "snr": 14]),
    ],
    location: ["Enabled": .uint32(1), "Location": .dictionary(of: "uv", [])],
  ]

  static func numbers(_ values: [String: Double]) -> BusValue {
    .dictionary(of: "sv", values.map { BusPair(.string($0.key), .variant(.double($0.value))) })
  }

  static func cell(_ text: BusValue) -> BusValue {
    .dictionary(of: "uv", [BusPair(.uint32(1), .variant(text))])
  }

  func set(_ interface: String, _ properties: [String: BusValue?]) {
    bus.set(Self.daemon, Self.path, interface, properties)
  }

  func harness(_ allow: Allowance = .all) -> KindHarness {
    KindHarness(CellRadio(), machine: fixture.machine, allow: allow)
  }

  func read(_ allow: Allowance = .all) throws -> [String: Outcome] {
    let harness = harness(allow)
    return try harness.read(try #require(harness.names.first))
  }

  func open(_ allow: Allowance = .all) throws -> Context {
    try Context.open(
      on: fixture.machine, loop: fixture.loop, allow: allow, catalogue: [CellRadio()])
  }

  /// The rates of all calls of `Setup`, in order.
  var setups: [Int64?] {
    bus.calls.filter { $0.member == "Setup" }.map { $0.arguments.first?.integer }
  }
}
