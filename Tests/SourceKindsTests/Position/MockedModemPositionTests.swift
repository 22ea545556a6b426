import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// The kind `gps` of a modem's receiver, in a context on a real bus.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedModemPositionTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("MemTotal: 10 kB\n".utf8), to: "/proc/meminfo")
    bus = try PrivateBus()
  }

  private func open() throws -> Context {
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    return try Context.open(
      "local:root=\(folder.path)&bus=\(address)", allow: .all, catalogue: [GPS()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  @Test func `4.1 a modem is asked where it is, and never set up`() throws {
    let daemon = try MockedModemReceiver(
      on: bus,
      answer: MockedModemReceiver.raw(
        "{'utc-time': '120001.00', 'latitude': 48.5, 'longitude': 11.25, 'altitude': 300.0}"))
    let context = try open()
    let ids = try context.sources(of: "gps").map(\.id.description)
    #expect(ids.count == 2 && ids[0] == "gps|aggregate")
    // N8: twelve digits of a digest, as in cell_radio.
    #expect(ids.last?.utf8.count == 4 + 12)
    #expect(try daemon.calls("GetLocation") == 0)
    let source = try context.open("gps")
    try source.startUpdating(every: 200_000_000)
    #expect(Patience.wait { sample(source, "latitude").payload == .double(48.5) })
    #expect(sample(source, "longitude").payload == .double(11.25))
    #expect(sample(source, "altitude_msl").payload == .double(300))
    #expect(sample(source, "fix").payload == .string("3d"))
    #expect(sample(source, "provider").payload == .string("modem"))
    #expect(sample(source, "time").status == .noData)
    try daemon.set(
      answer: MockedModemReceiver.raw(
        "{'utc-time': '120002.00', 'latitude': 'north', 'longitude': 11.5}"))
    #expect(Patience.wait { sample(source, "longitude").payload == .double(11.5) })
    #expect(sample(source, "latitude").status == .failed)
    #expect(sample(source, "altitude_msl").status == .noData)
    try daemon.set(answer: MockedModemReceiver.raw("{'utc-time': '120003.00'}"))
    #expect(Patience.wait { sample(source, "fix").payload == .string("none") })
    #expect(sample(source, "longitude").status == .noData)
    #expect(Patience.wait { source.availability.state == .searching })
    #expect(try daemon.calls("Setup") == 0)
    try context.close()
  }

  @Test func `the sentences of a modem tell more, and bad ones cost themselves only`() throws {
    var log = SatelliteLog()
    log.addFix(second: 1)
    let text = (log.lines + ["$GPRMC,garbage*00", "\u{1}"]).joined(separator: "\\r\\n")
    let daemon = try MockedModemReceiver(
      on: bus,
      answer: "ret = dbus.Dictionary({dbus.UInt32(4): '\(text)', dbus.UInt32(2): 7}, "
        + "signature='uv')")
    let context = try open()
    let source = try context.open("gps")
    try source.startUpdating(every: 200_000_000)
    #expect(Patience.wait { sample(source, "fix").payload == .string("3d") })
    #expect(abs((sample(source, "latitude").value.number ?? 0) - 48.1173) < 1e-6)
    #expect(sample(source, "course").status == .ok)
    #expect(sample(source, "time").status == .ok)
    withExtendedLifetime(daemon) {}
    try context.close()
  }

  @Test func `a receiver that is turned off stays off, and what turns it on is named (P5)`() throws
  {
    let daemon = try MockedModemReceiver(
      on: bus, answer: "ret = {}", more: [("Enabled", .uint32(1))])
    let context = try open()
    let source = try context.open("gps")
    #expect(source.availability.state == .poweredOff)
    #expect(source.availability.remedy.hasPrefix("mmcli "))
    #expect(throws: SourceError.self) { try source.startUpdating() }
    #expect(try daemon.calls("Setup") == 0)
    try context.close()
  }

  @Test func `polkit's refusal is restricted by policy`() throws {
    let daemon = try MockedModemReceiver(
      on: bus,
      answer: "raise dbus.exceptions.DBusException('no', "
        + "name='org.freedesktop.ModemManager1.Error.Core.Unauthorized')")
    let context = try open()
    let source = try context.open("gps")
    #expect(throws: SourceError.self) { try source.startUpdating() }
    try context.rescan()
    #expect(source.availability.state == .restrictedByPolicy)
    withExtendedLifetime(daemon) {}
    try context.close()
  }
}
