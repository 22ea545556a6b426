import Gathering
import Testing
import Values

/// The graphs of `bindings/graphs` do what they are for, on devices whose values are known.
struct GraphExampleTests {
  /// What a graph publishes: seconds since the first value, name and value.
  private func published(
    _ name: String, on script: Script, for seconds: Int
  ) throws -> (rows: [(time: Double, name: String, value: Value)], errors: String) {
    let outcome = try Program.run(
      "graph", "run", GraphFile.example(name), "--json", "--for", "\(seconds)", "--context",
      script.context)
    #expect(outcome.code == 0)
    var start: Int64?
    let rows = try outcome.lines.map { line in
      guard case .dictionary(let record) = try Value(json: line),
        let name = record["name"]?.text, case .int(let time) = record["time_ns"] ?? .none
      else { throw NoRecord(line: String(line)) }
      // Whole nanoseconds: a Double of them all would not hold the quarters of a second.
      let span = time - (start ?? time)
      start = start ?? time
      return (time: Double(span) / 1e9, name: name, value: record["value"] ?? .none)
    }
    return (rows, outcome.errors)
  }

  private struct NoRecord: Error {
    let line: String
  }

  @Test func `knocks are counted once each, however they ring, and pushes are not`() throws {
    var script = "0 add accelerometer|chip\n0 set accelerometer|chip/acceleration 0,0,9.81\n"
    // A knock, one that rings, a gentle push, and a knock from below.
    let hits = [(1.0, 29.81), (3.0, 29.81), (3.06, 29.81), (5.0, 12.81), (7.0, -10.19)]
    for (time, force) in hits {
      script += "\(time) set accelerometer|chip/acceleration 0,0,\(force)\n"
      script += "\(time + 0.02) set accelerometer|chip/acceleration 0,0,9.81\n"
    }
    let (rows, errors) = try published("tap.json", on: try Script(script), for: 10)
    #expect(errors.isEmpty)
    #expect(rows.map(\.name) == ["taps", "taps", "taps"])
    #expect(rows.map(\.value) == [.int(1), .int(2), .int(3)])
    // Dated by the knock itself, the second by its last ring.
    #expect(rows.map(\.time) == [0, 2.06, 6])
  }

  @Test func `a low battery and a full disk raise alarms, with hysteresis`() throws {
    let script = try Script(
      """
      0 add battery|BAT0
      0 set battery|BAT0/level 0.5
      0 set battery|BAT0/external_power false
      0 add storage|%2F
      0 set storage|%2F/total 1000
      0 set storage|%2F/available 300
      95 set battery|BAT0/level 0.17
      125 set battery|BAT0/level 0.14
      155 set battery|BAT0/level 0.18
      185 set battery|BAT0/external_power true
      215 set storage|%2F/available 40
      245 set storage|%2F/available 80
      275 set storage|%2F/available 200

      """)
    let (rows, errors) = try published("alarms.json", on: script, for: 400)
    let battery = rows.filter { $0.name == "battery_low" }
    let disk = rows.filter { $0.name == "disk_low" }
    #expect(battery.map(\.value) == [.bool(false), .bool(true), .bool(false)])
    #expect(disk.map(\.value) == [.bool(false), .bool(true), .bool(false)])
    // Neither what is nearly low nor what is nearly well again says anything.
    #expect(battery.map(\.time) == [0, 125, 185])
    #expect(disk.map(\.time) == [0, 215, 275])
    // The log has what is wrong, not that it is over.
    #expect(errors == "warning: battery low: true\nwarning: disk low: true\n")
  }

  @Test func `light is smoothed, and day and night are told apart once`() throws {
    let steps = [(0.0, 50.0), (10.25, 1000), (20.25, 150), (30.25, 0)]
    let lines = steps.map { "\($0.0) set ambient_light|chip/illuminance \($0.1)\n" }
    let script = try Script("0 add ambient_light|chip\n" + lines.joined())
    let (rows, errors) = try published("light.json", on: script, for: 40)
    #expect(errors.isEmpty)
    let levels = rows.filter { $0.name == "level" }
    // Each half second, and where the light changes.
    #expect(levels.count == 81 + 3)
    // Streams L39 by hand, against a time constant of two seconds.
    var level = 50.0
    var last = 0.0
    var expected: [Bool] = []
    for row in levels {
      let light = steps.last { $0.0 <= row.time }?.1 ?? 50
      level += (light - level) * ((row.time - last) / (2 + row.time - last))
      last = row.time
      #expect(abs((row.value.number ?? -1) - level) < 1e-9)
      // Bright from 200 on, and dark below 100 only.
      expected.append(expected.last == true ? level >= 100 : level >= 200)
    }
    let turns = levels.indices.filter { $0 == 0 || expected[$0] != expected[$0 - 1] }
    let bright = rows.filter { $0.name == "bright" }
    // The 150 lux in between change nothing.
    #expect(bright.map(\.value) == [.bool(false), .bool(true), .bool(false)])
    #expect(bright.map(\.time) == turns.map { levels[$0].time })
  }

  @Test func `the power of all batteries is summed up, as they come and go`() throws {
    let script = try Script(
      """
      0 add battery|BAT0
      0 set battery|BAT0/power 5
      0 add battery|BAT1
      0 set battery|BAT1/power 7.5
      12.5 add battery|BAT2
      12.5 set battery|BAT2/power 20
      22.5 remove battery|BAT0
      32.5 remove battery|BAT1
      32.5 remove battery|BAT2

      """)
    let (rows, errors) = try published("power-of-all.json", on: script, for: 60)
    #expect(errors.isEmpty)
    let ids = rows.filter { $0.name == "batteries" }.map(\.value)
    let batteries = [["BAT0", "BAT1"], ["BAT0", "BAT1", "BAT2"], ["BAT1", "BAT2"], []]
    #expect(ids == batteries.map { .list($0.map { .string("battery|\($0)") }) })
    let sums = rows.filter { $0.name == "power" }
    // Every battery is known from the first sum on.
    #expect(sums.first?.value == .double(12.5))
    #expect(sums.last { $0.time < 12 }?.value == .double(12.5))
    #expect(sums.last { $0.time < 22 }?.value == .double(32.5))
    #expect(sums.last { $0.time < 32 }?.value == .double(27.5))
    #expect(sums.last?.value == .double(0))
  }

  @Test(arguments: ["tap.json", "alarms.json", "light.json", "power-of-all.json"])
  func `the examples run on simulated devices without a fault`(name: String) throws {
    for device in ["sim:phone", "sim:laptop"] {
      let outcome = try Program.run(
        "graph", "run", GraphFile.example(name), "--for", "120", "--context",
        "\(device)&clock=manual")
      #expect(outcome.code == 0)
      #expect(!outcome.errors.contains("gathered: "))
    }
  }
}
