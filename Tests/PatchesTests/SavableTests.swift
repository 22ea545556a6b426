import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// What cannot be loaded again is refused where it is saved (patches L45, L46).
struct SavableTests {
  private let bench: Bench
  private let graph: Graph

  init() throws {
    bench = try Bench()
    graph = Graph(in: bench.context)
  }

  /// A graph is saved, and loading what was saved gives the same; or it is refused by this child.
  private func expectSaved(butFor child: String? = nil) throws {
    do {
      let text = try graph.json()
      #expect(child == nil)
      let loaded = try Graph.load(Array(text.utf8), in: bench.context)
      #expect(try loaded.json() == text)
    } catch PatchError.notSavable(let name, let reason) {
      #expect(name == child, "\(reason)")
    }
  }

  @Test func `a wire of a port that its type does not bring cannot be saved`() throws {
    let (one, two) = (try bench.patch("scale"), try bench.patch("scale"))
    try graph.add(one, as: "one")
    try graph.add(two, as: "two")
    one.addOutput("extra")
    two.addInput("extra")
    // As long as nothing is made of them, both load again.
    try expectSaved()
    try one.connect("extra", to: two, "value")
    try expectSaved(butFor: "one")
    try one.connect("value", to: two, "value")
    try expectSaved()
    try one.connect("value", to: two, "extra")
    try expectSaved(butFor: "two")
    try two.removeInput("extra")
    try expectSaved()
  }

  @Test func `a value or an offer of a port that its type does not bring cannot be saved`() throws {
    let patch = try bench.patch("scale")
    try graph.add(patch, as: "one")
    patch.addInput("extra")
    try patch.set(.int(1), for: "extra")
    try expectSaved(butFor: "one")
    try patch.removeInput("extra")
    patch.addOutput("more")
    try graph.offer(output: "one.more", as: "more")
    try expectSaved(butFor: "one")
    try graph.patch.removeOutput("more")
    try expectSaved()
  }

  @Test func `a port that was replaced is saved if its type brings the same`() throws {
    let (one, two) = (try bench.patch("scale"), try bench.patch("scale"))
    try graph.add(one, as: "one")
    try graph.add(two, as: "two")
    one.addOutput("value")
    try one.connect("value", to: two, "value")
    try expectSaved()
    two.addInput("value", .string)
    try one.connect("value", to: two, "value")
    try expectSaved(butFor: "two")
    let three = try bench.patch("scale")
    try graph.add(three, as: "three")
    one.addOutput("value", .string)
    try one.connect("value", to: three, "value")
    try expectSaved(butFor: "one")
  }

  @Test func `ports of a graph's own are no part of its document`() throws {
    let inner = Graph(in: bench.context)
    try graph.add(inner.patch, as: "inner")
    try graph.add(try bench.patch("scale"), as: "s")
    inner.patch.addOutput("own")
    try expectSaved()
    try inner.patch.connect("own", to: try #require(graph["s"]), "value")
    try expectSaved(butFor: "inner")
  }

  @Test func `options and values that JSON spells otherwise cannot be saved`() throws {
    try bench.context.patchCatalogue.register("free") { patch, _ in patch.addInput("in") }
    let cases: [(Value, isSavable: Bool)] = [
      (.list([.int(1), .int(2)]), true), (.double(.nan), false),
      (.dictionary(["vector": .list([.double(1), .double(2)])]), false),
      (.dictionary(["time_ns": .int(5)]), false), (.dictionary(["bytes": .string("AAAA")]), false),
      (.dictionary(["bytes": .string("?")]), true), (.vector(Vector(1, 2)), true),
    ]
    for (value, isSavable) in cases {
      let patch = try bench.patch("free", ["a": value, "b": .int(1)])
      try graph.add(patch, as: "one")
      try expectSaved(butFor: isSavable ? nil : "one")
      try graph.remove("one")
      let other = try bench.patch("free")
      try graph.add(other, as: "one")
      try other.set(value, for: "in")
      try expectSaved(butFor: isSavable ? nil : "one")
      try graph.remove("one")
    }
  }

  @Test func `options that look like a payload are read as options`() throws {
    try bench.context.patchCatalogue.register("free") { patch, _ in patch.addInput("in") }
    let cases: [(ValueDictionary, isSavable: Bool)] = [
      (["vector": .list([.double(1), .double(2)])], true), (["time_ns": .int(5)], true),
      (["bytes": .string("AAAA")], true), (["vector": .list([.int(1), .int(2)])], false),
    ]
    for (options, isSavable) in cases {
      try graph.add(try bench.patch("free", options), as: "one")
      try expectSaved(butFor: isSavable ? nil : "one")
      try graph.remove("one")
    }
  }

  @Test func `a wire made by a lowerCamel name is saved by the port's own`() throws {
    let inner = Graph(in: bench.context)
    try inner.add(try bench.patch("low_pass"), as: "low")
    try inner.offer(input: "low.timeConstant", as: "time_constant")
    try graph.add(inner.patch, as: "inner")
    try graph.add(try bench.patch("constant"), as: "c")
    try #require(graph["c"]).connect("value", to: inner.patch, "timeConstant")
    try expectSaved()
    #expect(try graph.json().contains(#""to":"inner.time_constant""#))
    try graph.offer(input: "inner.timeConstant", as: "outer")
    try expectSaved()
  }
}
