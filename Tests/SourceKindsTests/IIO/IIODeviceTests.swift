import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing

@testable import SourceKinds

@Suite struct IIODeviceTests {
  private let folder = "/sys/bus/iio/devices/iio:device0"

  @Test func `an attribute is the channel's own, or shared by type, direction or device`() throws {
    let order = ["in_accel_x_scale", "in_accel_scale", "in_scale", "scale"]
    for first in order.indices {
      let contents = order[first...].reduce(into: [:]) { $0["\(folder)/\($1)"] = "1\n" }
      let device = IIODevice(folder, on: try SourceKindsTests.machine(of: contents))
      #expect(device.attribute("scale", of: "accel_x") == order[first])
    }
    let device = IIODevice(folder, on: try SourceKindsTests.machine(of: ["\(folder)/name": "kx\n"]))
    #expect(device.attribute("scale", of: "accel_x") == nil)
  }

  @Test(arguments: [
    ("voltage3", "in_voltage_scale"), ("voltage0-voltage1", "in_voltage-voltage_scale"),
    ("intensity0_ir", "in_intensity_scale"), ("accel_linear_x", "in_accel_scale"),
  ])
  func `numbers and modifiers are not part of a type`(channel: String, attribute: String) throws {
    let machine = try SourceKindsTests.machine(of: ["\(folder)/\(attribute)": "1\n"])
    #expect(IIODevice(folder, on: machine).attribute("scale", of: channel) == attribute)
    let other = try SourceKindsTests.machine(of: ["\(folder)/in_volt_scale": "1\n"])
    #expect(IIODevice(folder, on: other).attribute("scale", of: channel) == nil)
  }

  @Test(arguments: [
    ("/dev/iio:device0", Int32(13)), ("/sys/bus/iio/devices/iio:device0/buffer/enable", 1),
    ("/sys/bus/iio/devices/iio:device0/scan_elements/in_accel_x_en", 13),
  ])
  func `A1 A2 3.2 a buffer without rights to it is polling only before any start`(
    path: String, code: Int32
  ) throws {
    let fixture = try FixtureMachine(
      [
        "\(folder)/name": "kx\n", "\(folder)/buffer/enable": "0\n",
        "\(folder)/in_accel_x_raw": "1\n", "\(folder)/in_accel_y_raw": "1\n",
        "\(folder)/in_accel_z_raw": "1\n",
        "\(folder)/scan_elements/in_accel_x_en": "0\n", "/dev/iio:device0": "",
      ], nature: .live)
    let before = Accelerometer().discover(on: fixture.machine).instances
    #expect(before.map(\.availability.detail) == [""])
    fixture.fail(path, with: code)
    let found = Accelerometer().discover(on: fixture.machine).instances
    let availability = try #require(found.first?.availability)
    #expect(availability.state == .available)
    #expect(availability.detail == "polling only")
    #expect(availability.errno == code)
    #expect(availability.remedy.contains("90-gatheredkit-iio.rules"))
    #expect(fixture.files.reads(of: "/dev/iio:device0") == 0)
    fixture.fail(path, with: 2)
    let other = Accelerometer().discover(on: fixture.machine).instances
    #expect(other.map(\.availability.detail) == [""])
  }

  @Test func `the name is driver, label and place, which is left out when it says the same`() throws
  {
    let places = [
      ("soc/kx", "kx\n", "kx"), ("soc/1-0018", "kx\n", "kx.1-0018"),
      ("soc/HID-SENSOR-200073.3.auto", "accel_3d\n", "accel_3d.HID-SENSOR-200073"),
      ("pci0000:00/0000:00:1f.6", "kx\n", "kx.pci-0000:00:1f.6"),
      ("usb1/1-8/1-8:1.0", "kx\n", "kx.usb-1-8:1.0"),
    ]
    for (place, driver, name) in places {
      let machine = try FixtureMachine(
        ["/sys/devices/\(place)/iio:device0/name": driver],
        links: [folder: "../../../devices/\(place)/iio:device0"])
      #expect(IIODevice(folder, on: machine.machine).name == name)
    }
    let remote = try FixtureMachine(["\(folder)/name": "bmi160\n", "\(folder)/label": "lid\n"])
    #expect(IIODevice(folder, on: remote.machine).name == "bmi160.lid")
    let nameless = try FixtureMachine(["\(folder)/in_temp_raw": "1\n"])
    #expect(IIODevice(folder, on: nameless.machine).name == "iio:device0")
  }

  @Test func `only what the kernel counts as a device is one, in natural order`() throws {
    let devices = "/sys/bus/iio/devices"
    let machine = try FixtureMachine([
      "\(devices)/iio:device10/name": "a\n", "\(devices)/iio:device2/name": "b\n",
      "\(devices)/trigger0/name": "t\n", "\(devices)/iio:deviceX/name": "x\n",
      "\(devices)/iio:device/name": "y\n", "\(devices)/iio_sysfs_trigger/": "",
    ])
    let names = try IIODevice.all(on: machine.machine).map(\.kernelName)
    #expect(names == ["iio:device2", "iio:device10"])
  }

  @Test func `a hub is seen by its place, behind a network by its drivers' names`() throws {
    let device = "/sys/devices/pci0/001F:8087:0AC2.0003/HID-SENSOR-200073.1.auto/iio:device0"
    let local = try FixtureMachine(
      ["\(device)/name": "anything\n"], links: [folder: "../../..\(device.dropFirst(4))"])
    let found = IIODevice(folder, on: local.machine)
    #expect(found.isOnHub)
    #expect(found.hub == "/sys/devices/pci0/001F:8087:0AC2.0003")
    let remote = try FixtureMachine(["\(folder)/name": "accel_3d\n"])
    #expect(IIODevice(folder, on: remote.machine).isOnHub)
    let chip = try FixtureMachine(["\(folder)/name": "bmi160\n"])
    #expect(!IIODevice(folder, on: chip.machine).isOnHub)
  }

  @Test(arguments: [
    ("accel-display", "", "display"), ("accel-base", "E:ACCEL_LOCATION=display\n", "base"),
    ("accel-camera", "", "camera"), ("other", "E:ACCEL_LOCATION=base\n", "base"),
    ("accel-", "", "unknown"), ("display", "", "unknown"), ("", "E:ACCEL_LOCATION=\n", "unknown"),
    ("", "E:ACCEL_LOCATION=roof\n", "unknown"),
  ])
  func `a sensor is where its label says, or else udev`(label: String, udev: String, word: String)
    throws
  {
    let machine = try SourceKindsTests.machine(of: [
      "\(folder)/label": "\(label)\n", "\(folder)/dev": "250:7\n", "/run/udev/data/c250:7": udev,
    ])
    #expect(SensorLocation(of: IIODevice(folder, on: machine), on: machine).rawValue == word)
  }
}
