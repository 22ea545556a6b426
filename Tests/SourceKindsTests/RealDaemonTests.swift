import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Testing
import Values

@testable import SourceKinds

/// A daemon as Debian packages it.
private struct Daemon {
  let name: String
  let places: [String]

  /// Where it is installed, if it is.
  var program: String? { places.first { access($0, X_OK) == 0 } }
  /// Whether what it takes to run it is installed.
  var isInstalled: Bool {
    program != nil && PrivateBus.isInstalled && access("/usr/bin/umockdev-run", X_OK) == 0
  }

  static let power = Daemon(
    name: "org.freedesktop.UPower", places: ["/usr/libexec/upowerd", "/usr/lib/upower/upowerd"])
  static let sensors = Daemon(
    name: "net.hadess.SensorProxy",
    places: ["/usr/libexec/iio-sensor-proxy", "/usr/sbin/iio-sensor-proxy"])
}

/// A real daemon on a bus of the test's own, which takes a tree's devices for this computer's; one
/// context that knows of them by the daemon alone, and one that reads the tree itself.
private final class Desk {
  let tree: TemporaryFolder
  let told: Context
  let seen: Context
  private let bus: PrivateBus
  private let daemon: Daemon
  private var child: ChildProcess?

  init(_ daemon: Daemon, _ kinds: [any SourceKind], _ fill: (TemporaryFolder) throws -> Void) throws
  {
    self.daemon = daemon
    bus = try PrivateBus()
    tree = try TemporaryFolder()
    try fill(tree)
    let address = bus.address.split(separator: "=").joined(separator: "%3D")
    // A tree of its own, in which there is none of the devices.
    try tree.makeFolder("/elsewhere/proc")
    told = try Context.open(
      "local:root=\(tree.path)/elsewhere&bus=\(address)", allow: .all, catalogue: kinds)
    seen = try Context.open("local:root=\(tree.path)", allow: .all, catalogue: kinds)
  }

  func start() throws {
    let program = try #require(daemon.program)
    child = try bus.run([program], owning: daemon.name, seeing: tree.path)
    try told.rescan()
  }

  func stop() { child?.stop() }
  func kill() { child?.end() }
  func pause() { child?.pause() }
  func resume() { child?.resume() }

  func close() throws {
    try told.close()
    try seen.close()
  }
}

extension TemporaryFolder {
  /// Adds a device of a subsystem to a list of the kernel's.
  fileprivate func add(
    _ device: String, _ subsystem: String, listed list: String, _ files: [String: String]
  ) throws {
    let folder = "/sys/devices/platform/\(device).parent/\(device)"
    for (file, text) in files { try write("\(folder)/\(file)", text) }
    try makeFolder(list)
    try link("\(folder)/subsystem", to: "../../../../\(subsystem)")
    let up = String(repeating: "../", count: list.split(separator: "/").count - 1)
    try link("\(list)/\(device)", to: "\(up)devices/platform/\(device).parent/\(device)")
  }

  fileprivate func write(_ file: String, _ text: String) throws {
    try write(Array("\(text)\n".utf8), to: file)
  }
}

private func value(_ source: Source, _ key: String) -> Sample {
  let index = source.properties.firstIndex { $0.key == key } ?? 0
  return source.allValues[index]
}

/// Goes through a stop, a hang-up and a death of a daemon while a source updates (sources L10).
private func goThrough(_ desk: Desk, _ source: Source, _ key: String, _ payload: Value) throws {
  for end in [desk.stop, desk.kill] {
    #expect(Patience.wait { value(source, key).payload == payload })
    end()
    #expect(Patience.wait { value(source, key).status == .noData })
    #expect(Patience.wait { source.availability.group == .unavailable })
    #expect(source.isUpdating)
    try desk.start()
    #expect(Patience.wait { source.availability.group == .available })
  }
  #expect(Patience.wait { value(source, key).payload == payload })
}

/// UPower itself.
@Suite(.serialized, .enabled(if: Daemon.power.isInstalled, "upower or umockdev is not installed"))
struct RealPowerDaemonTests {
  private static let files = [
    "uevent": "POWER_SUPPLY_NAME=BAT0\nPOWER_SUPPLY_TYPE=Battery", "type": "Battery",
    "present": "1", "status": "Discharging", "capacity": "42", "energy_full": "60000000",
    "energy_full_design": "80000000", "energy_now": "25200000", "voltage_now": "12000000",
    "power_now": "9000000", "technology": "Li-ion", "manufacturer": "ACME", "model_name": "Cell",
    "serial_number": "0815",
  ]

  private func desk() throws -> Desk {
    let desk = try Desk(.power, [Battery()]) { tree in
      try tree.add(
        "BAT0", "class/power_supply", listed: "/sys/class/power_supply", Self.files)
    }
    try desk.start()
    return desk
  }

  @Test func `4.13 what UPower tells of a battery is what the kernel tells`() throws {
    let desk = try desk()
    let told = try desk.told.open("battery|BAT0")
    let seen = try desk.seen.open("battery|BAT0")
    _ = try seen.updateValues()
    let keys = [
      "level", "state", "energy", "energy_full", "energy_full_design", "power", "voltage",
      "technology", "manufacturer", "model", "serial", "scope", "time_to_empty", "health",
    ]
    for key in keys {
      let isEqual = Patience.wait {
        _ = try? told.updateValues()
        return value(told, key).payload.isClose(to: value(seen, key).payload)
      }
      let text = "\(String(describing: value(told, key).payload))"
      #expect(isEqual, "\(key): \(text), \(String(describing: value(seen, key).payload))")
    }
    try desk.close()
  }

  @Test func `H4 L10 UPower is stopped, killed and started while a source updates`() throws {
    let desk = try desk()
    let source = try desk.told.open("battery|BAT0")
    try source.startUpdating(every: 1_000_000_000)
    try goThrough(desk, source, "level", .double(0.42))
    try desk.close()
  }
}

/// iio-sensor-proxy itself.
@Suite(
  .serialized,
  .enabled(if: Daemon.sensors.isInstalled, "iio-sensor-proxy or umockdev is not installed"))
struct RealSensorProxyTests {
  private static let chip = "/sys/bus/iio/devices/iio:device0"

  private func desk() throws -> Desk {
    let desk = try Desk(.sensors, [Accelerometer(), AmbientLight(), Compass()]) { tree in
      try tree.add(
        "iio:device0", "bus/iio", listed: "/sys/bus/iio/devices",
        [
          "uevent": "DEVTYPE=iio_device\nIIO_SENSOR_PROXY_TYPE=iio-poll-accel", "name": "kxcjk",
          "in_accel_x_raw": "0", "in_accel_y_raw": "-1000", "in_accel_z_raw": "0",
          "in_accel_scale": "0.00981", "sampling_frequency": "10",
        ])
      try tree.add(
        "iio:device1", "bus/iio", listed: "/sys/bus/iio/devices",
        [
          "uevent": "DEVTYPE=iio_device\nIIO_SENSOR_PROXY_TYPE=iio-poll-als", "name": "als",
          "in_illuminance_raw": "1000", "in_illuminance_scale": "0.25",
        ])
    }
    try desk.start()
    return desk
  }

  private func turn(_ desk: Desk, _ x: Int, _ y: Int) throws {
    try desk.tree.write(Self.chip + "/in_accel_x_raw", "\(x)")
    try desk.tree.write(Self.chip + "/in_accel_y_raw", "\(y)")
  }

  @Test func `4.10 the daemon's word for a posture is ours`() throws {
    let desk = try desk()
    let told = try desk.told.open("accelerometer")
    let seen = try desk.seen.open("accelerometer")
    #expect(told.availability.detail == "orientation only")
    try told.startUpdating(every: 200_000_000)
    for (x, y, word) in [
      (0, -1000, "normal"), (1000, 0, "left-up"), (0, 1000, "bottom-up"), (-1000, 0, "right-up"),
    ] {
      try turn(desk, x, y)
      _ = try seen.updateValues()
      #expect(value(seen, "orientation").payload == .string(word))
      #expect(Patience.wait { value(told, "orientation").payload == .string(word) }, "\(word)")
    }
    try desk.close()
  }

  @Test func `3.4 L10 the daemon is stopped, killed and started, and claimed each time`() throws {
    let desk = try desk()
    let source = try desk.told.open("accelerometer")
    try source.startUpdating(every: 200_000_000)
    try goThrough(desk, source, "orientation", .string("normal"))
    // It measures for those who have claimed the sensor only.
    try turn(desk, 1000, 0)
    #expect(Patience.wait { value(source, "orientation").payload == .string("left-up") })
    try desk.close()
  }

  @Test func `5.1 the light is what the sensor measures`() throws {
    let desk = try desk()
    let told = try desk.told.open("ambient_light")
    try told.startUpdating(every: 200_000_000)
    #expect(Patience.wait { value(told, "illuminance").payload == .double(250) })
    try goThrough(desk, told, "illuminance", .double(250))
    try desk.close()
  }

  @Test func `4.7 a daemon without a compass shows none`() throws {
    let desk = try desk()
    #expect(try desk.told.sources(of: "compass").isEmpty)
    try desk.close()
  }

  @Test func `T7 a daemon that hangs is waited for, and goes on where it was`() throws {
    let desk = try desk()
    let source = try desk.told.open("accelerometer")
    try source.startUpdating(every: 200_000_000)
    #expect(Patience.wait { value(source, "orientation").payload == .string("normal") })
    desk.pause()
    #expect(Patience.wait { value(source, "orientation").status == .failed })
    #expect(source.isUpdating)
    desk.resume()
    #expect(Patience.wait { value(source, "orientation").payload == .string("normal") })
    try desk.close()
  }
}

extension Value? {
  /// Whether both are there and the same, numbers within a rounding.
  fileprivate func isClose(to other: Value?) -> Bool {
    guard let one = self, let other else { return false }
    guard let left = one.number, let right = other.number else { return one == other }
    return abs(left - right) <= 1e-9 * max(abs(left), abs(right))
  }
}
