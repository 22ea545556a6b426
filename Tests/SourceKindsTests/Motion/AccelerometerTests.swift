import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct AccelerometerTests {
  private static let display = #"bmc150_accel.\_SB_.PCI0.I2C0.ACC0"#
  private static let base = #"bmc150_accel.accel-base.\_SB_.PCI0.I2C0.ACC1"#

  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Accelerometer(), machine: machine.with(files: files)), files)
  }

  @Test func `the display's sensor comes first, then unknown ones, then the base's`() throws {
    let laptop = try harness("motion-laptop").0
    #expect(laptop.names == [Self.display, "accel_3d.HID-SENSOR-200073", Self.base])
    let first = try #require(laptop.discover().instances.first)
    #expect(first.aliases == ["iio:device0"])
    #expect(first.availability == Availability(.available, backend: "iio"))
    #expect(laptop.instance(Self.base)?.label == "accel-base")
    #expect(
      try harness("motion-board").0.names == [
        "bmi160./soc/i2c@fe804000/imu@68", "kxsd9.accel-camera.2-0018",
      ])
  }

  @Test func `a polled hub has its own floor, for its own reason`() throws {
    let laptop = try harness("motion-laptop").0
    #expect(laptop.instance(Self.display)?.pollingFloor?.interval == 10_000_000)
    let hub = try #require(laptop.instance("accel_3d.HID-SENSOR-200073")?.pollingFloor)
    #expect(hub.interval == 250_000_000)
    #expect(hub.reason.contains("hub"))
  }

  @Test func `every file of a sensor reaches its own property`() throws {
    let found = try harness("motion-laptop").0.read(Self.display)
    // udev's matrix: device x = −y of the chip, device y = −x.
    let expected = Vector(1004 * 0.009582, 12 * 0.009582, 168 * 0.009582)
    #expect(found.payload("acceleration") == .vector(expected))
    let payloads: [String: Value] = [
      "orientation": .string("left-up"), "inverted": .bool(false),
      "mount_matrix": .string("0, -1, 0; -1, 0, 0; 0, 0, 1"), "sampling_frequency": .double(15.62),
      "acquisition": .string("poll"), "driver": .string("bmc150_accel"),
      "location": .string("display"), "frame": .string("device"),
    ]
    for (key, payload) in payloads { #expect(found.payload(key) == payload, "\(key)") }
    for key in ["linear_acceleration", "gravity", "label"] {
      #expect(found.status(key) == .unsupported, "\(key)")
    }
  }

  @Test func `the kernel's mount matrix wins over udev's`() throws {
    let found = try harness("motion-laptop").0.read(Self.base)
    #expect(found.text("mount_matrix") == "0, 1, 0; -1, 0, 0; 0, 0, 1")
    #expect(found.text("location") == "base")
    #expect(
      found.payload("acceleration")
        == .vector(Vector(2 * 0.009582, -3 * 0.009582, 1023 * 0.009582)))
  }

  @Test func `gravity is a sibling's of the same hub, and no accelerometer itself`() throws {
    let found = try harness("motion-laptop").0.read("iio:device2")
    #expect(
      found.payload("gravity") == .vector(Vector(0, -1_000_000 * 0.000009806, 10 * 0.000009806)))
    #expect(found.text("orientation") == "normal")
    #expect(found.text("frame") == "sensor")
    #expect(found.status("mount_matrix") == .unsupported)
    #expect(try !harness("motion-hostile").0.names.contains { $0.hasPrefix("gravity") })
  }

  @Test
  func `scale and offset may belong to the type or to the device; calibration is not applied`()
    throws
  {
    let board = try harness("motion-board").0
    #expect(
      try board.read("iio:device0").payload("acceleration")
        == .vector(Vector(-(164 * 0.000598), 328 * 0.000598, 16384 * 0.000598)))
    #expect(
      try board.read("iio:device2").payload("acceleration")
        == .vector(Vector(0, 10 * 0.012, 820 * 0.012)))
  }

  @Test func `resolution is the scale, range what the driver lists`() throws {
    let board = try harness("motion-board").0
    let acceleration = try #require(board.instance(alias: "iio:device0")?.properties?.first)
    #expect(acceleration.resolution == 0.000598)
    let (lowest, highest) = (-32768 * 0.000598, 32767 * 0.000598)
    #expect(acceleration.range == lowest...highest)
    let other = try #require(board.instance(alias: "iio:device2")?.properties?.first)
    #expect(other.resolution == 0.012)
    #expect(other.range == nil)
  }

  @Test func `N6: chips keep their names when the kernel counts them otherwise`() throws {
    let one = [
      "iio:device0": "platform/i2c-1/1-0018/iio:device0",
      "iio:device1": "platform/i2c-1/1-0019/iio:device1",
    ]
    let other = [
      "iio:device0": "platform/i2c-1/1-0019/iio:device0",
      "iio:device1": "platform/i2c-1/1-0018/iio:device1",
    ]
    #expect(try names(of: one) == ["kx.1-0018": "1", "kx.1-0019": "2"])
    #expect(try names(of: other) == ["kx.1-0018": "1", "kx.1-0019": "2"])
    // The same, where the place alone does not tell them apart.
    let twins = [
      "iio:device0": "hub/HID-SENSOR-200073.2.auto/iio:device0",
      "iio:device1": "hub/HID-SENSOR-200073.10.auto/iio:device1",
    ]
    let swapped = [
      "iio:device0": "hub/HID-SENSOR-200073.10.auto/iio:device0",
      "iio:device1": "hub/HID-SENSOR-200073.2.auto/iio:device1",
    ]
    let expected = ["kx.HID-SENSOR-200073": "1", "kx.HID-SENSOR-200073~2": "2"]
    #expect(try names(of: twins) == expected)
    #expect(try names(of: swapped) == expected)
  }

  /// The names of chips, each with its x; the earlier place has 1, the later 2.
  private func names(of devices: [String: String]) throws -> [String: String] {
    var contents: [String: String] = [:]
    var links: [String: String] = [:]
    let places = devices.values.sorted(by: NaturalOrder.areInIncreasingOrder)
    for (name, place) in devices {
      let folder = "/sys/devices/\(place)"
      contents["\(folder)/name"] = "kx\n"
      let first = places[0].hasPrefix(place)
      for axis in ["x", "y", "z"] {
        contents["\(folder)/in_accel_\(axis)_raw"] = first ? "1\n" : "2\n"
      }
      links["/sys/bus/iio/devices/\(name)"] = "../../../devices/\(place)"
    }
    let machine = try FixtureMachine(contents, links: links)
    let harness = KindHarness(Accelerometer(), machine: machine.machine)
    var found: [String: String] = [:]
    for name in harness.names {
      let x = try harness.read(name).payload("acceleration")?.vector?.x ?? 0
      found[name] = "\(Int(x))"
    }
    return found
  }

  @Test func `inverted negates the three vectors of one session, and says so`() throws {
    let kind = Accelerometer()
    var reading = Reading(properties: kind.properties.count)
    reading[Accelerometer.Field.acceleration] = .ok(.vector(Vector(1, -2, 0)))
    reading[Accelerometer.Field.gravity] = .ok(.vector(Vector(0, 9.5, 0)))
    reading[Accelerometer.Field.linearAcceleration] = .unsupported("none")
    reading[Accelerometer.Field.orientation] = .ok(.string("normal"))
    reading[Accelerometer.Field.inverted] = .ok(.bool(false))
    let plain = SessionFacts()
    let inverted = SessionFacts(settings: [Accelerometer.Field.inverted.rawValue: .bool(true)])
    #expect(!kind.adapts(to: plain))
    #expect(kind.adapts(to: inverted))
    var same = reading
    kind.adapt(&same, to: plain)
    #expect(same.outcomes == reading.outcomes)
    kind.adapt(&reading, to: inverted)
    #expect(reading[Accelerometer.Field.acceleration] == .ok(.vector(Vector(-1, 2, 0))))
    #expect(reading[Accelerometer.Field.gravity] == .ok(.vector(Vector(0, -9.5, 0))))
    #expect(reading[Accelerometer.Field.linearAcceleration].status == .unsupported)
    #expect(reading[Accelerometer.Field.orientation] == .ok(.string("normal")))
    #expect(reading[Accelerometer.Field.inverted] == .ok(.bool(true)))
  }

  @Test func `V6: what cannot be made a number says which file and why`() throws {
    let hostile = try harness("motion-hostile").0
    let text = try hostile.read("iio:device0")
    #expect(text.status("acceleration") == .failed)
    #expect(text.reason("acceleration") == "in_accel_scale: cannot read \"text\"")
    #expect(text.status("orientation") == .failed)
    #expect(text.status("driver") == .ok)
    let comma = try hostile.read("iio:device1")
    #expect(comma.reason("acceleration") == "cannot read \"9,81\"")
    #expect(comma.status("mount_matrix") == .failed)
    #expect(comma.reason("mount_matrix")?.contains("not orthogonal") == true)
    #expect(comma.text("frame") == "sensor")
    let zero = try hostile.read("iio:device2")
    #expect(zero.reason("acceleration") == "in_accel_scale is zero")
    #expect(zero.status("mount_matrix") == .failed)
    let outside = try hostile.read("iio:device3")
    #expect(outside.status("acceleration") == .failed)
    #expect(outside.reason("mount_matrix")?.contains("three rows") == true)
    #expect(try hostile.read("iio:device6").reason("acceleration") == "accel_z is too large")
  }

  @Test func `N7: names that are taken get a number, aggregate is aggregate~1`() throws {
    let names = try harness("motion-hostile").0.names
    #expect(names == ["twin", "twin~2", "zero", "aggregate~1", "\u{FFFD}\u{FFFD} label.nameless"])
  }

  @Test func `a machine without IIO, or with nothing that accelerates, has no hardware`() throws {
    let (laptop, files) = try harness("motion-laptop")
    files.alter("/sys/bus/iio/devices", .missing)
    #expect(laptop.discover().absence.state == .noHardware)
    files.alter("/sys/bus/iio/devices", nil)
    for axis in 0...2 {
      files.alter("/sys/bus/iio/devices/iio:device\(axis)/in_accel_y_raw", .missing)
    }
    #expect(laptop.discover().instances.isEmpty)
    #expect(
      laptop.discover().absence.detail == "no device in /sys/bus/iio/devices is an accelerometer")
  }

  @Test func `E3: a computer that does not answer has no iiod running`() throws {
    for code: Int32 in [104, 107, 110, 111, 113] {
      let tree = try FixtureMachine()
      tree.fail("/sys/bus/iio/devices", with: code)
      let absence = KindHarness(Accelerometer(), machine: tree.machine).discover().absence
      #expect(absence.state == .serviceNotRunning, "\(code)")
      #expect(absence.errno == code)
      #expect(absence.remedy.hasPrefix("start iiod on "))
    }
  }

  @Test func `E3: a chip that is held elsewhere is busy, and its neighbours are not`() throws {
    let (laptop, files) = try harness("motion-laptop")
    files.alter("/sys/bus/iio/devices/iio:device0/in_accel_x_raw", .failing(16))
    let found = try laptop.read(Self.display)
    #expect(found.status("acceleration") == .failed)
    #expect(found["acceleration"]?.absence?.errno == 16)
    #expect(found.status("sampling_frequency") == .ok)
  }

  @Test func `V3: the raw text of a vector is that of its axes`() throws {
    let raw = try harness("motion-laptop").0.raw(Self.display, "acceleration")
    #expect(raw?.bytes == Array("-12\n-1004\n168\n".utf8))
    #expect(
      try harness("motion-laptop").0.raw(Self.display, "mount_matrix")?.place
        == "/run/udev/data/c250:0")
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let vector = HostileFile(
      own: ["acceleration"], derived: ["orientation"], decidesInstance: true)
    let shared = HostileFile(derived: ["acceleration", "orientation"])
    try expectOnlyOwnValuesChange(
      Accelerometer(), on: machine(named: "motion-board"), instance: "iio:device0",
      files: [
        "in_accel_x_raw": vector, "in_accel_y_raw": vector, "in_accel_z_raw": vector,
        "in_accel_scale": shared, "in_accel_raw_available": shared,
        "in_mount_matrix": HostileFile(
          own: ["mount_matrix"], derived: ["acceleration", "orientation", "frame"]),
        "in_accel_sampling_frequency": HostileFile(own: ["sampling_frequency"]),
        "/sys/bus/iio/devices/iio:device0/name": HostileFile(
          own: ["driver"]),
        "/sys/bus/iio/devices/iio:device0/dev": HostileFile(),
      ],
      ignoring: [
        "path", "in_scale", "in_offset", "label", "/sys/bus/iio/devices/iio:device1/name",
        "/sys/bus/iio/devices/iio:device2/name", "/sys/bus/iio/devices/iio:device3/name",
        "/sys/bus/iio/devices/iio:device10/name", "dev", "in_accel_x_raw_available",
      ])
  }
}
