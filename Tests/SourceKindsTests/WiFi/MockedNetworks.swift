import GatheredKitTesting
import Machine

/// dbusmock's NetworkManager, with a wireless device that is connected to the first of some access
/// points.
struct MockedNetworks {
  static let name = "org.freedesktop.NetworkManager"
  static let root = "/org/freedesktop/NetworkManager"
  static let wlan = "\(root)/Devices/wlan"

  let bus: PrivateBus
  let process: ChildProcess

  init(on bus: PrivateBus, points: Int = 1) throws {
    self.bus = bus
    process = try bus.mock("networkmanager", owning: Self.name)
    try tell("AddWiFiDevice", .string("wlan"), .string("wlan0"), .int32(30))
    try addPoint(0, named: "Net", strength: 71)
    if points > 1 { try addPoints(points) }
    try tell(
      "AddWiFiConnection", .string(Self.wlan), .string("one"), .string("Net"), .string("wpa-psk"))
    try bus.tell(
      Self.name, Self.root, "ActivateConnection", .path("\(Self.root)/Settings/one"),
      .path(Self.wlan), .path(Self.point(0)), interface: Self.name)
  }

  /// Calls one of the methods that dbusmock adds.
  func tell(_ member: String, _ arguments: BusValue...) throws {
    _ = try bus.bus.ask(
      BusCall(Self.name, "/org/freedesktop", "org.freedesktop.DBus.Mock", member, arguments))
  }

  private static func point(_ number: Int) -> String { "\(root)/AccessPoint/p\(number)" }

  func addPoint(_ number: Int, named name: String, strength: UInt8) throws {
    try tell(
      "AddAccessPoint", .string(Self.wlan), .string("p\(number)"), .string(name),
      .string("02:00:00:00:01:0a"), .uint32(2), .uint32(2437), .uint32(54_000), .byte(strength),
      .uint32(0x100))
  }

  /// Many more of them, made by the daemon itself in one go.
  private func addPoints(_ count: Int) throws {
    let code = """
      for n in range(1, \(count)):
          self.AddObject('\(Self.root)/AccessPoint/p%d' % n, '\(Self.name).AccessPoint', {
              'Ssid': dbus.ByteArray(b'x' * 32), 'HwAddress': '02:00:00:00:00:01',
              'Flags': dbus.UInt32(0), 'WpaFlags': dbus.UInt32(0), 'RsnFlags': dbus.UInt32(0),
              'Frequency': dbus.UInt32(2412), 'Strength': dbus.Byte(5)}, [])
      """
    try tell(
      "AddMethod", .string("test.Many"), .string("Fill"), .string(""), .string(""), .string(code))
    try bus.tell(Self.name, "/org/freedesktop", "Fill", interface: "test.Many")
  }

  /// Makes the device name the access point in use, which dbusmock's own does not.
  func use(point: Int) throws {
    try bus.tell(
      Self.name, Self.wlan, "AddProperty", .string("\(Self.name).Device.Wireless"),
      .string("ActiveAccessPoint"), .variant(.path(Self.point(point))))
  }

  /// Makes a device that names the access point in use name another.
  func roam(to point: Int) throws {
    try set(Self.wlan, "Device.Wireless", "ActiveAccessPoint", .path(Self.point(point)))
  }

  /// Sets a property of an access point.
  func set(point: Int, _ property: String, _ value: BusValue) throws {
    try set(Self.point(point), "AccessPoint", property, value)
  }

  private func set(
    _ path: String, _ interface: String, _ property: String, _ value: BusValue
  ) throws {
    try bus.tell(
      Self.name, path, "Set", .string("\(Self.name).\(interface)"), .string(property),
      .variant(value), interface: "org.freedesktop.DBus.Properties")
  }
}
