import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Who hears what, and in which order, where wires and subscribers come and go.
struct WireOrderTests {
  private let bench: Bench
  private let feeder: Patch
  private let patch: Patch
  private let heard = CollectingSink<String>()
  private let bag = Connector()

  init() throws {
    bench = try Bench()
    (feeder, patch) = (bench.patch(), bench.patch())
    feeder.addOutput("out")
  }

  private func wire(_ name: String, _ then: @escaping @Sendable (Patch) throws -> Void = { _ in })
    throws
  {
    patch.addInput(name) { [heard] patch, _ in
      heard.add(name)
      try then(patch)
    }
    try feeder.connect("out", to: patch, name)
  }

  private func subscribe(_ name: String) throws {
    try feeder.output("out").subscribe { [heard] _ in heard.add(name) }.put(into: bag)
  }

  @Test func `wires and subscribers hear in the order they were made, patches L21`() throws {
    try wire("a")
    try subscribe("b")
    try wire("c")
    try subscribe("d")
    try wire("e")
    try feeder.publish(.int(1), on: "out")
    #expect(heard.take() == ["a", "b", "c", "d", "e"])
    bag.disconnect()
    try feeder.publish(.int(2), on: "out")
    #expect(heard.take() == ["a", "c", "e"])
  }

  @Test func `a wire that is cut on the way to it carries nothing, patches L7, L25`() throws {
    try wire("a") { try $0.disconnect("b") }
    try wire("b")
    try wire("c")
    try feeder.publish(.int(1), on: "out")
    #expect(heard.values == ["a", "c"])
    #expect(patch.inputs["b"]?.last == nil)
  }

  @Test func `a wire made in a delivery carries what is placed after it, patches L22, L32`() throws
  {
    let (late, seen) = bench.collector()
    let (other, _) = bench.collector()
    feeder.addInput("in") { patch, _ in
      try patch.publish(.int(1), on: "out")
      try patch.publish(.int(2), on: "out")
      try patch.connect("out", to: late, "in")
      try patch.publish(.int(3), on: "out")
    }
    try feeder.connect("out", to: other, "in")
    try feeder.set(.int(0), for: "in")
    // The last value at its place, and then the rest.
    #expect(seen.values == [.int(2), .int(3)])
  }

  @Test func `who subscribes to an input in its handler gets the value once, patches L8, L12`()
    throws
  {
    let seen = CollectingSink<Value>()
    patch.addInput("in") { [bag] patch, _ in
      if bag.count == 0 { try patch.input("in").subscribe { seen.add($0.value) }.put(into: bag) }
    }
    try feeder.connect("out", to: patch, "in")
    try feeder.publish(.int(1), on: "out")
    try feeder.publish(.int(2), on: "out")
    #expect(seen.values == [.int(1), .int(2)])
    bag.disconnect()
  }

  @Test func `what waits for a port that was freed reaches no newer one, patches L18`() throws {
    feeder.addInput("in") { [bench, heard] _, _ in
      for number in 0..<100 {
        let patch = bench.patch()
        patch.addInput("in") { _, sample in heard.add(sample.value.formatted()) }
        try patch.set(.int(Int64(number)), for: "in")
        try patch.removeInput("in")
      }
    }
    try feeder.set(.int(0), for: "in")
    #expect(heard.values == [])
    #expect(feeder.errorCount() == 0)
  }
}
