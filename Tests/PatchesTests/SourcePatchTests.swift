import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// The patch `source` where its device does not do as it should (patches 2.8).
struct SourcePatchTests {
  /// Statuses and payloads of an output, in words.
  private func words(
    of output: String, _ patch: Patch
  ) throws -> (CollectingSink<Value>, Connection) {
    let publink = try patch.output(output)
    let seen = CollectingSink<Value>()
    let connection = publink.subscribe { sample in
      seen.add(sample.status == .ok ? sample.value : .string("\(sample.status)"))
    }
    return (seen, connection)
  }

  @Test func `a device that is not there yet is waited for, sources L10`() throws {
    let bench = try Bench(script: "2.5 add memory|machine\n2.5 set memory|machine/free 5\n")
    let patch = try bench.patch(
      "source", ["kind": .string("memory"), "interval": .double(1)])
    let (seen, connection) = try words(of: "free", patch)
    #expect(seen.values == [.string("noData")])
    try bench.seek(seconds: 5)
    #expect(seen.values.first == .string("noData"))
    #expect(Array(seen.values.suffix(2)) == [.int(5), .int(5)])
    connection.disconnect()
  }

  @Test func `a device that goes is told by status, and goes on when it is back, sources L10`()
    throws
  {
    let bench = try Bench(
      script: """
        0 add memory|machine
        0 set memory|machine/free 5
        1.5 remove memory|machine
        4.5 add memory|machine
        4.5 set memory|machine/free 7

        """)
    let patch = try bench.patch(
      "source", ["id": .string("memory|machine"), "interval": .double(1)])
    let (seen, connection) = try words(of: "free", patch)
    try bench.seek(seconds: 1)
    #expect(seen.values == [.int(5), .int(5)])
    try bench.seek(seconds: 2)
    #expect(seen.values.last == .string("noData"))
    try bench.seek(seconds: 6)
    #expect(Array(seen.values.suffix(2)) == [.int(7), .int(7)])
    connection.disconnect()
  }

  @Test func `a device that fails is told by status, and is tried again, sources L9`() throws {
    let bench = try Bench(
      script: """
        0 add memory|machine
        0 set memory|machine/free 5
        0.5 fault memory|machine 5
        20 clear memory|machine

        """)
    let patch = try bench.patch(
      "source", ["kind": .string("memory"), "interval": .double(1)])
    let (seen, connection) = try words(of: "free", patch)
    try bench.seek(seconds: 19)
    #expect(seen.values.first == .int(5))
    #expect(seen.values.count > 1)
    #expect(seen.values.dropFirst().allSatisfy { $0 == .string("failed") })
    try bench.seek(seconds: 30)
    #expect(Array(seen.values.suffix(2)) == [.int(5), .int(5)])
    // Without a listener the source is not tried again.
    connection.disconnect()
    let count = seen.values.count
    try bench.seek(seconds: 40)
    #expect(seen.values.count == count)
  }

  @Test func `an instance with properties of its own has them as ports, patches L47`() throws {
    let bench = try Bench(
      script: """
        0 add iio|one
        0 set iio|one/voltage0 1.5
        0 add iio|two
        0 set iio|two/current1 2

        """)
    let json = """
      {"format":"gatheredkit.graph","version":1,
       "patches":[{"name":"a","type":"source","options":{"kind":"iio"}},
        {"name":"b","type":"source","options":{"id":"iio|two"}},
        {"name":"s","type":"math","options":{"expression":"a + b"}}],
       "wires":[{"from":"a.voltage0","to":"s.a"},{"from":"b.current1","to":"s.b"}]}
      """
    #expect(Graph.problems(in: json, bench.context.patchCatalogue) == [])
    let graph = try Graph.load(Array(json.utf8), in: bench.context)
    let (seen, connection) = try #require(graph["s"]).collect("value")
    try bench.seek(seconds: 2)
    #expect(seen.values.last == .double(3.5))
    connection.disconnect()
    let wrong = json.replacing("b.current1", with: "b.voltage0")
    let problems = Graph.problems(in: wrong, bench.context.patchCatalogue)
    #expect(problems.map(\.code) == [.unknownPort])
  }
}
