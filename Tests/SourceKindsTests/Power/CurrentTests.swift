import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct CurrentTests {
  private func harness() throws -> KindHarness {
    KindHarness(Current(), machine: try machine(named: "desktop-rails"))
  }

  @Test func `every channel is a source`() throws {
    #expect(
      try harness().names == [
        "tps53679.5-0058:curr1", "ina226.1-0040:curr1", "corsairpsu.0003:1B1C:1C0B:curr1",
        "iio_hwmon.iio-hwmon:curr2",
      ])
  }

  @Test func `every file of a rail reaches its own property`() throws {
    let input = try harness().read("tps53679.5-0058:curr1")
    #expect(input.payload("current") == .double(1.203))
    #expect(input.payload("maximum") == .double(15))
    #expect(input.payload("critical") == .double(20))
    #expect(input.status("average") == .unsupported)
    #expect(input.payload("alarm") == .bool(false))
    #expect(input.text("label") == "iin")
    #expect(input.text("driver") == "tps53679")
  }

  @Test func `catalogue 13.5: a current that flows the other way is below 0`() throws {
    let current = try harness().read("ina226.1-0040:curr1")
    #expect(current.payload("current") == .double(-1.25))
    #expect(current["current"]?.isLowAccuracy == false)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let limits = ["maximum", "critical"]
    try expectOnlyOwnValuesChange(
      Current(), on: machine(named: "desktop-rails"), instance: "tps53679.5-0058:curr1",
      files: [
        "curr1_input": HostileFile(own: ["current"]),
        "curr1_max": HostileFile(own: ["maximum"], derived: limits),
        "curr1_crit": HostileFile(own: ["critical"], derived: limits),
        "curr1_max_alarm": HostileFile(derived: ["alarm"]),
        "curr1_crit_alarm": HostileFile(derived: ["alarm"]),
        "/sys/class/hwmon/hwmon2/curr1_label": HostileFile(own: ["label"]),
        "/sys/class/hwmon/hwmon2/name": HostileFile(own: ["driver"], decidesInstance: true),
      ],
      ignoring: namesOfChips(besides: 2).union(["/sys/class/hwmon/hwmon5/curr1_label"]))
  }
}
