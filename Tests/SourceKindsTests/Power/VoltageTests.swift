import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct VoltageTests {
  private func harness() throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: "desktop-rails")
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Voltage(), machine: machine.with(files: files)), files)
  }

  @Test func `every channel is a source, one with a lamp and no input included`() throws {
    let rails = try harness().0
    #expect(
      rails.names == [
        "nct6798.nct6775.656:in0", "nct6798.nct6775.656:in1", "nct6798.nct6775.656:in2",
        "nct6798.nct6775.656:in10", "it8728.it87.2608:in0", "it8728.it87.2608:in7",
        "it8728.it87.2608:in8", "tps53679.5-0058:in1", "tps53679.5-0058:in2",
        "ina226.1-0040:in0", "ina226.1-0040:in1", "rpi_volt.raspberrypi-hwmon:in0",
        "corsairpsu.0003:1B1C:1C0B:in0", "corsairpsu.0003:1B1C:1C0B:in1",
        "iio_hwmon.iio-hwmon:in1",
      ])
    #expect(rails.instance("tps53679.5-0058:in2")?.label == "tps53679 vout1")
    #expect(rails.instance("ina226.1-0040:in1")?.aliases == ["hwmon3:in1"])
  }

  @Test func `every file of a rail reaches its own property`() throws {
    let rails = try harness().0
    let low = try rails.read("tps53679.5-0058:in2")
    #expect(low.payload("voltage") == .double(1.806))
    #expect(low.payload("average") == .double(1.801))
    #expect(low.payload("critical_low") == .double(1.62))
    #expect(low.payload("critical") == .double(1.98))
    #expect(low.status("minimum") == .unsupported)
    #expect(low.payload("alarm") == .bool(true))
    #expect(low.text("driver") == "tps53679")
    #expect(low.text("label") == "vout1")
    let high = try rails.read("tps53679.5-0058:in1")
    #expect(high.payload("minimum") == .double(10.5))
    #expect(high.payload("maximum") == .double(13.8))
    #expect(high.payload("alarm") == .bool(false))
    #expect(try rails.read("ina226.1-0040:in0").payload("voltage") == .double(-0.003))
    #expect(try rails.read("iio_hwmon.iio-hwmon:in1").payload("voltage") == .double(1.798))
  }

  @Test func `catalogue 13.4: what a motherboard's chip measures is at its pin`() throws {
    let rails = try harness().0
    for (name, isGuess) in [
      ("nct6798.nct6775.656:in0", true), ("it8728.it87.2608:in0", true),
      ("it8728.it87.2608:in7", false), ("ina226.1-0040:in1", false),
      ("corsairpsu.0003:1B1C:1C0B:in0", false),
    ] {
      let voltage = try #require(try rails.read(name)["voltage"])
      #expect(voltage.status == .ok && voltage.isLowAccuracy == isGuess, "\(name)")
    }
  }

  @Test func `catalogue 13.4: a channel with an alarm and no input has no voltage`() throws {
    let lamp = try harness().0.read("rpi_volt.raspberrypi-hwmon:in0")
    #expect(lamp.status("voltage") == .unsupported)
    #expect(lamp.payload("alarm") == .bool(true))
  }

  @Test func `catalogue 13.4: limits that are all 0 are none, one of them may be 0`() throws {
    let rails = try harness().0
    let unset = try rails.read("nct6798.nct6775.656:in1")
    for key in ["minimum", "maximum"] {
      #expect(unset.status(key) == .noData)
      #expect(unset[key]?.absence?.reason == "no limit is set")
    }
    #expect(try rails.read("nct6798.nct6775.656:in0").payload("minimum") == .double(0))
  }

  @Test func `catalogue 12: the value of a channel with a fault is an error`() throws {
    let folder = "/sys/class/hwmon/hwmon0"
    for (flag, status) in [("1", ValueStatus.failed), ("0", .ok)] {
      let rails = KindHarness(
        Voltage(),
        machine: try machine(of: [
          "\(folder)/name": "odd\n", "\(folder)/in1_input": "5000\n",
          "\(folder)/in1_fault": "\(flag)\n",
        ]))
      #expect(try rails.read("odd:in1").status("voltage") == status, "\(flag)")
    }
  }

  @Test func `catalogue 12: a channel that is switched off has nothing to say`() throws {
    let (rails, files) = try harness()
    for code: Int32 in [11, 61] {
      files.alter("/sys/class/hwmon/hwmon3/in1_input", .failing(code))
      #expect(try rails.read("ina226.1-0040:in1").status("voltage") == .noData)
    }
  }

  @Test func `what is no voltage of a chip is no source`() throws {
    let folder = "/sys/class/hwmon/hwmon0"
    let rails = KindHarness(
      Voltage(),
      machine: try machine(of: [
        "\(folder)/name": "odd\n", "\(folder)/intrusion0_alarm": "0\n",
        "\(folder)/in_input": "1\n", "\(folder)/in1_label": "+5V\n", "\(folder)/in2_max": "9\n",
      ]))
    #expect(rails.names == [])
    // The chip of a battery is the battery's.
    let laptop = try machine(named: "power-laptop")
    #expect(KindHarness(Voltage(), machine: laptop).names == [])
    #expect(rails.discover().absence.state == .noHardware)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let limits = ["minimum", "maximum", "critical_low", "critical"]
    try expectOnlyOwnValuesChange(
      Voltage(), on: machine(named: "desktop-rails"), instance: "tps53679.5-0058:in2",
      files: [
        "in2_input": HostileFile(own: ["voltage"]),
        "in2_average": HostileFile(own: ["average"]),
        "in2_lcrit": HostileFile(own: ["critical_low"], derived: limits),
        "in2_crit": HostileFile(own: ["critical"], derived: limits),
        "in2_lcrit_alarm": HostileFile(derived: ["alarm"]),
        "in2_crit_alarm": HostileFile(derived: ["alarm"]),
        "in2_label": HostileFile(own: ["label"]),
        "/sys/class/hwmon/hwmon2/name": HostileFile(own: ["driver"], decidesInstance: true),
      ],
      ignoring: namesOfChips(besides: 2).union(["in1_label", "in7_label", "in8_label", "in0_label"])
    )
  }
}
