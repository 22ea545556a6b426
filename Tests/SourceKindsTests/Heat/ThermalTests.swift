import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct ThermalTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Thermal(), machine: machine.with(files: files)), files)
  }

  @Test func `N7: zones of one type are told apart and none is called aggregate`() throws {
    let laptop = try harness("power-laptop").0
    #expect(laptop.names == ["aggregate", "acpitz", "x86_pkg_temp", "x86_pkg_temp~2"])
    #expect(laptop.instance("x86_pkg_temp~2")?.aliases == ["thermal_zone2"])
    #expect(try harness("power-server").0.names == ["aggregate", "aggregate~1"])
    #expect(try harness("power-hostile").0.names == ["aggregate", "soc", "thermal_zone10"])
  }

  @Test func `the lowest usable trip of each type is taken, in whatever order they stand`() throws {
    let found = try harness("power-laptop").0.read("acpitz")
    let numbers = [
      "temperature": 58.8, "trip_active": 55.3, "trip_passive": 95.4, "trip_hot": 98.7,
      "trip_critical": 105.1,
    ]
    for (key, number) in numbers { #expect(found.payload(key) == .double(number), "\(key)") }
    #expect(found.payload("enabled") == .bool(true))
    #expect(found.text("state") == "fair")
  }

  @Test(arguments: [
    (55_299, "nominal"), (55_300, "fair"), (95_400, "serious"), (98_700, "critical"),
    (105_100, "critical"),
  ])
  func `a state begins at its trip`(_ temperature: Int, _ state: String) throws {
    let (harness, files) = try harness("power-laptop")
    files.write("\(temperature)\n", to: "/sys/class/thermal/thermal_zone0/temp")
    #expect(try harness.read("acpitz").text("state") == state)
  }

  @Test func `a zone without usable trips has no state`() throws {
    let harness = try harness("power-laptop").0
    let useless = try harness.read("x86_pkg_temp")
    #expect(useless.status("state") == .noData)
    #expect(useless.status("trip_passive") == .noData)
    #expect(useless.status("trip_hot") == .unsupported)
    #expect(try harness.read("x86_pkg_temp~2").payload("enabled") == .bool(false))
  }

  @Test(arguments: [11, 61, 22] as [Int32])
  func `a sleeping zone has nothing to say`(_ code: Int32) throws {
    let (harness, files) = try harness("power-laptop")
    files.alter("/sys/class/thermal/thermal_zone0/temp", .failing(code))
    let found = try harness.read("acpitz")
    #expect(found.status("temperature") == .noData)
    #expect(found["temperature"]?.absence?.errno == code)
    #expect(found.status("state") == .noData)
  }

  @Test func `the aggregate is the hottest zone and the worst state`() throws {
    let found = try harness("power-laptop").0.read("aggregate")
    #expect(found.payload("temperature") == .double(61))
    #expect(found.text("state") == "fair")
    #expect(found.reason("enabled") == "several zones")
    #expect(found.reason("trip_critical") == "several zones")
    let single = try harness("power-server").0.read("aggregate")
    #expect(single.payload("trip_critical") == .double(90))
    #expect(single.payload("enabled") == .bool(true))
  }

  @Test func `V6: impossible temperatures and unknown words are no payload`() throws {
    let harness = try harness("power-hostile").0
    let zone = try harness.read("soc")
    #expect(zone.status("temperature") == .noData)
    #expect(zone.status("enabled") == .failed)
    #expect(zone.status("trip_passive") == .noData)
    #expect(zone.status("trip_critical") == .noData)
    let other = try harness.read("thermal_zone10")
    #expect(other.status("trip_critical") == .unsupported)
    #expect(other.status("state") == .noData)
  }

  @Test func `V3: the raw text of a trip is that of the trip taken`() throws {
    let raw = try harness("power-laptop").0.raw("acpitz", "trip_active")
    let path = "/sys/class/thermal/thermal_zone0/trip_point_4_temp"
    #expect(raw == RawValue("55300\n".utf8, place: path))
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let trips = ["trip_active", "trip_passive", "trip_hot", "trip_critical", "state"]
    var files = [
      "type": HostileFile(decidesInstance: true),
      "mode": HostileFile(own: ["enabled"]),
      "temp": HostileFile(own: ["temperature"], derived: ["state"]),
    ]
    let types = ["critical", "active", "hot", "passive", "active", "passive"]
    for (number, type) in types.enumerated() {
      files["trip_point_\(number)_temp"] = HostileFile(derived: ["trip_\(type)", "state"])
      files["trip_point_\(number)_type"] = HostileFile(derived: trips)
    }
    try expectOnlyOwnValuesChange(
      Thermal(), on: machine(named: "power-laptop"), instance: "acpitz", files: files,
      ignoring: [
        "/sys/class/thermal/thermal_zone1/type", "/sys/class/thermal/thermal_zone2/type",
      ])
  }
}
