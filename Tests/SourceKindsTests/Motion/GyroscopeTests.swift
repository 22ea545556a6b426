import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct GyroscopeTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Gyroscope(), machine: machine.with(files: files)), files)
  }

  @Test func `every chip with three axes of angular velocity is listed`() throws {
    #expect(
      try harness("motion-board").0.names == [
        "bmi160./soc/i2c@fe804000/imu@68", "itg3200.2-0069",
      ])
    #expect(try harness("motion-laptop").0.names == ["gyro_3d.HID-SENSOR-200076"])
  }

  @Test func `every file of a sensor reaches its own property`() throws {
    let board = try harness("motion-board").0
    let found = try board.read("itg3200.2-0069")
    let scale = 0.000001214142
    #expect(
      found.payload("rotation_rate") == .vector(Vector(100 * scale, 200 * scale, -300 * scale)))
    // (raw + offset) × scale, in thousandths of a degree.
    #expect(found.payload("temperature") == .double((-13000.0 + 23000) * 3.571428571 / 1000))
    #expect(found.text("driver") == "itg3200")
    #expect(found.text("location") == "unknown")
    #expect(found.status("sampling_frequency") == .noData)
    let other = try board.read("iio:device0")
    #expect(other.payload("sampling_frequency") == .double(200))
    #expect(other.status("temperature") == .unsupported)
    #expect(
      other.payload("rotation_rate")
        == .vector(Vector(-(10 * 0.001065), 20 * 0.001065, 30 * 0.001065)))
    #expect(other.text("frame") == "device")
  }

  @Test func `a matrix that mirrors is never applied to a rotation`() throws {
    let found = try harness("motion-board").0.read("itg3200.2-0069")
    #expect(found.status("mount_matrix") == .failed)
    #expect(found.reason("mount_matrix")?.contains("mirrors") == true)
    #expect(found.text("frame") == "sensor")
  }

  @Test func `udev's matrix is for accelerometers only`() throws {
    let (laptop, files) = try harness("motion-laptop")
    files.write("E:ACCEL_MOUNT_MATRIX=-1,0,0;0,-1,0;0,0,1\n", to: "/run/udev/data/+iio:iio:device4")
    let found = try laptop.read("gyro_3d.HID-SENSOR-200076")
    #expect(found.status("mount_matrix") == .unsupported)
    #expect(
      found.payload("rotation_rate")
        == .vector(Vector(1000 * 0.000017453, 2000 * 0.000017453, -3000 * 0.000017453)))
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let vector = HostileFile(own: ["rotation_rate"], decidesInstance: true)
    try expectOnlyOwnValuesChange(
      Gyroscope(), on: machine(named: "motion-board"), instance: "iio:device3",
      files: [
        "in_anglvel_x_raw": vector, "in_anglvel_y_raw": vector, "in_anglvel_z_raw": vector,
        "in_anglvel_scale": HostileFile(derived: ["rotation_rate"]),
        "in_temp_raw": HostileFile(own: ["temperature"]),
        "in_temp_scale": HostileFile(derived: ["temperature"]),
        "in_temp_offset": HostileFile(derived: ["temperature"]),
        "in_anglvel_mount_matrix": HostileFile(
          derived: ["mount_matrix", "rotation_rate", "frame"]),
        "sampling_frequency": HostileFile(derived: ["sampling_frequency"]),
        "/sys/bus/iio/devices/iio:device3/name": HostileFile(own: ["driver"]),
      ],
      ignoring: [
        "label", "dev", "in_accel_raw_available", "in_anglvel_raw_available",
        "/sys/bus/iio/devices/iio:device0/name", "/sys/bus/iio/devices/iio:device1/name",
        "/sys/bus/iio/devices/iio:device2/name", "/sys/bus/iio/devices/iio:device10/name",
        "/sys/bus/iio/devices/iio:device0/in_anglvel_scale",
      ])
  }
}
