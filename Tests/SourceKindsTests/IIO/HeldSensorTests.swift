import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing

@testable import SourceKinds

/// Sensors whose driver refuses other readers while their buffer is in use.
@Suite struct HeldSensorTests {
  private static let device = "/sys/bus/iio/devices/iio:device0"
  private static let accelerations = ["x", "y", "z"].map { "\(device)/in_accel_\($0)_raw" }
  private static let temperature = "\(device)/in_temp_raw"

  /// A machine with one device, in a context of all kinds.
  private struct Desk {
    let fixture: FixtureMachine
    let context: Context

    init(_ attributes: [String], nature: Machine.Nature = .captured) throws {
      var contents = ["/proc/meminfo": "MemTotal: 10 kB\n", "\(device)/name": "bmc150\n"]
      for attribute in attributes { contents["\(device)/\(attribute)"] = "100\n" }
      fixture = try FixtureMachine(contents, nature: nature)
      context = try Context.open(
        on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    }

    func pass(_ seconds: Int64) throws {
      try context.seek(to: fixture.loop.clock.now.boot + seconds * 1_000_000_000)
    }
  }

  private func value(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  private static let chips: [(kind: String, key: String, attributes: [String])] = [
    ("accelerometer", "acceleration", ["in_accel_x_raw", "in_accel_y_raw", "in_accel_z_raw"]),
    ("gyroscope", "rotation_rate", ["in_anglvel_x_raw", "in_anglvel_y_raw", "in_anglvel_z_raw"]),
    ("magnetometer", "magnetic_field", ["in_magn_x_raw", "in_magn_y_raw", "in_magn_z_raw"]),
    ("device_attitude", "roll", ["in_accel_x_raw", "in_accel_y_raw", "in_accel_z_raw"]),
    ("altimeter", "pressure", ["in_pressure_input"]), ("proximity", "raw", ["in_proximity_raw"]),
    ("humidity", "relative_humidity", ["in_humidityrelative_input"]),
    ("ambient_light", "illuminance", ["in_illuminance_input"]),
    ("temperature", "temperature", ["in_temp_raw"]), ("steps", "count", ["in_steps_input"]),
    ("iio", "voltage0", ["in_voltage0_raw"]),
  ]

  @Test(arguments: chips.indices)
  func `3.2 A4 L10 a sensor that is held elsewhere is busy until it is tried again`(
    index: Int
  ) throws {
    let (kind, key, attributes) = Self.chips[index]
    let desk = try Desk(attributes)
    for attribute in attributes { desk.fixture.fail("\(Self.device)/\(attribute)", with: 16) }
    let source = try desk.context.open(kind)
    // Nothing is tried to find out (A2).
    _ = try desk.context.report()
    #expect(source.availability.group == .available, "\(kind)")
    try source.startUpdating(every: 1_000_000_000)
    #expect(source.isUpdating)
    try desk.pass(2)
    let busy = source.availability
    #expect(busy.state == .busy && busy.errno == 16 && busy.backend == "iio", "\(kind)")
    #expect(busy.detail.hasPrefix(Self.device))
    #expect(busy.remedy.contains("/dev/iio:device0") && busy.remedy.contains("iio-sensor-proxy"))
    #expect(source.isUpdating && value(source, key).status == .noData, "\(kind)")
    #expect(value(source, key).absence?.errno == 16)
    // What tries now is told the same.
    let other = try desk.context.open(kind)
    #expect(throws: SourceError.self) { try other.startUpdating(every: 1_000_000_000) }
    for attribute in attributes { desk.fixture.mend("\(Self.device)/\(attribute)") }
    try desk.pass(10)
    #expect(source.availability.state == .busy)
    try desk.pass(25)
    #expect(source.availability.group == .available, "\(kind)")
    #expect(source.isUpdating && value(source, key).status != .failed, "\(kind)")
    #expect(value(source, key).absence?.errno ?? 0 == 0)
    try desk.context.close()
  }

  @Test(arguments: chips.indices)
  func `A4 a start looks anew at a sensor that was held a moment ago`(index: Int) throws {
    let (kind, _, attributes) = Self.chips[index]
    let desk = try Desk(attributes)
    for attribute in attributes { desk.fixture.fail("\(Self.device)/\(attribute)", with: 16) }
    let source = try desk.context.open(kind)
    try source.startUpdating(every: 1_000_000_000)
    try desk.pass(2)
    #expect(source.availability.state == .busy, "\(kind)")
    try source.stopUpdating()
    #expect(throws: SourceError.self) { try source.startUpdating(every: 1_000_000_000) }
    for attribute in attributes { desk.fixture.mend("\(Self.device)/\(attribute)") }
    try source.startUpdating(every: 1_000_000_000)
    #expect(source.isUpdating && source.availability.group == .available, "\(kind)")
    try desk.context.close()
  }

  @Test func `V5 another sensor of the chip that can be read is not busy`() throws {
    let desk = try Desk([
      "in_accel_x_raw", "in_accel_y_raw", "in_accel_z_raw", "in_temp_raw",
    ])
    for path in Self.accelerations { desk.fixture.fail(path, with: 16) }
    let held = try desk.context.open("accelerometer")
    let free = try desk.context.open("temperature")
    try held.startUpdating(every: 1_000_000_000)
    try free.startUpdating(every: 1_000_000_000)
    for _ in 0..<3 {
      try desk.pass(1)
      #expect(free.availability.state == .available && value(free, "temperature").status == .ok)
    }
    #expect(held.availability.state == .busy)
    desk.fixture.fail(Self.temperature, with: 5)
    try desk.pass(1)
    #expect(value(free, "temperature").absence?.errno == 5)
    #expect(free.availability.state == .available)
    try desk.context.close()
  }

  @Test func `one property that is held costs itself only`() throws {
    let desk = try Desk(["in_pressure_input", "in_temp_input"])
    desk.fixture.fail("\(Self.device)/in_temp_input", with: 16)
    let source = try desk.context.open("altimeter")
    try source.startUpdating(every: 1_000_000_000)
    try desk.pass(2)
    #expect(source.availability.state == .available)
    #expect(value(source, "temperature").absence?.errno == 16)
    #expect(value(source, "pressure").status == .ok)
    try desk.context.close()
  }

  @Test func `N6 a device that is attached anew is no longer held`() throws {
    let desk = try Desk(["in_temp_raw"])
    desk.fixture.fail(Self.temperature, with: 16)
    let source = try desk.context.open("temperature")
    try source.startUpdating(every: 1_000_000_000)
    try desk.pass(2)
    #expect(source.availability.state == .busy)
    try desk.fixture.remove(Self.device)
    try desk.pass(1)
    #expect(source.availability.state == .disconnected)
    desk.fixture.mend(Self.temperature)
    try desk.fixture.write("bmc150\n", to: "\(Self.device)/name")
    try desk.fixture.write("100\n", to: Self.temperature)
    try desk.pass(2)
    #expect(source.availability.state == .available)
    #expect(value(source, "temperature").status == .ok)
    try desk.context.close()
  }

  @Test func `who holds a sensor is known until the next attempt, or for 30 s`() throws {
    let fixture = try FixtureMachine(nature: .live)
    let held = HeldSensors.of(fixture.machine)
    let heard = Monitor(0)
    let watch = try fixture.machine.notices?.subscribe(
      to: .devices(subsystem: "iio"), on: fixture.loop
    ) { _ in heard.withLock { $0 += 1 } }
    held.note("/a x", .others)
    held.note("/a x", .others)
    held.note("/b x", .service)
    fixture.loop.advance(to: fixture.loop.clock.now.boot)
    // What is no news is not told.
    #expect(heard.withLock { $0 } == 2)
    #expect(held.holder(of: "/a x") == .others && held.holder(of: "/b x") == .service)
    #expect(held.holder(of: "/a y") == nil)
    held.note("/b x", nil)
    #expect(held.holder(of: "/b x") == nil)
    fixture.loop.advance(to: fixture.loop.clock.now.boot + HeldSensors.memory)
    #expect(held.holder(of: "/a x") == nil)
    held.note("/a x", .others)
    held.forget(allBut: ["/b"])
    #expect(held.holder(of: "/a x") == nil)
    watch?.cancel()
  }
}
