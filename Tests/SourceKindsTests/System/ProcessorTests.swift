import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct ProcessorTests {
  private func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Processor(), machine: machine.with(files: files)), files)
  }

  @Test func `the aggregate comes first, then every processor, on line or not`() throws {
    #expect(try harness("power-laptop").0.names == ["aggregate", "cpu0", "cpu1", "cpu2", "cpu3"])
    #expect(try harness("power-server").0.names == ["aggregate", "cpu0", "cpu1"])
  }

  @Test func `every file of a processor reaches its own property`() throws {
    let found = try harness("power-laptop").0.read("cpu1")
    #expect(found.payload("frequency") == .double(2_200_002_000))
    #expect(found.payload("frequency_minimum") == .double(400_002_000))
    #expect(found.payload("frequency_maximum") == .double(3_400_002_000))
    #expect(found.payload("online") == .bool(true))
    for key in ["online_count", "load_1", "load_5", "load_15", "pressure_some_avg10"] {
      #expect(found.status(key) == .unsupported, "\(key)")
    }
  }

  @Test func `the aggregate adds load, pressure, count and mean frequency`() throws {
    let found = try harness("power-laptop").0.read("aggregate")
    let numbers = [
      "frequency": 2_200_002_000, "load_1": 0.52, "load_5": 1.58, "load_15": 2.59,
      "pressure_some_avg10": 7.01, "pressure_some_avg60": 7.02, "pressure_some_avg300": 7.03,
    ]
    for (key, number) in numbers { #expect(found.payload(key) == .double(number), "\(key)") }
    #expect(found.payload("online_count") == .int(3))
    for key in ["online", "frequency_minimum", "frequency_maximum"] {
      #expect(found.status(key) == .noData, "\(key)")
    }
  }

  @Test func `I8: shares need two readings and cover the time between them`() throws {
    let (harness, files) = try harness("power-server")
    #expect(try harness.read("aggregate").reason("usage") == "needs two readings")
    let found = try harness.readTwice("aggregate") {
      // 20 user, 5 nice, 10 system, 40 idle, 8 iowait, 4 irq, 3 softirq, 10 steal, 9 guest
      files.write("cpu  120 5 60 840 8 4 3 10 9 0\n", to: "/proc/stat")
    }
    let shares = [
      "usage": 0.52, "user": 0.25, "system": 0.1, "iowait": 0.08, "interrupt": 0.07,
      "steal": 0.1,
    ]
    for (key, share) in shares {
      #expect(abs((found.double(key) ?? -1) - share) < 1e-12, "\(key)")
    }
  }

  @Test func `time that fell starts again, but waiting for devices may go back`() throws {
    let (harness, files) = try harness("power-laptop")
    let back = try harness.readTwice("cpu1") {
      files.write("cpu1 1664 37 221 1410 420 8 10 4 1 1\n", to: "/proc/stat")
    }
    #expect(back.double("iowait") == 0)
    #expect(back.double("usage") == 0.5)
    let fallen = try harness.readTwice("cpu1") {
      files.write("cpu1 1 37 221 1410 430 8 10 4 1 1\n", to: "/proc/stat")
    }
    #expect(fallen.reason("usage") == "needs two readings")
  }

  @Test(arguments: ["aggregate", "cpu1"])
  func `a live machine's list is read again when the lines of times tell so`(_ name: String) throws
  {
    let captured = try machine(named: "power-laptop")
    let altered = AlteredFiles(over: captured.files)
    let files = FaultyFileTree(altered)
    let live = Machine(
      nature: .live, files: files, notices: nil, clock: captured.clock,
      switches: captured.switches, addresses: nil)
    let list = "/sys/devices/system/cpu/online"
    let key = name == "cpu1" ? "online" : "online_count"
    var (reads, seen): ([Int], [Value?]) = ([], [])
    let text = try altered.text(of: "/proc/stat")
    let without = text.split(separator: "\n").filter { !$0.hasPrefix("cpu1") }
      .joined(separator: "\n")
    let steps: [(stat: String, online: String)] = [
      // The lines stay those of the list; they change with it; they change and it does not.
      (text, "0-1,3"), (without, "0,3"), (without, "0,3"), (text, "0,3"), (text, "0-1,3"),
    ]
    try KindHarness(Processor(), machine: live).readOften(name, steps.count + 1) { step, found in
      seen.append(found.payload(key))
      reads.append(files.reads(of: list))
      if step < steps.count {
        altered.write(steps[step].stat, to: "/proc/stat")
        altered.write(steps[step].online + "\n", to: list)
      }
    }
    #expect(zip(reads.dropFirst(), reads).map { $0 > $1 } == [false, true, false, true, true])
    let isCount = key == "online_count"
    #expect(
      seen == (isCount ? [3, 3, 2, 2, 2, 3] : []).map(Value.int)
        + (isCount ? [] : [true, true, false, false, false, true]).map(Value.bool))
  }

  @Test func `lines of times are those of a list, or not`() {
    let table = Array("cpu  1 2\ncpu0 1 2\ncpu1 1 2\ncpu10 1 2\nintr 5\n".utf8)[...]
    let agrees = { (text: String) in
      ProcessorList(Array(text.utf8)[...]).map { ProcessorTimes.areLines(of: $0, in: table) }
    }
    #expect(agrees("0-1,10") == true)
    for text in ["0-1", "0-2", "0,10", "0-1,11", "0-1,10-11", "1"] {
      #expect(agrees(text) == false)
    }
    let list = ProcessorList(Array("0-1".utf8)[...])
    for text in ["", "cpu", "cpu0 1\ncpu1 1\n", "cpu 1\ncpu0 1\ncpu1", "cpu 1\ncpu0 1\ncpux 1\n"] {
      let bytes = Array(text.utf8)[...]
      let isSo = list.map { ProcessorTimes.areLines(of: $0, in: bytes) }
      #expect(isSo == text.hasSuffix("cpu1"), "\(text)")
    }
  }

  @Test func `a processor off line has no times and no frequency now`() throws {
    let found = try harness("power-laptop").0.readTwice("cpu2")
    #expect(found.payload("online") == .bool(false))
    for key in ["usage", "steal", "frequency"] { #expect(found.status(key) == .noData, "\(key)") }
  }

  @Test func `two readings without time between them give no shares`() throws {
    let found = try harness("power-laptop").0.readTwice("cpu0")
    #expect(found.status("usage") == .noData)
  }

  @Test func `V7: text that is no number fails alone`() throws {
    let (harness, _) = try harness("power-hostile")
    let all = try harness.read("aggregate")
    #expect(all.status("usage") == .failed)
    #expect(all.status("online_count") == .failed)
    #expect(all.status("load_1") == .failed)
    #expect(all.status("pressure_some_avg10") == .unsupported)
    let one = try harness.read("cpu1")
    #expect(one.status("usage") == .failed)
    #expect(one.status("frequency") == .noData)
    #expect(one.status("frequency_minimum") == .noData)
    #expect(one.status("frequency_maximum") == .unsupported)
    #expect(try harness.read("cpu0").status("usage") == .noData)
  }

  @Test func `simulated processors have the mean of their shares`() {
    let field = Processor.Field.usage.rawValue
    var members = [Reading](repeating: Reading(properties: 17), count: 2)
    members[0][field] = .ok(.double(0.2))
    members[1][field] = .ok(.double(0.6))
    var aggregate = Reading(properties: 17)
    Processor().combine(members, into: &aggregate)
    #expect(aggregate[field] == .ok(.double(0.4)))
  }

  @Test func `lists of processors are ranges and numbers that grow`() {
    let list = { (text: String) in ProcessorList(Array(text.utf8)[...]) }
    #expect(list("0-3,8,10-11")?.count == 7)
    #expect(list("0-3,8")?.contains(8) == true)
    #expect(list("0-3,8")?.contains(4) == false)
    for text in ["", "-", "0-", "3-1", "1,1", "1,,2", "a", "0-9999999999999", "1-2-3", "+1"] {
      #expect(list(text) == nil, "\(text)")
    }
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let shares = Processor.Field.shares.map { "\($0)" }
    try expectOnlyOwnValuesChange(
      Processor(), on: machine(named: "power-laptop"), instance: "cpu1",
      files: [
        "stat": HostileFile(derived: shares), "online": HostileFile(own: ["online"]),
        "scaling_cur_freq": HostileFile(own: ["frequency"]),
        "cpuinfo_min_freq": HostileFile(own: ["frequency_minimum"]),
        "cpuinfo_max_freq": HostileFile(own: ["frequency_maximum"]),
      ])
    try expectOnlyOwnValuesChange(
      Processor(), on: machine(named: "power-laptop"), instance: "aggregate",
      files: [
        "stat": HostileFile(derived: shares),
        "online": HostileFile(own: ["online_count"], derived: ["frequency"]),
        "loadavg": HostileFile(derived: ["load_1", "load_5", "load_15"]),
        "cpu": HostileFile(
          derived: ["pressure_some_avg10", "pressure_some_avg60", "pressure_some_avg300"]),
        "scaling_cur_freq": HostileFile(derived: ["frequency"]),
      ], ignoring: ["cpuinfo_min_freq", "cpuinfo_max_freq"])
  }
}
