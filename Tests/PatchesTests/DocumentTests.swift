import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// Documents, by patches 2.7 and 3.
struct DocumentTests {
  let bench: Bench
  var catalogue: PatchCatalogue { bench.context.patchCatalogue }

  init() throws { bench = try Bench() }

  static let example = """
    { "format": "gatheredkit.graph", "version": 1,
      "patches": [ { "name": "motion", "type": "source", "options": { "kind": "accelerometer" } },
                   { "name": "size",   "type": "norm" },
                   { "name": "shake",  "type": "threshold",
                     "options": { "above": 15.0, "below": 11.0 } } ],
      "values":  [ { "to": "shake.above", "value": 18.0 } ],
      "wires":   [ { "from": "motion.acceleration", "to": "size.vector" },
                   { "from": "size.value", "to": "shake.value" } ],
      "inputs":  [ { "name": "limit", "to": "shake.above" } ],
      "outputs": [ { "name": "shaken", "from": "shake.state" } ] }
    """

  private func codes(_ json: String) -> [String] {
    Graph.problems(in: json, catalogue).map { "\($0.code.rawValue) \($0.pointer)" }
  }

  private func load(_ json: String) throws -> Graph {
    try Graph.load(Array(json.utf8), in: bench.context)
  }

  @Test func `the example loads, runs, and is the same after saving and loading, patches L44, L45`()
    throws
  {
    let graph = try load(Self.example)
    let json = try graph.json()
    #expect(try load(json).json() == json)
    let (seen, connection) = try graph.patch.collect("shaken")
    #expect(graph.patch.inputs["limit"]?.last?.value == .double(18))
    try bench.seek(seconds: 1)
    #expect(seen.values == [.bool(false)])
    connection.disconnect()
  }

  @Test func `a child without a type, and wires outwards, cannot be saved, patches L46`() throws {
    let graph = Graph(in: bench.context)
    try graph.add(bench.patch(), as: "mine")
    #expect("mine") { _ = try graph.json() } throws: { error in
      if case .notSavable("mine", _) = error as? PatchError { true } else { false }
    }
    let other = Graph(in: bench.context)
    let (inside, outside) = (try bench.patch("scale"), try bench.patch("scale"))
    try other.add(inside, as: "inside")
    try outside.connect("value", to: inside, "value")
    #expect(throws: PatchError.self) { try other.json() }
    try inside.disconnect("value")
    try inside.connect("value", to: outside, "value")
    #expect(throws: PatchError.self) { try other.json() }
    try outside.disconnect("value")
    _ = try other.json()
  }

  @Test func `all problems are told, with pointers and nearest names, patches L47`() {
    let json = """
      { "format": "gatheredkit.graph", "version": 2, "extra": 1,
        "patches": [ { "name": "a", "type": "norn" }, { "name": "a", "type": "norm" },
                     { "name": "2", "type": "norm" }, { "name": "s", "type": "scale",
                       "options": { "factr": 1, "offset": "x" } },
                     { "name": "n", "type": "norm" }, { "name": "m", "type": "format" } ],
        "values":  [ { "to": "n.vector", "value": 1 } ],
        "wires":   [ { "from": "q.value", "to": "n.vectr" },
                     { "from": "n.value", "to": "n.vector" },
                     { "from": "n.value", "to": "m.value" },
                     { "from": "m.text", "to": "m.value" } ],
        "inputs":  [ { "name": "x y", "to": "n.vector" } ],
        "outputs": [ { "name": "o", "from": "n.value" }, { "name": "o", "from": "n.value" } ] }
      """
    #expect(
      codes(json).sorted() == [
        "badName /inputs/0/name", "badName /patches/2/name",
        "badOption /patches/3/options/factr", "badOption /patches/3/options/offset",
        "duplicateName /outputs/1/name", "duplicateName /patches/1/name",
        "inputWiredTwice /wires/3/to", "malformed /extra", "typeMismatch /values/0/value",
        "typeMismatch /wires/1", "unknownPatch /wires/0/from", "unknownPatchType /patches/0/type",
        "unknownPort /wires/0/to", "unsupportedVersion /version",
      ])
    let nearest = Graph.problems(in: json, catalogue).compactMap(\.nearest)
    #expect(Set(["norm", "factor", "vector"]).isSubset(of: nearest))
  }

  @Test func `what is not JSON has its line and column, patches 3`() throws {
    let problem = try #require(Graph.problems(in: "{\n  \"é\": tru\n}", catalogue).first)
    #expect(problem.code == .malformed)
    #expect(problem.message.hasPrefix("line 2, column 8: "))
    let wrong = try #require(
      Graph.problems(
        in: "{\"format\":\"gatheredkit.graph\",\"version\":1,\n \"wires\":[{\"from\":1,\"to\":2}]}",
        catalogue
      ).first)
    #expect(wrong.pointer == "/wires/0/from")
    #expect(wrong.message.hasPrefix("line 2, column 12: "))
  }

  @Test func `a document says the first malformed place in bytes, C API R8`() {
    func fault(_ json: String) -> GraphDocument.Fault? {
      GraphDocument(Array(json.utf8), catalogue).fault
    }
    #expect(fault("{\"é\": tru\n}")?.offset == 7)
    #expect(fault(String(repeating: "[", count: 200))?.isLimit == true)
    #expect(fault(Self.example) == nil)
    #expect(fault("{}") == nil)
    let wrong = "{\"format\":\"gatheredkit.graph\",\"version\":1,\"patches\":{},\"wires\":{}}"
    #expect(fault(wrong)?.offset == 42)
    #expect(fault(wrong)?.reason == "/patches: a list was expected")
  }

  @Test func `hostile documents are refused and break nothing, patches L47`() {
    let head = "{\"format\":\"gatheredkit.graph\",\"version\":1,"
    let hostile = [
      "", "null", "[]", "{", "\u{0}", String(repeating: "[", count: 100_000),
      String(repeating: "{\"a\":", count: 1_000), "{\"a\":1,\"a\":2}", "{\"version\":1e999}",
      head + "\"patches\":{}}", head + "\"patches\":[1,null,[]]}", head + "\"patches\":[{}]}",
      head + "\"patches\":[{\"name\":\"g\",\"type\":\"graph\"}]}",
      head + "\"patches\":[{\"name\":1,\"type\":[]}]}",
      head + "\"wires\":[{\"from\":\"a\",\"to\":\"b\"}]}",
      head + "\"values\":[{\"to\":\"a.b\"}]}", "{\"version\":99999999999999999999}",
      head + "\"patches\":[{\"name\":\"m\",\"type\":\"combine\",\"options\":{\"count\":1e18}}]}",
    ]
    for json in hostile { #expect(!codes(json).isEmpty, "\(json.prefix(60))") }
    #expect(!Graph.problems(in: [0xFF, 0xFE], catalogue).isEmpty)
    for end in stride(from: 0, to: Self.example.utf8.count, by: 7) {
      #expect(!codes(String(Self.example.prefix(end))).isEmpty)
    }
  }

  @Test func `with one problem nothing is built, patches L48`() throws {
    let made = CollectingSink<Int>()
    try catalogue.register("witness") { patch, options in
      made.add(1)
      patch.addInput("in")
    }
    let json = """
      {"format":"gatheredkit.graph","version":1,"patches":[{"name":"w","type":"witness"},
      {"name":"x","type":"nothing"}]}
      """
    #expect("refused") { _ = try load(json) } throws: { error in
      guard case .invalidGraph(let problems) = error as? PatchError else { return false }
      return problems.map(\.code) == [.unknownPatchType]
    }
    // It was tried once, to know its ports, and never made.
    #expect(made.values.count == 1)
  }

  @Test func `wires come first, then values, and then values flow, patches L48`() throws {
    let order = CollectingSink<String>()
    try catalogue.register("noting") { patch, _ in
      patch.addInput("a") { _, sample in order.add("a \(sample.value.formatted())") }
      patch.addInput("b") { _, sample in order.add("b \(sample.value.formatted())") }
    }
    let graph = try load(
      """
      {"format":"gatheredkit.graph","version":1,
       "patches":[{"name":"c","type":"constant","options":{"value":1}},
                  {"name":"n","type":"noting"}],
       "values":[{"to":"n.a","value":2},{"to":"n.b","value":{"vector":[1,2]}}],
       "wires":[{"from":"c.value","to":"n.a"}]}
      """)
    #expect(order.values == ["a 1", "a 2", "b (1, 2)"])
    withExtendedLifetime(graph) {}
  }

  @Test func `graphs inside graphs, and their offered ports, are saved, patches L45`() throws {
    let (outer, inner) = (Graph(in: bench.context), Graph(in: bench.context))
    try inner.add(bench.patch("scale", ["factor": .int(3)]), as: "s")
    try inner.offer(input: "s.value", as: "in")
    try inner.offer(output: "s.value", as: "out")
    try outer.add(inner.patch, as: "inner")
    try outer.add(bench.patch("constant", ["value": .int(2)]), as: "two")
    try #require(outer["two"]).connect("value", to: inner.patch, "in")
    try outer.offer(output: "inner.out", as: "six")
    #expect(outer.patch.outputs["six"]?.last?.value == .double(6))
    let json = try outer.json()
    let loaded = try load(json)
    #expect(try loaded.json() == json)
    #expect(loaded.patch.outputs["six"]?.last?.value == .double(6))
  }

  @Test func `random graphs survive saving and loading, patches L45`() throws {
    var random = SeededGenerator(seed: 7)
    // Random wires make loops that never end by themselves; how long they run is no matter here.
    let limiter = try bench.patch("constant")
    limiter.outputs["value"]?.cascadeLimit = 200
    let types = ["scale", "norm", "gate", "switch", "count", "combine", "debounce"]
    for _ in 0..<60 {
      let graph = Graph(in: bench.context)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        try graph.add(bench.patch(types.randomElement(using: &random) ?? "scale"))
      }
      for _ in 0..<12 {
        guard let from = graph.childNames.randomElement(using: &random),
          let to = graph.childNames.randomElement(using: &random), let source = graph[from],
          let target = graph[to], let output = source.outputNames.randomElement(using: &random),
          let input = target.inputNames.randomElement(using: &random)
        else { continue }
        _ = try? source.connect(output, to: target, input)
        let value = Value.double(Double.random(in: -1...1, using: &random))
        if Bool.random(using: &random) { try? target.set(value, for: input) }
        _ = try? graph.offer(
          output: "\(from).\(output)", as: "o\(Int.random(in: 0...9, using: &random))")
      }
      let json = try graph.json()
      let loaded = try load(json)
      #expect(try loaded.json() == json)
      // Which wire closes a cycle depends on the order they were made in, which is the same here.
      let again = try load(json)
      #expect(loaded.dot() == again.dot())
      #expect(loaded.mermaid() == again.mermaid())
    }
  }
}
