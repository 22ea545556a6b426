import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing

@testable import SourceKinds

@Suite struct AmbientLightTests {
  private static let hub = "als.HID-SENSOR-200041"
  private static let wakes = "/sys/power/suspend_stats/success"

  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(AmbientLight(), machine: machine.with(files: files)), files)
  }

  @Test func `sensors of IIO come before monitoring chips`() throws {
    #expect(
      try harness("sensors-several").0.names == [
        "vcnl4000.3-0048", Self.hub, "tcs3472.4-0029", "tsl2563.4-0039", "veml6070.4-0010",
        "applesmc.applesmc.768",
      ])
  }

  @Test(arguments: [
    ("illuminance_input", 217.5), ("illuminance0_input", 217.5), ("illuminance_clear_input", 217.5),
    ("illuminance_raw", 217.5), ("illuminance0_raw", 217.5), ("illuminance_clear_raw", 217.5),
  ])
  func `each spelling of the attribute is the illuminance`(_ name: String, _ lux: Double) throws {
    let folder = "/sys/devices/platform/als/iio:device0"
    let fixture = try FixtureMachine(
      ["\(folder)/name": "als9\n", "\(folder)/in_\(name)": "\(lux)\n"],
      links: ["/sys/bus/iio/devices/iio:device0": folder])
    let harness = KindHarness(AmbientLight(), machine: fixture.machine)
    #expect(harness.names == ["als9.als"])
    #expect(try harness.read("als9.als").double("illuminance") == lux)
    #expect(try harness.read("als9.als").status("intensity") == .unsupported)
  }

  @Test func `every channel reaches its own property`() throws {
    let several = try harness("sensors-several").0
    let colours = try several.read("tcs3472.4-0029")
    let numbers: [String: Double] = [
      "intensity": 400, "intensity_red": 120, "intensity_green": 140, "intensity_blue": 90,
    ]
    for (key, number) in numbers { #expect(colours.double(key) == number, "\(key)") }
    for key in ["illuminance", "intensity_infrared", "color_temperature", "uv_index"] {
      #expect(colours.status(key) == .unsupported, "\(key)")
    }
    let lux = try several.read("tsl2563.4-0039")
    #expect(lux.double("illuminance") == 217)
    #expect(lux.double("intensity") == 900)
    #expect(lux.double("intensity_infrared") == 77)
    let other = try several.read("veml6070.4-0010")
    #expect(other.double("illuminance") == 25)
    #expect(other.double("uv_index") == 4)
    #expect(other.double("color_temperature") == 5600)
    #expect(other.text("driver") == "veml6070")
  }

  @Test func `scales and rates are a channel's own`() throws {
    let several = try harness("sensors-several").0
    let found = try several.read(Self.hub)
    #expect(found.double("illuminance") == 300)
    #expect(found.double("intensity") == 300)
    #expect(found.double("sampling_frequency") == 5)
    #expect(several.instance(Self.hub)?.pollingFloor?.interval == 250_000_000)
    #expect(several.instance(Self.hub)?.properties?[0].resolution == 0.01)
  }

  @Test func `numbers without a unit are an intensity and never lux`() throws {
    let (several, files) = try harness("sensors-several")
    let found = try several.read("hwmon2")
    #expect(found.status("illuminance") == .unsupported)
    #expect(found.double("intensity") == 9)
    #expect(found.text("driver") == "applesmc")
    for text in ["9", "(4,9", "(4)", "(4,-9)", "(4,9,1)"] {
      files.write(text, to: "/sys/class/hwmon/hwmon2/device/light")
      #expect(try several.read("hwmon2").status("intensity") == .failed, "\(text)")
    }
  }

  @Test func `a lone 0 right after a resume is held back until it is confirmed`() {
    var zeros = ZeroAfterResume()
    let tenths: [(isZero: Bool, wakes: Int64?, at: Int64, isHeld: Bool)] = [
      (true, 3, 0, false), (true, 4, 100, true), (true, 4, 102, false), (false, 5, 200, false),
      (true, 5, 202, true), (false, 5, 205, false), (true, 5, 210, false), (true, nil, 220, false),
    ]
    for one in tenths {
      let isHeld = zeros.holds(isZero: one.isZero, wakes: one.wakes, at: one.at * 100_000_000)
      #expect(isHeld == one.isHeld, "at \(one.at)")
    }
  }

  @Test func `only a hub's 0 is held back, and only in what is 0`() throws {
    let (several, files) = try harness("sensors-several")
    let raw = "/sys/bus/iio/devices/iio:device7/in_illuminance_raw"
    files.write("3\n", to: Self.wakes)
    let instance = try #require(several.instance(Self.hub))
    let reader = try #require(try several.kind.open(instance, on: several.machine))
    var reading = Reading(properties: several.kind.properties.count)
    let request = ReadRequest(scope: .changing, allow: .all)
    reader.read(request, into: &reading)
    files.write("4\n", to: Self.wakes)
    files.write("0\n", to: raw)
    reader.read(request, into: &reading)
    #expect(reading[AmbientLight.Field.illuminance].status == .noData)
    #expect(reading[AmbientLight.Field.intensity].number == 300)
    reader.read(request, into: &reading)
    #expect(reading[AmbientLight.Field.illuminance].number == 0)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let folder = "/sys/bus/iio/devices/iio:device7"
    try expectOnlyOwnValuesChange(
      AmbientLight(), on: machine(named: "sensors-several"), instance: "iio:device7",
      files: [
        "\(folder)/in_illuminance_raw": HostileFile(own: ["illuminance"]),
        "\(folder)/in_illuminance_scale": HostileFile(derived: ["illuminance"]),
        "\(folder)/in_intensity_both_raw": HostileFile(own: ["intensity"]),
        "\(folder)/in_intensity_scale": HostileFile(derived: ["intensity"]),
        "in_illuminance_sampling_frequency": HostileFile(own: ["sampling_frequency"]),
        "\(folder)/name": HostileFile(own: ["driver"]),
        "dev": HostileFile(),
      ],
      ignoring: namesOfDevices(besides: 7).union(namesOfChips(besides: nil))
        .union(["in_illuminance_scale", "/sys/class/hwmon/hwmon2/device/name"]))
  }
}
