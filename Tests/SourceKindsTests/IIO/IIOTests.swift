import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct IIOTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(IIO(), machine: machine.with(files: files)), files)
  }

  @Test func `N5: the kind itself has the common tail only`() {
    #expect(
      IIO().properties.map(\.key) == [
        "sampling_frequency", "acquisition", "driver", "label", "location", "frame",
      ])
  }

  @Test func `every device is listed, whatever it measures`() throws {
    #expect(try harness("motion-laptop").0.names.count == 7)
    #expect(
      try harness("motion-board").0.names == [
        "bmi160./soc/i2c@fe804000/imu@68", "ak8963.1-000c", "kxsd9.accel-camera.2-0018",
        "itg3200.2-0069", "ad7124./soc/i2c@fe806000/adc@48",
      ])
  }

  @Test func `channels come in scan order, then by name, each with its unit`() throws {
    let board = try harness("motion-board").0
    let properties = try #require(board.instance(alias: "iio:device10")?.properties)
    let list = properties.dropLast(6).map { "\($0.key) \($0.unit ?? "")" }
    #expect(
      list == [
        "voltage0_voltage1 V", "temp Cel", "accel_x m/s2", "concentration_co2 %", "current1 A",
        "magn uT", "proximity 1", "voltage0 V", "out_voltage0 V",
      ])
    #expect(
      properties.allSatisfy { $0.key != "magn" || $0.type == .vector(components: ["x", "y", "z"]) })
  }

  @Test func `every channel reaches its own property, outputs are read too`() throws {
    let found = try harness("motion-board").0.read("iio:device10")
    let payloads: [String: Value] = [
      "voltage0_voltage1": .double((-500.0 + 10) * 2 / 1000), "temp": .double(21.5),
      "accel_x": .double(5), "concentration_co2": .double(400 * 0.0001),
      "current1": .double(1), "proximity": .double(77), "voltage0": .double(0.5),
      "out_voltage0": .double(3), "magn": .vector(Vector(50, 100, 150)),
      "driver": .string("ad7124"), "frame": .string("sensor"),
    ]
    for (key, payload) in payloads { #expect(found.payload(key) == payload, "\(key)") }
  }

  @Test func `a quaternion is one vector of four, in the kernel's order`() throws {
    let laptop = try harness("motion-laptop").0
    let table = try #require(laptop.instance(alias: "iio:device6")?.properties)
    #expect(table[0].key == "rot_quaternion")
    #expect(table[0].type == .vector(components: ["x", "y", "z", "w"]))
    let found = try laptop.read("iio:device6").payload("rot_quaternion")?.vector
    #expect(found == Vector(0, 0, 706107 * 0.000001, 708106 * 0.000001))
  }

  @Test func `a channel that fails has its own outcome`() throws {
    let (board, files) = try harness("motion-board")
    let folder = "/sys/bus/iio/devices/iio:device10"
    files.alter("\(folder)/in_current1_raw", .failing(5))
    files.alter("\(folder)/in_magn_y_raw", .failing(13))
    files.write("\n", to: "\(folder)/in_proximity_raw")
    let found = try board.read("iio:device10")
    #expect(found.status("current1") == .failed)
    #expect(found.status("magn") == .permission)
    #expect(found.status("proximity") == .noData)
    #expect(found.status("voltage0") == .ok)
  }

  @Test func `V1: a device that has other channels now is another one`() throws {
    let (board, files) = try harness("motion-board")
    let instance = try #require(board.instance(alias: "iio:device10"))
    files.alter("/sys/bus/iio/devices/iio:device10/in_temp_input", .missing)
    files.alter("/sys/bus/iio/devices/iio:device10/in_proximity_raw", .missing)
    #expect(throws: SourceError.unavailable(.gone(instance))) {
      _ = try IIO().open(instance, on: board.machine)
    }
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let (harness, files) = try harness("motion-board")
    _ = harness.names
    let elsewhere = files.filesRead.filter { !$0.contains("iio:device10/") }
    // A channel without its file is none, so that its property goes with it.
    let channel = { (key: String) in HostileFile(derived: [key]) }
    let shared = { (keys: String...) in HostileFile(derived: keys) }
    try expectOnlyOwnValuesChange(
      IIO(), on: machine(named: "motion-board"), instance: "iio:device10",
      files: [
        "in_voltage0-voltage1_raw": channel("voltage0_voltage1"),
        "in_voltage-voltage_scale": shared("voltage0_voltage1"),
        "in_voltage-voltage_offset": shared("voltage0_voltage1"),
        "in_temp_input": channel("temp"), "in_accel_x_raw": channel("accel_x"),
        "in_concentration_co2_raw": channel("concentration_co2"),
        "in_concentration_co2_scale": shared("concentration_co2"),
        "in_current1_raw": channel("current1"), "in_current_scale": shared("current1"),
        "in_magn_scale": shared("magn"), "in_proximity_raw": channel("proximity"),
        // Without the input, the output has the channel's plain name.
        "in_voltage0_vccint_raw": shared("voltage0", "out_voltage0"),
        "in_voltage0_vccint_scale": shared("voltage0"),
        "out_voltage0_raw": channel("out_voltage0"), "out_voltage_scale": shared("out_voltage0"),
        "/sys/bus/iio/devices/iio:device10/name": HostileFile(own: ["driver"]),
        "/sys/bus/iio/devices/iio:device10/dev": HostileFile(),
      ],
      ignoring: Set(
        elsewhere + [
          "in_magn_x_raw", "in_magn_y_raw", "in_magn_z_raw", "in_voltage0-voltage1_index",
          "in_temp_index", "label",
        ]))
  }
}
