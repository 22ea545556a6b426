import GatheredKitTesting
import Gathering
import Ground
import Patches
import Streams
import Testing
import Values

/// Patches of the library with a clock, a device, a store or a log, by patches 2.8.
struct TimedLibraryTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test func `debounce waits for silence`() throws {
    let patch = try bench.patch("debounce", ["duration": .double(1)])
    let (seen, connection) = try patch.collect("value")
    try patch.set(.int(1), for: "value")
    try bench.seek(seconds: 0.9)
    try patch.set(.int(2), for: "value")
    try bench.seek(seconds: 1.8)
    #expect(seen.values == [])
    try bench.seek(seconds: 1.9)
    #expect(seen.values == [.int(2)])
    #expect(patch.outputs["value"]?.last?.time == 900_000_000)
    try bench.seek(seconds: 10)
    #expect(seen.values == [.int(2)])
    connection.disconnect()
  }

  @Test func `throttle passes the first and the newest of each while`() throws {
    let patch = try bench.patch("throttle", ["duration": .double(1)])
    let (seen, connection) = try patch.collect("value")
    for step in 0..<4 {
      try bench.seek(seconds: Double(step) * 0.4)
      try patch.set(.int(Int64(step)), for: "value")
    }
    #expect(seen.values == [.int(0), .int(2)])
    try bench.seek(seconds: 5)
    #expect(seen.values == [.int(0), .int(2), .int(3)])
    connection.disconnect()
  }

  @Test func `source runs its device while it has a listener`() throws {
    let patch = try bench.patch(
      "source", ["kind": .string("accelerometer"), "interval": .double(0.1)])
    #expect(patch.outputNames.contains("acceleration"))
    try bench.seek(seconds: 1)
    #expect(patch.outputs["acceleration"]?.hasPublished == false)
    let norm = try bench.patch("norm")
    try patch.connect("acceleration", to: norm, "vector")
    let (seen, connection) = try norm.collect("value")
    try bench.seek(seconds: 2)
    #expect(seen.values.count >= 10)
    #expect(numbers(seen.values).allSatisfy { (1...30).contains($0) })
    try norm.disconnect("vector")
    let count = seen.values.count
    try bench.seek(seconds: 3)
    #expect(seen.values.count == count)
    connection.disconnect()
  }

  @Test func `clock says the moments of its ticks`() throws {
    let patch = try bench.patch("clock", ["interval": .double(1)])
    let (seen, connection) = try patch.collect("time")
    try bench.seek(seconds: 2.5)
    #expect(seen.values == [.time(1_000_000_000), .time(2_000_000_000)])
    connection.disconnect()
  }

  @Test func `record appends to the store the context knows`() throws {
    let store = Store()
    bench.context.sampleSinks["disk"] = store
    let patch = try bench.patch("record", ["store": .string("disk"), "name": .string("x")])
    try patch.set(.int(1), for: "value")
    try patch.set(.none, for: "value")
    #expect(store.rows.withLock { $0 } == ["x 1", "x –"])
  }

  @Test func `log writes a line for each value`() throws {
    let lines = CollectingSink<String>()
    Log.setReceiver { level, part, line in
      if part == "patch" { lines.add("\(level.word) \(line)") }
    }
    defer { Log.setReceiver(nil) }
    let patch = try bench.patch("log", ["label": .string("t"), "level": .string("warning")])
    try patch.set(.double(1.5), for: "value")
    #expect(lines.values == ["warning t: 1.5"])
  }

  @Test func `attitude levels, turns and finds north`() throws {
    let patch = try bench.patch("attitude", ["gain": .double(1)])
    let rotation = Value.vector(Vector(0, 0, Double.pi / 2))
    try patch.feed(.vector(Vector(0, 0, 9.81)), at: 0, to: "acceleration")
    #expect(patch.outputs["quaternion"]?.last?.value == .vector(Vector(1, 0, 0, 0)))
    for step in 0...10 { try patch.feed(rotation, at: Double(step) / 10, to: "rotation") }
    let yaw = try #require(patch.outputs["yaw"]?.last?.value.number)
    #expect(abs(yaw - .pi / 2) < 1e-9)
    // Facing along -y of its own: with the body unturned the field lies along x, which is east.
    let other = try bench.patch("attitude")
    try other.feed(.vector(Vector(0, 0, 9.81)), at: 0, to: "acceleration")
    try other.feed(.vector(Vector(30, 0, -40)), at: 0, to: "field")
    try other.feed(.vector(Vector(0, 0, 0)), at: 1, to: "rotation")
    let heading = try #require(other.outputs["yaw"]?.last?.value.number)
    #expect(abs(heading - .pi / 2) < 1e-9)
  }

  @Test func `attitude makes nothing of an acceleration or a field of exactly zero`() throws {
    let patch = try bench.patch("attitude")
    let nothing = Value.vector(Vector(0, 0, 0))
    try patch.feed(nothing, at: 0, to: "acceleration")
    try patch.feed(nothing, at: 0, to: "rotation")
    #expect(patch.outputs["quaternion"]?.last == nil)
    let other = try bench.patch("attitude")
    try other.feed(.vector(Vector(0, 6, 8)), at: 0, to: "acceleration")
    for time in 1...3 {
      try other.feed(nothing, at: Double(time), to: "acceleration")
      try other.feed(nothing, at: Double(time), to: "field")
    }
    #expect(other.outputs["roll"]?.last?.time == 1)
  }
}

private final class Store: SampleSink {
  let rows = Lock<[String]>([])

  func append(_ sample: Sample, named name: String) {
    rows.withLock { $0.append("\(name) \(sample.value.formatted())") }
  }
}
