import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

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
    // No tick comes in time for anything below: what is seen is told by signals (L4).
    try source.startUpdating(every: 600_000_000_000)
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

  @Test func `L4 changes are events: signal, SIM, switch, and interfaces that come and go`() throws
  {
    let daemon = try bus.mock("ofono", owning: Self.daemon)
    let context = try open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 600_000_000_000)
    #expect(Patience.wait { sample(source, "signal_quality").payload == .double(80) })
    try set("NetworkRegistration", "Strength", .string("strong"))
    #expect(Patience.wait { sample(source, "signal_quality").status == .failed })
    #expect(sample(source, "operator_name").status == .ok)
    try set("NetworkRegistration", "Strength", .byte(31))
    #expect(Patience.wait { sample(source, "signal_quality").payload == .double(31) })
    try set("NetworkRegistration", "Status", .string("searching"))
    #expect(Patience.wait { source.availability.state == .searching })
    try set("Modem", "Interfaces", .array(of: "s", [.string("org.ofono.SimManager")]))
    #expect(Patience.wait { sample(source, "signal_quality").status == .unsupported })
    #expect(sample(source, "state").payload == .string("enabled"))
    let both = ["SimManager", "NetworkRegistration"].map { BusValue.string("org.ofono.\($0)") }
    try set("Modem", "Interfaces", .array(of: "s", both))
    #expect(Patience.wait { sample(source, "signal_quality").payload == .double(31) })
    try set("Modem", "Powered", .bool(false))
    #expect(Patience.wait { source.availability.state == .poweredOff })
    try set("Modem", "Powered", .bool(true))
    #expect(Patience.wait { sample(source, "state").payload == .string("searching") })
    try set("SimManager", "PinRequired", .string("pin"))
    #expect(Patience.wait { source.availability.state == .requiresPermission })
    try context.close()
    withExtendedLifetime(daemon) {}
  }

  @Test func `H1 H2 modems are added and removed as oFono tells`() throws {
    let daemon = try bus.mock("ofono", owning: Self.daemon)
    let context = try open(.none)
    let seen = Monitor<[SourceEvent.What]>([])
    let watch = try context.watch("cell_radio") { event in
      seen.withLock { $0.append(event.what) }
    }
    #expect(try context.sources(of: "cell_radio").count == 1)
    try bus.tell(Self.daemon, "/", "AddModem", .string("usb_1"), .dictionary(of: "sv", []))
    #expect(Patience.wait { (try? context.sources(of: "cell_radio").count) == 2 })
    #expect(Patience.wait { seen.withLock { $0 } == [.added] }, "\(seen.withLock { $0 })")
    let sources = try context.sources(of: "cell_radio")
    #expect(Set(sources.map(\.id)).count == 2)
    let source = try context.open("cell_radio")
    try source.updateValuesInPlace()
    for key in ["cell_id", "location_area", "imei"] {
      #expect(sample(source, key).status == .permission, "\(key)")
    }
    #expect(sample(source, "operator_name").payload == .string("fake.tel"))
    try bus.tell(
      Self.daemon, "/", "EmitSignal", .string("org.ofono.Manager"), .string("ModemRemoved"),
      .string("o"), .array(of: "v", [.variant(.path("/usb_1"))]))
    #expect(Patience.wait { (try? context.sources(of: "cell_radio").count) == 1 })
    #expect(Patience.wait { seen.withLock { $0 } == [.added, .removed] })
    watch.end()
    try context.close()
    withExtendedLifetime(daemon) {}
  }
}
