import GatheredKitTesting
import Gathering
import Machine
import Testing

@testable import SourceKinds

/// One modem of oFono's on a bus that the test plays. All its interfaces but its own have the same
/// properties, which is everything there is.
struct PlayedTelephone {
  static let daemon = "org.ofono"
  static let path = "/quectel_0"

  let bus = FixtureBus()
  let fixture: FixtureMachine

  init() throws {
    fixture = try FixtureMachine(bus: bus)
    show()
  }

  static let modem: [String: BusValue] = [
    "Powered": .bool(true), "Online": .bool(true), "Manufacturer": .string("QUALCOMM"),
    "Model": .string("EG25-G"), "Serial": .string("867698041234567"),
    "Interfaces": .array(
      of: "s",
      [
        "org.ofono.SimManager", "org.ofono.NetworkRegistration", "org.ofono.NetworkMonitor",
        "org.ofono.VoiceCallManager",
      ].map { .string($0) }),
  ]

  static let properties: [String: BusValue] = [
    "PinRequired": .string("none"), "Status": .string("roaming"), "Name": .string("Test Net"),
    "MobileCountryCode": .string("262"), "MobileNetworkCode": .string("02"),
    "Technology": .string("lte"), "Strength": .byte(71), "CellId": .uint32(0x1A2B3C),
    "LocationAreaCode": .uint16(0x84CD),
  ]

  static let cell: [String: BusValue] = [
    "Technology": .string("lte"), "ReferenceSignalReceivedPower": .byte(49),
    "ReferenceSignalReceivedQuality": .byte(17), "Strength": .byte(26),
    "SingalToNoiseRatio": .int32(-37), "TrackingAreaCode": .uint16(0x2F1C),
    "ReceivedSignalCodePower": .byte(10), "ReceivedEnergyRatio": .byte(7),
  ]

  /// What the modem tells from now on; `failures` are of interfaces that do not.
  func show(
    modem: [String: BusValue?] = [:], _ properties: [String: BusValue?] = [:],
    cell: [String: BusValue?] = [:], paths: [String] = [path],
    failures: [String: BusFailure] = [:]
  ) {
    let own = Self.changed(Self.modem, modem)
    var interfaces = ["org.ofono.Modem": own]
    let listed = own["Interfaces"]?.texts ?? []
    for word in ["SimManager", "NetworkRegistration"] where listed.contains("org.ofono.\(word)") {
      if failures["org.ofono.\(word)"] != nil { continue }
      interfaces["org.ofono.\(word)"] = Self.changed(Self.properties, properties)
    }
    var object = BusObject(interfaces)
    object.failures = failures
    bus.run(Self.daemon, Dictionary(uniqueKeysWithValues: paths.map { ($0, object) }))
    bus.answer(
      "GetServingCellInformation",
      with: .success([PlayedLink.dictionary(Self.changed(Self.cell, cell))]))
  }

  private static func changed(
    _ values: [String: BusValue], _ changes: [String: BusValue?]
  ) -> [String: BusValue] {
    var changed = values
    for (name, value) in changes { changed[name] = value }
    return changed
  }

  func harness(_ allow: Allowance = .all) -> KindHarness {
    KindHarness(CellRadio(), machine: fixture.machine, allow: allow)
  }

  func read(_ allow: Allowance = .all) throws -> [String: Outcome] {
    let harness = harness(allow)
    return try harness.read(try #require(harness.names.first))
  }

  var availability: Availability? { harness().discover().instances.first?.availability }
}
