import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// `wifi` in a context on a real bus, in a tree that has no radio: dbusmock's NetworkManager, and
/// an iwd made by hand.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedLinkTests {
  private static let iwd = "net.connman.iwd"
  private static let station = "/net/connman/iwd/0/4"
  private static let network = "\(station)/616263_psk"

  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    for (file, text) in [("ifindex", "3\n"), ("wireless/status", "0\n")] {
      try folder.write(Array(text.utf8), to: "/sys/class/net/wlan0/\(file)")
    }
    bus = try PrivateBus(activatable: [Self.iwd])
  }

  private func open(_ allow: Allowance = .all) throws -> Context {
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    return try Context.open(
      "local:root=\(folder.path)&bus=\(address)", allow: allow, catalogue: [WiFi()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  private func shows(_ source: Source, _ key: String, _ payload: Value?) -> Bool {
    Patience.wait { sample(source, key).payload == payload }
  }

  private static func table(_ properties: [(String, BusValue)]) -> BusValue {
    .dictionary(of: "sv", properties.map { BusPair(.string($0.0), .variant($0.1)) })
  }

  // MARK: NetworkManager

  @Test func `H4 L10 NetworkManager stands in, changes, is killed and comes back`() throws {
    let context = try open()
    #expect(try context.open("wifi").availability.state == .unsupportedByKernel)
    let first = try MockedNetworks(on: bus)
    try context.rescan()
    let source = try context.open("wifi")
    #expect(source.id.description == "wifi|wlan0")
    #expect(source.availability.state == .available)
    #expect(source.availability.backend == "NetworkManager")
    try source.startUpdating(every: 600_000_000_000)
    #expect(shows(source, "signal_quality", .double(71)))
    for (key, payload) in [
      ("connected", Value.bool(true)), ("ssid", .string("Net")),
      ("bssid", .string("02:00:00:00:01:0A")), ("frequency", .double(2_437_000_000)),
      ("mode", .string("station")), ("tx_bitrate", .double(5_400_000)),
      ("security", .string("wpa")), ("mac", .string("11:22:33:44:55:66")),
    ] {
      #expect(sample(source, key).payload == payload, "\(key)")
    }
    #expect(sample(source, "signal").status == .unsupported)
    #expect(sample(source, "signal").absence?.reason.contains("NetworkManager") == true)
    try first.tell("SetDeviceDisconnected", .string(MockedNetworks.wlan))
    #expect(shows(source, "connected", .bool(false)))
    #expect(sample(source, "ssid").absence?.reason == "not connected")
    first.process.end()
    #expect(Patience.wait { source.availability.group == .unavailable })
    #expect(Patience.wait { sample(source, "connected").status == .noData })
    #expect(source.isUpdating)
    let second = try MockedNetworks(on: bus)
    #expect(shows(source, "connected", .bool(true)))
    #expect(Patience.wait { source.availability.state == .available })
    #expect(source.isUpdating)
    try context.close()
    #expect(!bus.hasActivated)
    withExtendedLifetime(second) {}
  }

  @Test func `the access point in use is followed where the link roams (L4)`() throws {
    let daemon = try MockedNetworks(on: bus)
    try daemon.addPoint(1, named: "Other", strength: 33)
    try daemon.use(point: 0)
    let context = try open()
    let source = try context.open("wifi")
    try source.startUpdating(every: 600_000_000_000)
    #expect(shows(source, "ssid", .string("Net")))
    // The device as such says nothing of it: what is heard is the one property that changed.
    try daemon.roam(to: 1)
    #expect(shows(source, "ssid", .string("Other")))
    #expect(sample(source, "signal_quality").payload == .double(33))
    try context.close()
    withExtendedLifetime(daemon) {}
  }

  @Test func `L4 what changes of the access point in use alone is an update, wherever it roams`()
    throws
  {
    let daemon = try MockedNetworks(on: bus)
    try daemon.addPoint(1, named: "Other", strength: 33)
    try daemon.use(point: 0)
    let context = try open()
    let source = try context.open("wifi")
    try source.startUpdating(every: 600_000_000_000)
    #expect(shows(source, "signal_quality", .double(71)))
    try daemon.set(point: 0, "Strength", .byte(42))
    #expect(shows(source, "signal_quality", .double(42)))
    try daemon.set(point: 0, "Frequency", .uint32(5180))
    #expect(shows(source, "frequency", .double(5_180_000_000)))
    try daemon.roam(to: 1)
    #expect(shows(source, "signal_quality", .double(33)))
    try daemon.set(point: 1, "Strength", .byte(12))
    #expect(shows(source, "signal_quality", .double(12)))
    try context.close()
    withExtendedLifetime(daemon) {}
  }

  @Test func `a thousand access points are no matter, since one is in use`() throws {
    let daemon = try MockedNetworks(on: bus, points: 1000)
    let context = try open()
    let source = try context.open("wifi")
    try source.updateValuesInPlace()
    #expect(sample(source, "ssid").payload == .string("Net"))
    #expect(sample(source, "signal_quality").payload == .double(71))
    try context.close()
    withExtendedLifetime(daemon) {}
  }

  @Test func `P1 P4 a context that allows nothing shows no name and no address`() throws {
    let daemon = try MockedNetworks(on: bus)
    let context = try open(.none)
    let source = try context.open("wifi")
    try source.updateValuesInPlace()
    for key in ["ssid", "ssid_bytes", "bssid", "mac"] {
      #expect(sample(source, key).status == .permission, "\(key)")
    }
    #expect(sample(source, "signal_quality").payload == .double(71))
    try context.setAllow(Allowance(categories: [.ssid]))
    try source.updateValuesInPlace()
    #expect(sample(source, "ssid").payload == .string("Net"))
    #expect(sample(source, "mac").status == .permission)
    try context.close()
    withExtendedLifetime(daemon) {}
  }

  // MARK: iwd

  private static let measuring =
    "ret = {'RSSI': dbus.Int16(-57), 'TxBitrate': dbus.UInt32(1300), "
    + "'ConnectedBss': '02:00:00:00:02:0b', 'ConnectedTime': dbus.UInt32(60)}"

  /// A daemon with one station, which is connected.
  private func startStation() throws -> ChildProcess {
    let child = try bus.mock(Self.iwd, "/", "\(Self.iwd).Root", isObjectManager: true)
    try bus.tell(
      Self.iwd, "/", "AddObject", .string(Self.station), .string("\(Self.iwd).Device"),
      Self.table([
        ("Name", .string("wlan0")), ("Address", .string("00:1b:21:ab:cd:ef")),
        ("Powered", .bool(true)), ("Mode", .string("station")),
      ]), .array(of: "(ssss)", []))
    try bus.tell(
      Self.iwd, Self.station, "AddProperties", .string("\(Self.iwd).Station"),
      Self.table([
        ("State", .string("connected")), ("ConnectedNetwork", .path(Self.network)),
      ]))
    try bus.tell(
      Self.iwd, Self.station, "AddProperties", .string("\(Self.iwd).StationDiagnostic"),
      Self.table([("Any", .bool(true))]))
    try bus.tell(
      Self.iwd, Self.station, "AddMethod", .string("\(Self.iwd).StationDiagnostic"),
      .string("GetDiagnostics"), .string(""), .string("a{sv}"),
      .string(Self.measuring))
    try bus.tell(
      Self.iwd, "/", "AddObject", .string(Self.network), .string("\(Self.iwd).Network"),
      Self.table([("Name", .string("abc")), ("Type", .string("psk"))]), .array(of: "(ssss)", []))
    for path in [Self.station, Self.network] {
      try bus.tell(
        Self.iwd, path, "AddMethod", .string("test.Tell"), .string("Tell"), .string(""),
        .string(""), .string("self.object_manager_emit_added('\(path)')"))
      try bus.tell(Self.iwd, path, "Tell", interface: "test.Tell")
    }
    return child
  }

  @Test func `A3 iwd stands in where NetworkManager does not, and gives way to it`() throws {
    let station = try startStation()
    let context = try open()
    let source = try context.open("wifi")
    #expect(source.availability.backend == "iwd")
    try source.startUpdating(every: 600_000_000_000)
    #expect(shows(source, "signal", .double(-57)))
    #expect(sample(source, "tx_bitrate").payload == .double(130_000_000))
    #expect(sample(source, "bssid").payload == .string("02:00:00:00:02:0B"))
    #expect(sample(source, "ssid").payload == .string("abc"))
    #expect(sample(source, "signal_quality").status == .unsupported)
    let manager = try MockedNetworks(on: bus)
    #expect(shows(source, "ssid", .string("Net")))
    #expect(sample(source, "signal").status == .unsupported)
    manager.process.end()
    #expect(shows(source, "signal", .double(-57)))
    #expect(source.id.description == "wifi|wlan0" && source.isUpdating)
    try bus.tell(
      Self.iwd, Self.station, "UpdateProperties", .string("\(Self.iwd).Station"),
      Self.table([("State", .string("disconnected"))]))
    #expect(shows(source, "connected", .bool(false)))
    station.end()
    #expect(Patience.wait { source.availability.state == .unsupportedByKernel })
    try context.close()
  }

  @Test func `a daemon that hangs costs what it measures, until it goes on`() throws {
    let station = try startStation()
    let context = try open()
    let source = try context.open("wifi")
    try source.startUpdating(every: 200_000_000)
    #expect(shows(source, "signal", .double(-57)))
    station.pause()
    let reason = "iwd has not told so far"
    #expect(Patience.wait { sample(source, "signal").absence?.reason == reason })
    #expect(sample(source, "ssid").payload == .string("abc"))
    #expect(sample(source, "connected").payload == .bool(true))
    station.resume()
    #expect(shows(source, "signal", .double(-57)))
    #expect(source.isUpdating)
    try context.close()
  }

  @Test func `L10 a bus that dies takes the values along, and brings them back`() throws {
    let station = try startStation()
    let context = try open()
    let source = try context.open("wifi")
    try source.startUpdating(every: 600_000_000_000)
    #expect(shows(source, "signal", .double(-57)))
    bus.stop()
    #expect(Patience.wait { source.availability.group == .unavailable })
    #expect(Patience.wait { sample(source, "signal").status == .noData })
    #expect(source.isUpdating)
    station.end()
    try bus.start()
    let again = try startStation()
    #expect(shows(source, "signal", .double(-57)))
    try context.close()
    withExtendedLifetime(again) {}
  }
}
