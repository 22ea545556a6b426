import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct MagnetometerTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Magnetometer(), machine: machine.with(files: files)), files)
  }

  @Test func `every file of a sensor reaches its own property, each axis its own scale`() throws {
    let board = try harness("motion-board").0
    #expect(board.names == ["ak8963.1-000c", "ad7124./soc/i2c@fe806000/adc@48"])
    let found = try board.read("ak8963.1-000c")
    // The channel's own matrix goes before the device's.
    #expect(found.text("mount_matrix") == "0, 1, 0; 1, 0, 0; 0, 0, -1")
    #expect(found.text("frame") == "device")
    #expect(found.status("sampling_frequency") == .unsupported)
    let field = try #require(found.payload("magnetic_field")?.vector)
    let expected = Vector(-200 * 0.0016 * 100, 100 * 0.0015 * 100, -(50 * 0.0014 * 100))
    #expect(field == expected)
    let length = try #require(found.double("magnitude"))
    #expect(abs(length - (15.0 * 15 + 32 * 32 + 7 * 7).squareRoot()) < 1e-9)
    #expect(found.text("accuracy") == "medium")
  }

  @Test func `a field the Earth does not have is unreliable`() throws {
    let (board, files) = try harness("motion-board")
    for (raw, word) in [("1500", "unreliable"), ("0", "medium"), ("-200", "medium")] {
      files.write("\(raw)\n", to: "/sys/bus/iio/devices/iio:device1/in_magn_x_raw")
      #expect(try board.read("ak8963.1-000c").text("accuracy") == word, "\(raw)")
    }
    #expect(Magnetometer.accuracy(of: 25) == "medium")
    #expect(Magnetometer.accuracy(of: 65) == "medium")
    #expect(Magnetometer.accuracy(of: 24.9) == "unreliable")
    #expect(Magnetometer.accuracy(of: 65.1) == "unreliable")
  }

  @Test func `a processed value needs no scale; one empty axis takes the vector with it`() throws {
    let (hostile, files) = try harness("motion-hostile")
    let missing = try hostile.read("iio:device7")
    #expect(missing.status("magnetic_field") == .noData)
    #expect(missing.status("magnitude") == .noData)
    #expect(missing.status("accuracy") == .noData)
    files.write("0.2\n", to: "/sys/bus/iio/devices/iio:device7/in_magn_y_input")
    let whole = try hostile.read("iio:device7")
    #expect(whole.payload("magnetic_field") == .vector(Vector(50, 20, 10)))
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let derived = ["magnitude", "accuracy"]
    let axis = HostileFile(own: ["magnetic_field"], derived: derived, decidesInstance: true)
    let scale = HostileFile(derived: ["magnetic_field"] + derived)
    let matrix = HostileFile(derived: ["mount_matrix", "frame", "magnetic_field"] + derived)
    let names = ["name", "label", "dev"].flatMap { file in
      [0, 2, 3, 10].map { "/sys/bus/iio/devices/iio:device\($0)/\(file)" }
    }
    try expectOnlyOwnValuesChange(
      Magnetometer(), on: machine(named: "motion-board"), instance: "iio:device1",
      files: [
        "in_magn_x_raw": axis, "in_magn_y_raw": axis, "in_magn_z_raw": axis,
        "in_magn_x_scale": scale, "in_magn_y_scale": scale, "in_magn_z_scale": scale,
        "in_magn_x_mount_matrix": matrix, "mount_matrix": matrix,
        "/sys/bus/iio/devices/iio:device1/name": HostileFile(own: ["driver"]),
      ], ignoring: Set(names + ["in_magn_scale", "label"]))
  }
}
