import Gathering
import GatheredKitTesting
import Machine
import SourceKinds
import Testing

/// `cell_radio` in a context on a real bus, with the oFono of dbusmock's template.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedTelephonyTests {
  private static let daemon = "org.ofono"

  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("MemTotal: 10 kB\n".utf8), to: "/proc/meminfo")
    bus = try PrivateBus(activatable: ["org.freedesktop.ModemManager1"])
  }

  private func open(_ allow: Allowance = .all) throws -> Context {
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    return try Context.open(
      "local:root=\(folder.path)&bus=\(address)", allow: allow, catalogue: [CellRadio()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  private func set(_ interface: String, _ name: String, _ value: BusValue) throws {
    try bus.tell(
      Self.daemon, "/ril_0", "SetProperty", .string(name), .variant(value),
      interface: "\(Self.daemon).\(interface)")
  }

  @Test func `H4 L10 oFono stands in, is killed while updating, and comes back`() throws {
    let context = try open()
    #expect(try context.open("cell_radio").availability.state == .serviceNotRunning)
    let first = try bus.mock("ofono", owning: Self.daemon)
    try context.rescan()
    let source = try context.open("cell_radio")
    #expect(source.availability.backend == "ofono" && source.label == "Fakesys Mock Modem")
    try source.startUpdating(every: 1_000_000_000)
    #expect(Patience.wait { sample(source, "signal_quality").payload == .double(80) })
    for (key, payload) in [
      ("state", Value.string("registered")), ("technology", .string("gsm")),
      ("operator_name", .string("fake.tel")), ("operator_code", .string("77711")),
      ("registration", .string("home")), ("cell_id", .string("27DB")),
      ("location_area", .string("3DB")), ("manufacturer", .string("Fakesys")),
    ] {
      #expect(sample(source, key).payload == payload, "\(key)")
    }
    #expect(sample(source, "rsrp").status == .unsupported)
    try set("NetworkRegistration", "Strength", .byte(20))
    #expect(Patience.wait { sample(source, "signal_quality").payload == .double(20) })
    let id = source.id
    #expect(!id.description.contains("ril_0"))
    first.end()
    #expect(Patience.wait { source.availability.group == .unavailable })
    #expect(Patience.wait { sample(source, "signal_quality").status == .noData })
    #expect(source.isUpdating)
    let second = try bus.mock("ofono", owning: Self.daemon)
    #expect(Patience.wait { sample(source, "signal_quality").payload == .double(80) })
    #expect(source.id == id && source.isUpdating)
    try context.close()
    #expect(!bus.hasActivated)
    withExtendedLifetime(second) {}
  }

  @Test func `H1 a modem that is put in or switched off is seen at the next look`() throws {
    let daemon = try bus.mock("ofono", owning: Self.daemon)
    let context = try open(.none)
    #expect(try context.sources(of: "cell_radio").count == 1)
    try bus.tell(Self.daemon, "/", "AddModem", .string("usb_1"), .dictionary(of: "sv", []))
    try context.rescan()
    let sources = try context.sources(of: "cell_radio")
    #expect(sources.count == 2 && Set(sources.map(\.id)).count == 2)
    let source = try context.open("cell_radio")
    try source.updateValuesInPlace()
    for key in ["cell_id", "location_area", "imei"] {
      #expect(sample(source, key).status == .permission, "\(key)")
    }
    #expect(sample(source, "operator_name").payload == .string("fake.tel"))
    try set("Modem", "Powered", .bool(false))
    #expect(
      Patience.wait {
        (try? context.rescan()) != nil && source.availability.state == .poweredOff
      })
    try set("Modem", "Powered", .bool(true))
    try set("SimManager", "PinRequired", .string("pin"))
    #expect(
      Patience.wait {
        (try? context.rescan()) != nil && source.availability.state == .requiresPermission
      })
    try context.close()
    withExtendedLifetime(daemon) {}
  }
}
