import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct IIOChannelTests {
  private let folder = "/sys/bus/iio/devices/iio:device0"

  private func read(_ channel: String, _ files: [String: String]) throws -> Outcome {
    var contents: [String: String] = [:]
    for (name, text) in files { contents["\(folder)/\(name)"] = text + "\n" }
    let machine = try SourceKindsTests.machine(of: contents)
    let device = IIODevice(folder, on: machine)
    let attributes = IIOAttributes(of: device, in: machine.iio.files)
    return IIOChannel(channel, of: device, reading: attributes).read()
  }

  @Test(arguments: [
    ("accel_x", "2", 2.0, "m/s2"), ("accel_linear_x", "2", 2, "m/s2"),
    ("gravity_x", "2", 2, "m/s2"), ("anglvel_x", "0.5", 0.5, "rad/s"),
    ("magn_x", "0.45", 45, "uT"), ("pressure", "101.325", 101_325, "Pa"),
    ("temp", "21573", 21.573, "Cel"), ("temp_ambient", "-5", -0.005, "Cel"),
    ("humidityrelative", "45123", 45.123, "%"), ("illuminance", "300.5", 300.5, "lx"),
    ("voltage0", "3301", 3.301, "V"), ("current1", "250", 0.25, "A"), ("power", "17", 0.017, "W"),
    ("energy", "3", 3, "J"), ("concentration_co2", "0.04", 0.04, "%"),
    ("massconcentration_pm2p5", "12", 12, "ug/m3"), ("proximity", "77", 77, "1"),
    ("intensity_both", "9", 9, "1"), ("incli_x", "90", 90, "deg"), ("count0", "5", 5, "1"),
  ])
  func `units of the kernel become ours and nothing is lost`(
    channel: String, text: String, number: Double, unit: String
  ) throws {
    #expect(try read(channel, ["in_\(channel)_input": text]) == .ok(.double(number)))
    #expect(try read(channel, ["in_\(channel)_raw": text]) == .ok(.double(number)))
    let machine = try SourceKindsTests.machine(of: ["\(folder)/name": "kx\n"])
    #expect(IIOUnit(of: channel, on: IIODevice(folder, on: machine)).code == unit)
  }

  @Test func `input wins over raw, offset is added before the scale, calibration is left alone`()
    throws
  {
    let files = [
      "in_temp_raw": "100", "in_temp_offset": "-50", "in_temp_scale": "200",
      "in_temp_calibbias": "9", "in_temp_calibscale": "3",
    ]
    #expect(try read("temp", files) == .ok(.double(10)))
    let processed = files.merging(["in_temp_input": "21500"]) { $1 }
    #expect(try read("temp", processed) == .ok(.double(21.5)))
  }

  @Test func `3.2: a scale counts for a second, the raw number never`() throws {
    let fixture = try FixtureMachine(
      ["\(folder)/in_accel_x_raw": "100\n", "\(folder)/in_accel_scale": "2\n"], nature: .live)
    let device = IIODevice(folder, on: fixture.machine)
    let attributes = IIOAttributes(of: device, in: fixture.files)
    let channel = IIOChannel("accel_x", of: device, reading: attributes)
    attributes.begin(at: 5_000_000_000)
    #expect(channel.number() == 200)
    try fixture.write("3\n", to: "\(folder)/in_accel_scale")
    try fixture.write("101\n", to: "\(folder)/in_accel_x_raw")
    attributes.begin(at: 5_999_999_999)
    #expect(channel.number() == 202)
    attributes.begin(at: 6_000_000_000)
    #expect(channel.number() == 303)
    try fixture.write("4\n", to: "\(folder)/in_accel_scale")
    attributes.begin()
    #expect(channel.number() == 404)
  }

  @Test func `proximity is a distance only with a scale`() throws {
    let files = ["\(folder)/in_proximity_scale": "0.001\n"]
    let device = IIODevice(folder, on: try SourceKindsTests.machine(of: files))
    #expect(IIOUnit(of: "proximity", on: device).code == "m")
  }

  @Test func `inclination of a hub is in radians`() throws {
    let files = ["\(folder)/name": "incli_3d\n"]
    let device = IIODevice(folder, on: try SourceKindsTests.machine(of: files))
    #expect(IIOUnit(of: "incli_x", on: device).code == "rad")
  }

  @Test(arguments: [
    ("1,5", ValueStatus.failed, "cannot read \"1,5\""), ("0x10", .failed, "cannot read \"0x10\""),
    ("", .noData, "empty text"), ("nan", .failed, "cannot read \"nan\""),
    ("1 2", .failed, "cannot read \"1 2\""), ("9.81 m", .failed, "cannot read \"9.81 m\""),
  ])
  func `V7: what is no number is quoted, in raw and in scale`(
    text: String, status: ValueStatus, reason: String
  ) throws {
    let raw = try read("accel_x", ["in_accel_x_raw": text])
    #expect(raw.status == status)
    #expect(raw.absence?.reason == reason)
    let scale = try read("accel_x", ["in_accel_x_raw": "1", "in_accel_scale": text])
    #expect(scale.status == status)
    #expect(scale.absence?.reason == "in_accel_scale: \(reason)")
  }

  @Test func `a scale of zero, a missing channel and too large a number are no value`() throws {
    let zero = try read("accel_x", ["in_accel_x_raw": "1", "in_accel_scale": "0.000"])
    #expect(zero.absence?.reason == "in_accel_scale is zero")
    let missing = try read("accel_x", ["in_accel_y_raw": "1"])
    #expect(missing.status == .unsupported)
    #expect(missing.absence?.reason.contains("in_accel_x_raw") == true)
    let large = try read("magn_x", ["in_magn_x_raw": "1e300", "in_magn_scale": "1e300"])
    #expect(large.status == .failed)
  }

  @Test func `the four numbers of a quaternion are one vector`() throws {
    let files = ["in_rot_quaternion_raw": "0 -500 0 866", "in_rot_scale": "0.5"]
    #expect(try read("rot_quaternion", files) == .ok(.vector(Vector(0, -250, 0, 433))))
    #expect(try read("rot_quaternion", ["in_rot_quaternion_raw": "1"]).status == .failed)
  }
}
