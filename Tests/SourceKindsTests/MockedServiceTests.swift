import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// Kinds in a context on a real bus, with dbusmock's services on it.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedServiceTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("MemTotal: 10 kB\n".utf8), to: "/proc/meminfo")
    bus = try PrivateBus()
  }

  private func open(allow: Allowance = .all) throws -> Context {
    try Context.open(
      "local:root=\(folder.path)&bus=\(bus.address.percentEncoded)", allow: allow,
      catalogue: SourceCatalogue.all)
  }

  private func value(_ source: Source, _ key: String) -> Sample {
    let index = source.properties.firstIndex { $0.key == key } ?? 0
    return source.allValues[index]
  }

  @Test func `H4 L10 UPower's batteries come, change and go with it`() throws {
    let context = try open()
    #expect(try context.open("battery").availability.state == .noHardware)
    let upower = try bus.mock("upower", owning: "org.freedesktop.UPower")
    try bus.tell(
      "org.freedesktop.UPower", "/org/freedesktop/UPower", "AddDischargingBattery",
      .string("mock_BAT"), .string("Mock"), .double(30), .int64(1200))
    try context.rescan()
    #expect(
      try context.sources(of: "battery").map(\.id.description)
        == ["battery|aggregate", "battery|mock_BAT"])
    let source = try context.open("battery|mock_BAT")
    try source.startUpdating(every: 600_000_000_000)
    #expect(Patience.wait { value(source, "level").payload == .double(0.3) })
    #expect(value(source, "state").payload == .string("discharging"))
    #expect(value(source, "energy").payload == .double(108_000))
    #expect(value(source, "energy_full").payload == .double(360_000))
    #expect(value(source, "time_to_empty").payload == .double(1200))
    #expect(value(source, "cycle_count").status == .noData)
    #expect(value(source, "serial").status == .noData)
    try bus.tell(
      "org.freedesktop.UPower", "/org/freedesktop/UPower", "SetDeviceProperties",
      .path("/org/freedesktop/UPower/devices/mock_BAT"),
      .dictionary(of: "sv", [BusPair(.string("Percentage"), .variant(.double(29)))]))
    #expect(Patience.wait { value(source, "level").payload == .double(0.29) })
    upower.end()
    #expect(Patience.wait { source.availability.group == .unavailable })
    #expect(source.isUpdating)
    #expect(Patience.wait { value(source, "level").status == .noData })
    let again = try bus.mock("upower", owning: "org.freedesktop.UPower")
    try bus.tell(
      "org.freedesktop.UPower", "/org/freedesktop/UPower", "AddChargingBattery",
      .string("mock_BAT"), .string("Mock"), .double(50), .int64(600))
    #expect(Patience.wait { value(source, "state").payload == .string("charging") })
    try context.close()
    withExtendedLifetime(again) {}
  }

  @Test func `H4 BlueZ is followed through a restart, and what it invalidates is unknown`() throws {
    let context = try open()
    let first = try bus.mock("bluez5", owning: "org.bluez")
    try stockBlueZ()
    let device = try context.open("bluetooth_device")
    try device.startUpdating(every: 600_000_000_000)
    #expect(Patience.wait { value(device, "rssi").payload == .double(-79) })
    #expect(value(device, "name").payload == .string("Anna's"))
    try bus.tell(
      "org.bluez", "/org/bluez/hci0/dev_01_02_03_04_05_0A", "EmitSignal",
      .string("org.freedesktop.DBus.Properties"), .string("PropertiesChanged"),
      .string("sa{sv}as"),
      .array(
        of: "v",
        [
          .variant(.string("org.bluez.Device1")), .variant(.dictionary(of: "sv", [])),
          .variant(.array(of: "s", [.string("RSSI")])),
        ]))
    #expect(Patience.wait { value(device, "rssi").status == .noData })
    let id = device.id
    first.end()
    #expect(Patience.wait { device.availability.group == .unavailable })
    let second = try bus.mock("bluez5", owning: "org.bluez")
    try stockBlueZ()
    #expect(Patience.wait { value(device, "rssi").payload == .double(-79) })
    #expect(device.id == id && device.isUpdating)
    try context.close()
    withExtendedLifetime(second) {}
  }

  private func stockBlueZ() throws {
    for (method, arguments) in [
      ("AddAdapter", [BusValue.string("hci0"), .string("desk")]),
      ("AddDevice", [.string("hci0"), .string("01:02:03:04:05:0A"), .string("Anna's")]),
      ("PairDevice", [.string("hci0"), .string("01:02:03:04:05:0A"), .int32(5_898_764)]),
    ] {
      _ = try bus.bus.ask(BusCall("org.bluez", "/", "org.bluez.Mock", method, arguments))
    }
  }

  @Test func `sensor-proxy is claimed while a source updates, and let go`() throws {
    let name = "net.hadess.SensorProxy"
    let proxy = try bus.mock("iio-sensors-proxy", owning: name)
    let set = { (property: String, value: BusValue) throws in
      _ = try bus.tell(
        name, "/net/hadess/SensorProxy", "SetInternalProperty", .string(name), .string(property),
        .variant(value))
    }
    for sensor in ["HasAccelerometer", "HasAmbientLight", "HasProximity"] {
      try set(sensor, .bool(true))
    }
    try set("AccelerometerOrientation", .string("left-up"))
    try set("LightLevel", .double(120))
    try set("ProximityNear", .bool(true))
    let context = try open()
    for (kind, key, payload) in [
      ("accelerometer", "orientation", Value.string("left-up")),
      ("ambient_light", "illuminance", .double(120)), ("proximity", "near", .bool(true)),
    ] {
      let source = try context.open(kind)
      #expect(source.id.instance == "sensor-proxy")
      try source.startUpdating(every: 1_000_000_000)
      #expect(Patience.wait { value(source, key).payload == payload }, "\(kind)")
      #expect(value(source, "acquisition").payload == .string("service"))
      try source.stopUpdating()
    }
    let source = try context.open("accelerometer")
    try source.updateValuesInPlace()
    #expect(value(source, "acceleration").status == .unsupported)
    #expect(source.availability.detail == "orientation only")
    #expect(source.availability.remedy.isEmpty)
    #expect(Patience.wait { (try? owners(of: "AccelerometerOwners")) == 0 })
    try context.close()
    withExtendedLifetime(proxy) {}
  }

  private func owners(of property: String) throws -> Int {
    let answer = try bus.tell(
      "net.hadess.SensorProxy", "/net/hadess/SensorProxy", "GetInternalProperty",
      .string(property))
    return answer.first?.elements?.count ?? 0
  }

  @Test func `logind tells of the lid where no input device does`() throws {
    let name = "org.freedesktop.login1"
    let logind = try bus.mock(name, "/org/freedesktop/login1", name + ".Manager")
    for (property, flag) in [("LidClosed", true), ("Docked", false)] {
      try bus.tell(
        name, "/org/freedesktop/login1", "AddProperty", .string(name + ".Manager"),
        .string(property), .variant(.bool(flag)))
    }
    let context = try open()
    let source = try context.open("switches")
    let samples = try source.updateValues()
    #expect(samples[0].payload == .bool(true))
    #expect(samples[1].status == .unsupported)
    #expect(samples[4].payload == .bool(false))
    #expect(source.id.description == "switches|aggregate")
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `hostnamed tells what files do not`() throws {
    let name = "org.freedesktop.hostname1"
    let path = "/org/freedesktop/hostname1"
    let hostnamed = try bus.mock(name, path, name)
    for (property, text) in [("Chassis", "convertible"), ("PrettyHostname", "Anna's desk")] {
      try bus.tell(
        name, path, "AddProperty", .string(name), .string(property), .variant(.string(text)))
    }
    let context = try open()
    let source = try context.open("device_metadata")
    _ = try source.updateValues()
    #expect(value(source, "chassis").payload == .string("convertible"))
    #expect(value(source, "pretty_hostname").payload == .string("Anna's desk"))
    try context.setAllow(.none)
    _ = try source.updateValues()
    #expect(value(source, "pretty_hostname").status == .permission)
    try context.close()
    withExtendedLifetime(hostnamed) {}
  }

  @Test func `T7 a daemon that hangs delays no other source`() throws {
    let first = try bus.mock("bluez5", owning: "org.bluez")
    first.pause()
    defer { first.resume() }
    let context = try open()
    let memory = try context.open("memory")
    let count = Monitor(0)
    let token = memory.addUpdateListener { _ in count.withLock { $0 += 1 } }
    try memory.startUpdating(every: 50_000_000)
    var found: [SourceDescription]?
    let isBounded = try Patience.isSpared { found = try context.sources(of: "bluetooth") }
    #expect(isBounded && found?.isEmpty == true)
    // Its ticks went on while the daemon was waited for.
    #expect(count.withLock { $0 } >= 5)
    let isSpared = try Patience.isSpared {
      for _ in 0..<20 { _ = try context.sources(of: "bluetooth") }
    }
    #expect(isSpared)
    token.end()
    try context.close()
  }

  @Test func `T7 a BlueZ that hangs is given up and named, and taken up where it goes on`() throws {
    try folder.makeFolder("/sys/class/bluetooth/hci0")
    let first = try bus.mock("bluez5", owning: "org.bluez")
    try stockBlueZ()
    first.pause()
    let context = try open()
    let watch = try context.watch("bluetooth") { _ in }
    let source = try context.open("bluetooth")
    #expect(Patience.wait { source.availability.detail.contains("org.bluez does not answer") })
    #expect(source.availability.group == .unavailable)
    first.resume()
    #expect(Patience.wait { source.availability.state == .available })
    watch.end()
    try context.close()
  }
}

extension String {
  /// The text with everything but letters, digits, `/`, `.`, `-`, `:` and `_` percent-encoded.
  fileprivate var percentEncoded: String {
    utf8.map { byte in
      let plain = Array("/.-:_".utf8)
      let isPlain =
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || plain.contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
