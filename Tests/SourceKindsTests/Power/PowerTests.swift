import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct PowerTests {
  private static let zones = "/sys/class/powercap"

  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Power(), machine: machine.with(files: files)), files)
  }

  private func harness(of contents: [String: String]) throws -> KindHarness {
    let texts = contents.map { ("\(Self.zones)/\($0)", "\($1)\n") }
    return KindHarness(Power(), machine: try machine(of: Dictionary(uniqueKeysWithValues: texts)))
  }

  @Test func `zones come depth first, each once, then the battery and channels`() throws {
    #expect(
      try harness("energy-laptop").0.names == [
        "aggregate", "package-0", "package-0.core", "package-0.uncore", "psys", "battery",
      ])
    #expect(
      try harness("energy-server").0.names == [
        "aggregate", "package-0-die-0", "package-0-die-0.dram", "package-0-die-1",
        "package-0-die-1.dram", "package-1-die-0", "package-1-die-0.dram", "package-1-die-1",
        "package-1-die-1.dram", "power_meter.ACPI000D:00:power1", "amd_energy.amd_energy.0:energy1",
        "amd_energy.amd_energy.0:energy10",
      ])
    #expect(
      try harness("desktop-rails").0.names == [
        "aggregate", "tps53679.5-0058:power1", "ina226.1-0040:power1",
        "corsairpsu.0003:1B1C:1C0B:power1", "corsairpsu.0003:1B1C:1C0B:power2",
        "iio_hwmon.iio-hwmon:energy1",
      ])
    let laptop = try harness("energy-laptop").0
    #expect(laptop.instance("package-0.core")?.aliases == ["intel-rapl:0:0"])
  }

  @Test func `every file of a zone reaches its own property`() throws {
    let laptop = try harness("energy-laptop").0
    let package = try laptop.read("package-0")
    #expect(package.payload("energy") == .double(60214.159265))
    #expect(package.payload("limit") == .double(15))
    #expect(package.payload("limit_short") == .double(51))
    #expect(package.text("domain") == "package" && package.text("coverage") == "device")
    #expect(package.status("parent") == .noData)
    #expect(package.payload("energy_range") == .double(262143.32885))
    #expect(package["power"]?.absence?.reason == "needs two readings")
    for key in ["members", "meter", "system_power"] {
      #expect(package.status(key) == .unsupported)
    }
    let cores = try laptop.read("package-0.core")
    #expect(cores.text("domain") == "cores" && cores.text("coverage") == "part")
    #expect(cores.text("parent") == "package-0")
    // 0 is a limit that is off, and none is called short_term.
    #expect(cores.status("limit") == .noData && cores.status("limit_short") == .unsupported)
    let platform = try laptop.read("psys")
    #expect(platform.text("domain") == "platform" && platform.text("coverage") == "machine")
    #expect(platform.status("limit_short") == .noData)
    let memory = try harness("energy-server").0.read("package-1-die-0.dram")
    #expect(memory.text("domain") == "memory" && memory.text("parent") == "package-1-die-0")
  }

  @Test func `catalogue G5: power is what the counter grew by, a wrap included`() throws {
    let (laptop, files) = try harness("energy-laptop")
    let counter = "\(Self.zones)/intel-rapl:0/energy_uj"
    let usual = try laptop.readTwice("package-0", apart: 2) {
      files.write("60232159265\n", to: counter)
    }
    #expect(usual.payload("power") == .double(9))
    #expect(usual.payload("energy") == .double(60232.159265))
    let wrapped = try laptop.readTwice("package-0", apart: 1000) {
      files.write("60214159265\n", to: counter)
    }
    let watts = (60214.159265 + 262143.32885 - 60232.159265) / 1000
    #expect(abs(try #require(wrapped.double("power")) - watts) < 1e-9)
  }

  @Test func `catalogue 13.2: a counter that may not be read leaves limits and a remedy`() throws {
    let (laptop, files) = try harness("energy-laptop")
    // One of its two zones can be read: that one is used.
    files.alter("\(Self.zones)/intel-rapl:0/energy_uj", .failing(13))
    #expect(try laptop.read("package-0").payload("limit") == .double(20))
    #expect(try laptop.read("package-0").status("energy") == .ok)
    files.alter("\(Self.zones)/intel-rapl-mmio:0/energy_uj", .failing(13))
    let remedy = "install gatheredkit-udev and add yourself to group gathered"
    let availability = try #require(laptop.instance("package-0")?.availability)
    #expect(availability.state == .available && availability.detail == "limits only")
    #expect(availability.remedy == remedy && availability.errno == 13)
    let package = try laptop.read("package-0")
    #expect(package.payload("limit") == .double(15))
    for key in ["energy", "power"] {
      #expect(package.status(key) == .permission)
      #expect(package[key]?.absence?.remedy == remedy)
    }
    let all = try laptop.read("aggregate")
    #expect(all.status("power") == .permission && all.status("energy") == .permission)
    #expect(all["energy"]?.absence?.remedy == remedy)
    #expect(laptop.instance("aggregate")?.availability.remedy == remedy)
  }

  @Test func `the kernel's models of power are estimates`() throws {
    let zones = try harness(of: [
      "dtpm:0/name": "soc", "dtpm:0/power_uw": "3200000", "dtpm:0:0/name": "cpu0-cpufreq",
      "dtpm:0:0/power_uw": "1200000", "dtpm:0:0/constraint_0_name": "Instantaneous",
    ])
    #expect(zones.names == ["aggregate", "soc", "cpu0-cpufreq"])
    let part = try zones.read("cpu0-cpufreq")
    #expect(part["power"] == .ok(.double(1.2), lowAccuracy: true))
    #expect(part.status("energy") == .unsupported && part.status("limit") == .unsupported)
    #expect(part.text("parent") == "soc" && part.text("domain") == "other")
    #expect(try zones.read("aggregate").status("power") == .noData)
  }

  @Test func `channels have the watts of the driver, or joules that it counts`() throws {
    let rails = try harness("desktop-rails").0
    let input = try rails.read("tps53679.5-0058:power1")
    #expect(input.payload("power") == .double(14.586375))
    #expect(input.payload("limit") == .double(180) && input.status("energy") == .unsupported)
    #expect(input.text("domain") == "rail" && input.text("coverage") == "device")
    let supply = try rails.read("corsairpsu.0003:1B1C:1C0B:power1")
    #expect(supply.text("domain") == "supply" && supply.text("coverage") == "machine")
    let (server, files) = try harness("energy-server")
    let meter = try server.read("power_meter.ACPI000D:00:power1")
    #expect(meter.payload("power") == .double(412) && meter.payload("limit") == .double(800))
    let cores = try server.readTwice("amd_energy.amd_energy.0:energy1", apart: 4) {
      files.write("991654321\n", to: "/sys/class/hwmon/hwmon1/energy1_input")
    }
    #expect(cores.payload("energy") == .double(991.654321) && cores.payload("power") == .double(1))
  }

  @Test func `the battery supplies the machine while nothing else does`() throws {
    let (laptop, files) = try harness("energy-laptop")
    #expect(try laptop.read("battery").payload("power") == .double(11.25))
    #expect(try laptop.read("battery").text("domain") == "battery")
    files.write("1\n", to: "/sys/class/power_supply/AC/online")
    #expect(try laptop.read("battery")["power"]?.absence?.reason == "on external power")
    files.write("Charging\n", to: "/sys/class/power_supply/BAT0/status")
    #expect(try laptop.read("battery").status("power") == .noData)
  }

  @Test func `packages and their memory are summed, and nothing that lies in them`() throws {
    let server = try harness("energy-server").0
    let all = try server.read("aggregate")
    // 1 + 2 + 3 + 4 kJ, and a tenth of each beside it.
    #expect(all.payload("energy") == .double(11000))
    #expect(all.text("members")?.split(separator: " ").count == 8)
    #expect(all.payload("system_power") == .double(412))
    #expect(all.text("meter") == "power_meter.ACPI000D:00:power1")
    #expect(all.status("limit") == .noData && all.status("domain") == .noData)
    let laptop = try harness("energy-laptop").0
    let own = try laptop.read("aggregate")
    #expect(own.payload("energy") == .double(60214.159265) && own.text("members") == "package-0")
    #expect(own.payload("system_power") == .double(11.25) && own.text("meter") == "battery")
  }

  @Test func `without battery and meter the platform's counter is an estimate`() throws {
    let (laptop, files) = try harness("energy-laptop")
    files.write("1\n", to: "/sys/class/power_supply/AC/online")
    let counter = "\(Self.zones)/intel-rapl:1/energy_uj"
    let all = try laptop.readTwice("aggregate", apart: 2) {
      files.write("120637215664\n", to: counter)
    }
    #expect(all["system_power"] == .ok(.double(30), lowAccuracy: true))
    #expect(all.text("meter") == "psys" && all.double("power") == 0)
    let rails = try harness("desktop-rails").0.read("aggregate")
    #expect(rails.payload("system_power") == .double(112))
    #expect(rails.text("meter") == "corsairpsu.0003:1B1C:1C0B:power1")
    let bare = try harness(of: ["intel-rapl:0/name": "package-0", "intel-rapl:0/energy_uj": "5"])
    let none = try bare.read("aggregate")["system_power"]?.absence?.reason
    #expect(none == "nothing here measures the whole machine")
  }

  @Test func `odd counters are an error, and cost nothing else`() throws {
    for text in [String(repeating: "9", count: 30), "0x1F", "-5", "5 J"] {
      let zones = try harness(of: [
        "intel-rapl:0/name": "package-0", "intel-rapl:0/energy_uj": text,
        "intel-rapl:0/constraint_0_name": "long_term",
        "intel-rapl:0/constraint_0_power_limit_uw": "9000000",
      ])
      let package = try zones.read("package-0")
      #expect(package.status("energy") == .failed && package.status("power") == .failed, "\(text)")
      #expect(package.payload("limit") == .double(9))
      #expect(try zones.read("aggregate").status("energy") == .failed)
    }
  }

  @Test func `of very many zones the first are read, and a name is no path`() throws {
    var contents: [String: String] = [:]
    for number in 0..<300 { contents["intel-rapl:\(number)/name"] = "package-\(number)" }
    #expect(try harness(of: contents).names.count == 257)
    let odd = try harness(of: [
      "intel-rapl:0/name": "../x y", "intel-rapl:0/energy_uj": "1", "intel-rapl:0:0/name": "core",
      "intel-rapl:7:0/name": "dram", "intel-rapl:9/energy_uj": "1", "intel-rapl/name": "no zone",
    ])
    #expect(odd.names == ["aggregate", "../x y", "../x y.core", "dram", "intel-rapl:9"])
    #expect(try odd.read("../x y.core").text("parent") == "..%2Fx%20y")
    let none = try harness("server").0
    #expect(none.names == [] && none.discover().absence.state == .noHardware)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let limits = ["limit", "limit_short"]
    try expectOnlyOwnValuesChange(
      Power(), on: machine(named: "energy-server"), instance: "package-1-die-1",
      files: [
        "energy_uj": HostileFile(own: ["energy", "power"]),
        "constraint_0_power_limit_uw": HostileFile(own: ["limit"]),
        "constraint_1_power_limit_uw": HostileFile(own: ["limit_short"]),
        "constraint_0_name": HostileFile(derived: limits),
        "constraint_1_name": HostileFile(derived: limits),
        "max_energy_range_uj": HostileFile(own: ["energy_range"]),
        "\(Self.zones)/intel-rapl:3/name": HostileFile(
          derived: ["domain", "coverage"], decidesInstance: true),
      ],
      ignoring: Set(
        (0..<4).flatMap { number in
          ["", ":0"].flatMap { part in
            ["name", "energy_uj", "max_energy_range_uj"]
              .map { "\(Self.zones)/intel-rapl:\(number)\(part)/\($0)" }
              .filter { number < 3 || part == ":0" || $0.isEmpty }
          }
        }
      ).union(namesOfChips(besides: nil)).union(["energy1_label", "energy10_label"]))
  }
}
