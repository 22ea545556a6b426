import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Graphs, by patches 2.7.
struct GraphTests {
  let bench: Bench
  let graph: Graph

  init() throws {
    bench = try Bench()
    graph = Graph(in: bench.context)
  }

  @Test func `a graph keeps its children and lets them go with itself, patches L41`() throws {
    weak var child: Patch?
    do {
      let graph = Graph(in: bench.context)
      do {
        let patch = try bench.patch("norm")
        child = patch
        try graph.add(patch)
      }
      #expect(child != nil)
    }
    #expect(child == nil)
  }

  @Test func `names are unique, follow a grammar, and are made from the type, patches L42`() throws
  {
    #expect(try graph.add(bench.patch("norm")) == "norm")
    #expect(try graph.add(bench.patch("norm")) == "norm2")
    #expect(try graph.add(bench.patch("norm"), as: "norm4") == "norm4")
    #expect(try graph.add(bench.patch("norm")) == "norm3")
    #expect(throws: PatchError.duplicateName("norm")) {
      try graph.add(bench.patch("scale"), as: "norm")
    }
    for bad in ["", "1a", "a.b", "é", "a b"] {
      #expect(throws: PatchError.badName(bad)) { try graph.add(bench.patch("norm"), as: bad) }
    }
    let child = try #require(graph["norm"])
    #expect(throws: PatchError.self) { try Graph(in: bench.context).add(child) }
    #expect(throws: PatchError.self) { try graph.add(graph.patch, as: "self") }
    #expect(child.name == "norm")
  }

  @Test func `offered ports are those of the children, patches L41`() throws {
    try graph.add(bench.patch("scale", ["factor": .int(2)]), as: "s")
    try graph.offer(input: "s.value", as: "in")
    try graph.offer(output: "s.value", as: "out")
    #expect(throws: PatchError.duplicateName("in")) { try graph.offer(input: "s.factor", as: "in") }
    #expect(throws: PatchError.notFound("nope")) { try graph.offer(input: "s.nope", as: "x") }
    let (collector, seen) = bench.collector()
    try graph.patch.connect("out", to: collector, "in")
    try graph.patch.set(.int(4), for: "in")
    #expect(seen.values == [.double(8)])
    #expect(graph.patch.outputs["out"]?.last?.value == .double(8))
    #expect(graph.patch.inputNames == ["in"])
  }

  @Test func `a removed child takes its wires and offered ports along, patches L43`() throws {
    let (one, two) = (try bench.patch("scale"), try bench.patch("scale"))
    try graph.add(one, as: "one")
    try graph.add(two, as: "two")
    try one.connect("value", to: two, "value")
    try graph.offer(output: "two.value", as: "out")
    let (collector, seen) = bench.collector()
    try graph.patch.connect("out", to: collector, "in")
    let (direct, heard) = bench.collector()
    try two.connect("value", to: direct, "in")
    try graph.remove("two")
    #expect(throws: PatchError.notFound("two")) { try graph.remove("two") }
    #expect(graph.patch.outputs.isEmpty)
    try one.set(.int(1), for: "value")
    try two.set(.int(2), for: "value")
    #expect(seen.values == [])
    #expect(heard.values == [.double(2)])
    #expect(two.name == "")
    try Graph(in: bench.context).add(two)
  }

  @Test func `a child fed by its own graph does not keep it, patches L37`() throws {
    weak var witness: Patch?
    do {
      let graph = Graph(in: bench.context)
      witness = graph.patch
      let (one, two) = (try bench.patch("scale"), try bench.patch("scale"))
      try graph.add(one, as: "one")
      try graph.offer(output: "one.value", as: "out")
      try graph.patch.connect("out", to: two, "value")
      try graph.add(two, as: "two")
      try graph.patch.connect("out", to: one, "offset")
      #expect(try two.wire(of: "value")?.isFeedback == true)
    }
    #expect(witness == nil)
  }

  @Test func `drawings have nodes, labelled edges, and dashes for feedback, patches L49`() throws {
    try graph.add(bench.patch("scale"), as: "one")
    try graph.add(bench.patch("scale"), as: "two")
    let (one, two) = (try #require(graph["one"]), try #require(graph["two"]))
    try one.connect("value", to: two, "value")
    try two.connect("value", to: one, "offset")
    #expect(
      graph.dot() == """
        digraph {
          rankdir=LR;
          node [shape=box];
          n0 [label="one\\nscale"];
          n1 [label="two\\nscale"];
          n0 -> n1 [label="value → value"];
          n1 -> n0 [label="value → offset", style=dashed];
        }

        """)
    #expect(
      graph.mermaid() == """
        flowchart LR
          n0["one<br/>scale"]
          n1["two<br/>scale"]
          n0 -->|"value → value"| n1
          n1 -.->|"value → offset"| n0

        """)
  }

  @Test func `names are escaped in drawings, patches L49`() throws {
    let (one, two) = (bench.patch(), bench.patch())
    one.addOutput("a\"b\\")
    two.addInput("<|#;end")
    try graph.add(one, as: "one")
    try graph.add(two, as: "end")
    try one.connect("a\"b\\", to: two, "<|#;end")
    #expect(graph.dot().contains("[label=\"a\\\"b\\\\ → <|#;end\"]"))
    #expect(graph.mermaid().contains("|\"a#34;b#92; → #60;#124;#35;#59;end\"|"))
  }

  @Test func `a type of one's own is in the catalogue and in documents, patches L54`() throws {
    let catalogue = bench.context.patchCatalogue
    try catalogue.register("double_it") { patch, options in
      patch.addOutput("out", .double)
      patch.addInput("in", .double) { patch, sample in
        try patch.publish(.double((sample.value.number ?? 0) * 2), on: "out")
      }
    }
    #expect(throws: PatchError.self) { try catalogue.register("double_it") { _, _ in } }
    #expect(throws: PatchError.self) { try catalogue.register("scale") { _, _ in } }
    #expect(throws: PatchError.badName("a b")) { try catalogue.register("a b") { _, _ in } }
    #expect(catalogue.types.contains("double_it"))
    try graph.add(bench.patch("double_it"))
    try graph.add(bench.patch("count"))
    try #require(graph["double_it"]).connect("out", to: #require(graph["count"]), "value")
    let json = try graph.json()
    let loaded = try Graph.load(Array(json.utf8), in: bench.context)
    #expect(try loaded.json() == json)
    let bad = json.replacing("double_it.out", with: "double_it.ou")
    #expect(Graph.problems(in: bad, catalogue).map(\.nearest) == ["out"])
  }

  @Test func `the catalogue describes every type, patches L50`() throws {
    let catalogue = bench.context.patchCatalogue
    #expect(catalogue.types.count == 28)
    for case .dictionary(let row) in catalogue.description {
      #expect(row["summary"]?.text?.isEmpty == false)
      #expect(row["type"]?.text != nil)
    }
  }

  @Test func `info tells of ports, wires and children, C API R7`() throws {
    try graph.add(bench.patch("scale"), as: "one")
    let one = try #require(graph["one"])
    try one.connect("value", to: one, "offset")
    guard case .list(let inputs) = one.info["inputs"], case .dictionary(let offset) = inputs.last
    else { return #expect(Bool(false), "no inputs") }
    #expect(
      offset == [
        "name": .string("offset"), "hint": .string("double"), "wired": .bool(true),
        "feedback": .bool(true), "errors": .int(0),
      ])
    #expect(
      graph.patch.info["children"]
        == .list([.dictionary(["name": .string("one"), "type": .string("scale")])]))
  }
}
