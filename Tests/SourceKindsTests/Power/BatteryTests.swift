import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct BatteryTests {
  private static let bat0 = "/sys/class/power_supply/BAT0"

  private func harness(
    _ name: String, allow: Allowance = .all
  ) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Battery(), machine: machine.with(files: files), allow: allow), files)
  }

  @Test func `every file of a battery reaches its own property`() throws {
    let found = try harness("power-laptop").0.read("BAT0")
    let payloads: [String: Value] = [
      "level": .double(0.84), "level_word": .string("normal"), "state": .string("discharging"),
      "external_power": .bool(true), "energy": .double(155_559.5532),
      "energy_full": .double(184_444.4412), "energy_full_design": .double(205_200),
      "power": .double(9.876543), "voltage": .double(12.123456), "current": .double(0.814002),
      "temperature": .double(31.5), "cycle_count": .int(42),
      "health": .double(184_444.4412 / 205_200), "condition": .string("Good"),
      "time_to_empty": .double(15750), "technology": .string("Li-ion"),
      "manufacturer": .string("LGC"), "model": .string("02DL005"), "serial": .string("4242"),
      "scope": .string("system"),
    ]
    for (key, payload) in payloads { #expect(found.payload(key) == payload, "\(key)") }
    #expect(found.status("time_to_full") == .noData)
    #expect(Set(payloads.keys).count == Battery().properties.count - 1)
  }

  @Test func `the aggregate, the machine's batteries and those of devices are listed`() throws {
    let (laptop, _) = try harness("power-laptop")
    let names = laptop.names
    #expect(names.prefix(2) == ["aggregate", "BAT0"])
    #expect(names.count == 3)
    #expect(names[2].hasPrefix("MX Master 3."))
    #expect(names[2].split(separator: ".").last?.count == 12)
    #expect(laptop.instance("hidpp_battery_3") == nil)
    #expect(laptop.instance(names[2])?.aliases == ["hidpp_battery_3"])
    #expect(laptop.instance(names[2])?.isMember == false)
    #expect(try harness("power-server").0.names == ["aggregate", "BAT2", "BAT10", "ups0"])
  }

  @Test func `N8: the name of a device's battery comes from its serial and the machine`() throws {
    let (harness, files) = try harness("power-laptop")
    let name = harness.names[2]
    let serial = "/sys/class/power_supply/hidpp_battery_3/serial_number"
    files.write("  9f-aa-00-11  \n", to: serial)
    #expect(harness.names[2] == name)
    files.write("9f-aa-00-12\n", to: serial)
    #expect(harness.names[2] != name)
    #expect(!name.contains("9f-aa"))
  }

  @Test func `a full and a draining battery are one weighted, draining battery`() throws {
    let found = try harness("power-server").0.read("aggregate")
    #expect(found.payload("level") == .double(51.0 / 70))
    #expect(found.text("state") == "discharging")
    #expect(found.payload("energy") == .double(51_000_000 * 0.0036))
    #expect(found.payload("energy_full") == .double(252_000))
    #expect(found.payload("energy_full_design") == .double(302_400))
    #expect(found.payload("health") == .double(252_000 / 302_400))
    #expect(found.payload("power") == .double(5))
    #expect(found.payload("external_power") == .bool(false))
    #expect(found.payload("time_to_empty") == .double(183_600 / 5))
    #expect(found["time_to_empty"]?.isLowAccuracy == true)
    #expect(found.status("time_to_full") == .noData)
    for key in ["voltage", "current", "cycle_count", "level_word", "model", "serial"] {
      #expect(found.reason(key) == "several batteries", "\(key)")
    }
    #expect(found.text("scope") == "system")
  }

  @Test func `one battery passes its own numbers through; a mouse never counts`() throws {
    let found = try harness("power-laptop").0.read("aggregate")
    #expect(found.payload("voltage") == .double(12.123456))
    #expect(found.text("serial") == "4242")
    #expect(found.payload("cycle_count") == .int(42))
    #expect(abs((found.double("level") ?? 0) - 43_210_987.0 / 51_234_567) < 1e-12)
  }

  @Test func `a UPS counts only where no battery is`() throws {
    let (harness, files) = try harness("power-server")
    #expect(harness.instance("ups0")?.isMember == false)
    for name in ["BAT2", "BAT10"] {
      files.write("0\n", to: "/sys/class/power_supply/\(name)/present")
    }
    #expect(harness.names == ["aggregate", "ups0"])
    #expect(try harness.read("aggregate").payload("level") == .double(1))
    #expect(try harness.read("aggregate").text("state") == "full")
  }

  @Test func `without a battery the aggregate still tells of power from outside`() throws {
    let (harness, files) = try harness("power-laptop")
    files.write("Unknown\n", to: "\(Self.bat0)/type")
    files.write("Unknown\n", to: "/sys/class/power_supply/hidpp_battery_3/type")
    let found = harness.discover()
    #expect(found.instances.map(\.name) == ["aggregate"])
    #expect(found.instances[0].availability.state == .noHardware)
    let values = try harness.read("aggregate")
    #expect(values.payload("external_power") == .bool(true))
    #expect(values.status("level") == .noData)
  }

  @Test func `charge becomes energy by the design voltage and says it is an estimate`() throws {
    let found = try harness("power-hostile").0.read("BAT0")
    #expect(found.payload("energy") == .double(155_520))
    #expect(found["energy"]?.isLowAccuracy == true)
    #expect(found.payload("energy_full_design") == .double(194_400))
    #expect(found.payload("power") == .double(22))
    #expect(found.payload("health") == .double(0.82))
    #expect(found.payload("level") == .double(1))
    #expect(found.text("state") == "perplexed")
    #expect(found.status("condition") == .noData)
    #expect(found.payload("temperature") == .double(-5.5))
    #expect(found.text("model") == "caf\u{FFFD} 9")
    // No supply is listed, and the other battery charges.
    #expect(found["external_power"] == .ok(.bool(true), lowAccuracy: true))
  }

  private static let states: [([String], Bool?)] = [
    (["Charging", "Full"], true), (["Discharging", "Charging"], true),
    (["Full", "Discharging"], false), (["Not charging", "Full"], nil), (["Unknown", "?"], nil),
  ]

  @Test(arguments: states)
  func `with no supply listed the batteries' states tell of power from outside`(
    words: [String], isOn: Bool?
  ) throws {
    let folder = "/sys/class/power_supply"
    var files = ["\(folder)/mouse/type": "Battery\n", "\(folder)/mouse/scope": "Device\n"]
    files["\(folder)/mouse/status"] = "Charging\n"
    for (index, word) in words.enumerated() {
      files["\(folder)/BAT\(index)/type"] = "Battery\n"
      files["\(folder)/BAT\(index)/status"] = "\(word)\n"
    }
    let fixture = try FixtureMachine(files)
    let harness = KindHarness(Battery(), machine: fixture.machine)
    #expect(harness.names.prefix(3) == ["aggregate", "BAT0", "BAT1"])
    for name in harness.names {
      let found = try #require(try harness.read(name)["external_power"])
      #expect(found.flag == isOn, "\(name)")
      #expect(found.status == (isOn == nil ? .noData : .ok))
      #expect(found.isLowAccuracy == (isOn != nil))
      #expect(found.absence?.reason.isEmpty != true && (found.absence == nil) == (isOn != nil))
    }
    if isOn != nil {
      #expect(try harness.raw("BAT0", "external_power")?.place.hasSuffix("/status") == true)
    }
  }

  @Test func `a supply that is listed is believed, whatever the batteries do`() throws {
    let folder = "/sys/class/power_supply"
    let fixture = try FixtureMachine([
      "\(folder)/BAT0/type": "Battery\n", "\(folder)/BAT0/status": "Discharging\n",
      "\(folder)/AC/type": "Mains\n", "\(folder)/AC/online": "1\n",
    ])
    let harness = KindHarness(Battery(), machine: fixture.machine)
    for name in ["aggregate", "BAT0"] {
      #expect(try harness.read(name)["external_power"] == .ok(.bool(true)))
    }
  }

  @Test func `a UPS tells of power from outside where no battery does`() throws {
    let folder = "/sys/class/power_supply"
    let fixture = try FixtureMachine([
      "\(folder)/ups0/type": "UPS\n", "\(folder)/ups0/status": "Discharging\n",
    ])
    let found = try KindHarness(Battery(), machine: fixture.machine).read("aggregate")
    #expect(found["external_power"] == .ok(.bool(false), lowAccuracy: true))
  }

  @Test func `charge without a design voltage is no energy, but still a level`() throws {
    let found = try harness("power-hostile").0.read("battery")
    #expect(found.status("energy") == .unsupported)
    #expect(found.status("energy_full") == .unsupported)
    #expect(found.payload("level") == .double(0.5))
    #expect(found.status("health") == .unsupported)
  }

  @Test func `times are computed in the matching state only`() throws {
    let (harness, files) = try harness("power-laptop")
    files.write("Charging\n", to: "\(Self.bat0)/status")
    files.alter("\(Self.bat0)/time_to_full_avg", .missing)
    files.alter("\(Self.bat0)/time_to_empty_now", .missing)
    let found = try harness.read("BAT0")
    let missing = (51_234_567 - 43_210_987) * 0.0036
    #expect(abs((found.double("time_to_full") ?? 0) - missing / 9.876543) < 1e-9)
    #expect(found["time_to_full"]?.isLowAccuracy == true)
    #expect(found.status("time_to_empty") == .noData)
  }

  @Test func `P1: a serial that is not allowed is not even read`() throws {
    let (harness, files) = try harness("power-laptop", allow: .none)
    let found = try harness.read("BAT0")
    #expect(found.status("serial") == .permission)
    #expect(found.text("manufacturer") == "LGC")
    #expect(!files.filesRead.contains("\(Self.bat0)/serial_number"))
  }

  @Test func `a device that goes away between two readings has nothing to say`() throws {
    let (harness, files) = try harness("power-laptop")
    let found = try harness.readTwice("BAT0") {
      files.alter("\(Self.bat0)/capacity", .failing(19))
      files.alter("\(Self.bat0)/status", .failing(19))
    }
    #expect(found.status("state") == .noData)
    #expect(found.payload("voltage") == .double(12.123456))
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let times = ["time_to_empty", "time_to_full"]
    let files = [
      "type": HostileFile(decidesInstance: true), "present": HostileFile(decidesInstance: true),
      "scope": HostileFile(derived: ["scope"]),
      "status": HostileFile(own: ["state"], derived: times),
      "technology": HostileFile(own: ["technology"]),
      "cycle_count": HostileFile(own: ["cycle_count"]),
      "voltage_min_design": HostileFile(),
      "voltage_now": HostileFile(own: ["voltage"]),
      "power_now": HostileFile(derived: ["power"] + times),
      "current_now": HostileFile(own: ["current"]),
      "energy_full_design": HostileFile(own: ["energy_full_design"], derived: ["health"]),
      "energy_full": HostileFile(own: ["energy_full"], derived: ["health"] + times),
      "energy_now": HostileFile(own: ["energy"], derived: times),
      "capacity": HostileFile(derived: ["level"]),
      "capacity_level": HostileFile(own: ["level_word"]),
      "\(Self.bat0)/model_name": HostileFile(own: ["model"]),
      "manufacturer": HostileFile(own: ["manufacturer"]),
      "\(Self.bat0)/serial_number": HostileFile(own: ["serial"]),
      "temp": HostileFile(own: ["temperature"]), "health": HostileFile(own: ["condition"]),
      "time_to_empty_now": HostileFile(derived: ["time_to_empty"]),
      "time_to_full_avg": HostileFile(derived: ["time_to_full"]),
      "/sys/class/power_supply/AC/online": HostileFile(),
      "/sys/class/power_supply/ucsi-source-psy-USBC000:001/online": HostileFile(
        derived: ["external_power"]),
    ]
    let others = ["AC", "hidpp_battery_3", "ucsi-source-psy-USBC000:001"].flatMap { name in
      ["type", "scope", "present", "model_name", "serial_number"].map {
        "/sys/class/power_supply/\(name)/\($0)"
      }
    }
    try expectOnlyOwnValuesChange(
      Battery(), on: machine(named: "power-laptop"), instance: "BAT0", files: files,
      ignoring: Set(others + ["/etc/machine-id"]))
  }
}
