import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct MemoryTests {
  private func read(_ name: String) throws -> [String: Outcome] {
    try KindHarness(Memory(), machine: machine(named: name)).read("machine")
  }

  @Test func `every line of meminfo reaches its own property, in bytes`() throws {
    let found = try read("power-laptop")
    let kilobytes: [String: Int64] = [
      "total": 16_303_132, "available": 9_234_562, "free": 1_234_561, "used": 7_068_570,
      "buffers": 345_673, "cached": 4_567_894, "reclaimable": 512_344, "shared": 456_781,
      "dirty": 9878, "swap_total": 8_388_604, "swap_free": 7_654_326, "swap_cached": 5675,
      "zswap": 87_657,
    ]
    for (key, count) in kilobytes { #expect(found.payload(key) == .int(count * 1024), "\(key)") }
    #expect(found.payload("cgroup_limit") == .int(2_147_483_648))
    #expect(found.payload("cgroup_current") == .int(536_870_913))
  }

  @Test func `every number of the pressure file reaches its own property`() throws {
    let found = try read("power-laptop")
    let numbers = [
      "pressure_some_avg10": 1.11, "pressure_some_avg60": 2.22, "pressure_some_avg300": 3.33,
      "pressure_full_avg10": 0.44, "pressure_full_avg60": 0.55, "pressure_full_avg300": 0.66,
      "pressure_some_total": 4.536839, "pressure_full_total": 1.234567,
    ]
    for (key, number) in numbers { #expect(found.payload(key) == .double(number), "\(key)") }
  }

  @Test func `an old kernel has no available memory, no pressure and no exact use`() throws {
    let found = try read("power-server")
    #expect(found.payload("total") == .int(9_007_199_254_740_991 * 1024))
    for key in ["available", "used", "zswap", "pressure_some_avg10", "pressure_full_total"] {
      #expect(found.status(key) == .unsupported, "\(key)")
    }
    #expect(found.status("cgroup_limit") == .noData)
    #expect(found.payload("cgroup_current") == .int(777))
  }

  @Test func `V7: what is no size says so with its text and harms no other line`() throws {
    let found = try read("power-hostile")
    for key in ["total", "available", "buffers", "cached", "shared", "dirty", "swap_total"] {
      #expect(found.status(key) == .failed, "\(key)")
    }
    #expect(found.reason("total")?.contains("100 MB") == true)
    #expect(found.status("free") == .noData)
    #expect(found.status("used") == .failed)
    #expect(found.payload("reclaimable") == .int(8192))
    for key in ["pressure_some_avg10", "pressure_some_avg60", "pressure_some_total"] {
      #expect(found.status(key) == .failed, "\(key)")
    }
    #expect(found.status("pressure_full_avg10") == .unsupported)
    #expect(found.status("cgroup_limit") == .unsupported)
  }

  @Test func `lines that move between two readings are found again`() throws {
    let machine = try machine(named: "power-laptop")
    let files = AlteredFiles(over: machine.files)
    let harness = KindHarness(Memory(), machine: machine.with(files: files))
    let found = try harness.readTwice("machine") {
      files.write("Fresh: 1 kB\nMemFree:  7 kB\nMemTotal: 10 kB\n", to: "/proc/meminfo")
    }
    #expect(found.payload("total") == .int(10240))
    #expect(found.payload("free") == .int(7168))
    #expect(found.status("buffers") == .unsupported)
  }

  @Test func `a table longer than a page is read whole`() throws {
    let machine = try machine(named: "power-laptop")
    let files = AlteredFiles(over: machine.files)
    let filler = String(repeating: "Unheard of:  1 kB\n", count: 400)
    files.write(filler + "Dirty: 3 kB\n", to: "/proc/meminfo")
    let found = try KindHarness(Memory(), machine: machine.with(files: files)).read("machine")
    #expect(found.payload("dirty") == .int(3072))
  }

  @Test func `V3: the raw text is the line and the file it stood in`() throws {
    let harness = KindHarness(Memory(), machine: try machine(named: "power-laptop"))
    let dirty = RawValue("Dirty:              9878 kB".utf8, place: "/proc/meminfo")
    #expect(try harness.raw("machine", "dirty") == dirty)
    let full = try harness.raw("machine", "pressure_full_total")
    #expect(full?.bytes.lenientText.hasPrefix("full avg10=0.44") == true)
  }

  @Test func `a machine without meminfo has no instance and says why`() throws {
    let machine = try machine(named: "power-laptop")
    let files = AlteredFiles(over: machine.files)
    files.alter("/proc/meminfo", .missing)
    let found = KindHarness(Memory(), machine: machine.with(files: files)).discover()
    #expect(found.instances.isEmpty)
    #expect(found.absence.state == .unsupportedByKernel)
    #expect(!found.absence.remedy.isEmpty)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let pressures = Memory().properties.map(\.key).filter { $0.hasPrefix("pressure") }
    let sizes = Memory().properties.map(\.key).filter { !$0.contains("_avg") && $0 != "pressure" }
    let group = ["cgroup_limit", "cgroup_current"]
    try expectOnlyOwnValuesChange(
      Memory(), on: machine(named: "power-laptop"), instance: "machine",
      files: [
        "meminfo": HostileFile(
          derived: sizes.filter { !group.contains($0) && !pressures.contains($0) },
          decidesInstance: true),
        "memory": HostileFile(derived: pressures),
        "cgroup": HostileFile(derived: group),
        "memory.max": HostileFile(own: ["cgroup_limit"]),
        "memory.current": HostileFile(own: ["cgroup_current"]),
      ])
  }
}
