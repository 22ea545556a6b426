import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Ports, by patches 2.2.
struct PortTests {
  @Test func `one name may stand for an input and an output, and names are exact, patches L14`()
    throws
  {
    let patch = try Bench().patch()
    patch.addInput("x")
    patch.addOutput("x")
    #expect(patch.inputs["x"] != nil)
    #expect(patch.outputs["x"] != nil)
    #expect(patch.inputs["X"] == nil)
    for bad in ["", "a\nb", "a\u{7}"] {
      #expect(throws: PatchError.badName(bad)) {
        try patch.define(output: PortDescription(bad))
      }
    }
  }

  @Test func `publishing on the publink of a port is setting or publishing, patches L15`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let publink = try #require(patch.inputs["in"])
    #expect(publink.publish(Sample(.int(1))) == .delivered)
    #expect(seen.values == [.int(1)])
    #expect(publink.last?.value == .int(1))
    patch.addOutput("out")
    let out = try #require(patch.outputs["out"])
    let (heard, connection) = try patch.collect("out")
    out.publish(Sample(.int(2)))
    #expect(heard.values == [.int(2)])
    connection.disconnect()
    #expect(patch.inputs["nobody"] == nil)
  }

  @Test func `an input that is added again is another one, patches L16`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let feeder = bench.patch()
    feeder.addOutput("out")
    try feeder.connect("out", to: patch, "in")
    try feeder.publish(.int(1), on: "out")
    let again = CollectingSink<Value>()
    patch.addInput("in") { _, sample in again.add(sample.value) }
    #expect(patch.inputs["in"]?.hasPublished == false)
    try feeder.publish(.int(2), on: "out")
    #expect(seen.values == [.int(1)])
    #expect(again.values == [])
    try patch.set(.int(3), for: "in")
    #expect(again.values == [.int(3)])
  }

  @Test func `an output that is added again has no wires and no value, patches L17`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let feeder = bench.patch()
    feeder.addOutput("out")
    try feeder.connect("out", to: patch, "in")
    try feeder.publish(.int(1), on: "out")
    feeder.addOutput("out")
    #expect(feeder.outputs["out"]?.hasPublished == false)
    try feeder.publish(.int(2), on: "out")
    #expect(seen.values == [.int(1)])
  }

  @Test func `removed ports are unknown, with all that hung on them, patches L18, L19`() throws {
    let bench = try Bench()
    let (patch, seen) = bench.collector()
    let feeder = bench.patch()
    feeder.addOutput("out")
    try feeder.connect("out", to: patch, "in")
    try feeder.removeOutput("out")
    #expect(throws: PatchError.notFound("out")) { try feeder.publish(.int(1), on: "out") }
    #expect(throws: PatchError.notFound("out")) { try feeder.removeOutput("out") }
    #expect(throws: PatchError.notFound("out")) { try feeder.connect("out", to: patch, "in") }
    try patch.removeInput("in")
    #expect(throws: PatchError.notFound("in")) { try patch.set(.int(1), for: "in") }
    #expect(throws: PatchError.notFound("in")) { try patch.disconnect("in") }
    #expect(patch.inputs.isEmpty)
    #expect(seen.values == [])
  }

  @Test func `setting calls this handler alone, and the wire goes on, patches L20`() throws {
    let bench = try Bench()
    let (first, seen) = bench.collector()
    let (second, other) = bench.collector()
    let feeder = bench.patch()
    feeder.addOutput("out")
    try feeder.connect("out", to: first, "in")
    try feeder.connect("out", to: second, "in")
    try first.set(.int(5), for: "in")
    #expect(feeder.outputs["out"]?.hasPublished == false)
    try feeder.publish(.int(6), on: "out")
    #expect(seen.values == [.int(5), .int(6)])
    #expect(other.values == [.int(6)])
  }

  @Test func `what was published early is replayed, in the order of connection, patches L21`()
    throws
  {
    let bench = try Bench()
    let feeder = bench.patch()
    feeder.addOutput("out")
    try feeder.publish(.int(1), on: "out")
    let order = CollectingSink<String>()
    let patch = bench.patch()
    patch.addInput("in") { _, sample in order.add("wire \(sample.value.formatted())") }
    let first = feeder.outputs["out"]?.subscribe { order.add("a \($0.value.formatted())") }
    try feeder.connect("out", to: patch, "in")
    let last = feeder.outputs["out"]?.subscribe { order.add("b \($0.value.formatted())") }
    try feeder.publish(.int(2), on: "out")
    #expect(order.values == ["a 1", "wire 1", "b 1", "a 2", "wire 2", "b 2"])
    withExtendedLifetime((first, last)) {}
  }
}
