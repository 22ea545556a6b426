import GatheredKitTesting
import Gathering
import Patches
import Streams
import Testing
import Values

/// The patch `source` over all instances of a kind, and the figures of a list (patches 2.8).
struct AllInstancesTests {
  private let all: ValueDictionary = [
    "kind": .string("battery"), "instances": .string("all"), "interval": .double(5),
  ]

  private func batteries(_ names: String...) -> Value {
    .list(names.map { .string("battery|\($0)") })
  }

  private func list(_ numbers: Double?...) -> Value {
    .list(numbers.map { $0.map(Value.double) ?? .none })
  }

  private static let script = """
    0 add battery|BAT10
    0 set battery|BAT10/power 10
    0 add battery|BAT2
    0 set battery|BAT2/power 2
    12 add battery|BAT3
    12 set battery|BAT3/power 3
    22 remove battery|BAT2
    32 remove battery|BAT10
    32 remove battery|BAT3
    42 add battery|BAT2
    42 set battery|BAT2/power 2

    """

  @Test func `lists follow what comes and goes, in the order of streams L101`() throws {
    let bench = try Bench(script: Self.script)
    let patch = try bench.patch("source", all)
    #expect(patch.outputNames.first == "ids")
    let (ids, first) = try patch.collect("ids")
    let (powers, second) = try patch.collect("power")
    try bench.seek(seconds: 11)
    // The aggregate is none of them, and no list is given before all have told.
    #expect(ids.values == [batteries("BAT2", "BAT10")])
    #expect(powers.values.first == list(2, 10))
    #expect(Set(powers.values) == [list(2, 10)])
    try bench.seek(seconds: 21)
    #expect(ids.values.last == batteries("BAT2", "BAT3", "BAT10"))
    #expect(powers.values.last == list(2, 3, 10))
    try bench.seek(seconds: 31)
    #expect(ids.values.last == batteries("BAT3", "BAT10"))
    #expect(powers.values.last == list(3, 10))
    try bench.seek(seconds: 41)
    #expect(ids.values.last == .list([]))
    #expect(powers.values.last == .list([]))
    try bench.seek(seconds: 51)
    #expect(ids.values.last == batteries("BAT2"))
    #expect(powers.values.last == list(2))
    for connection in [first, second] { connection.disconnect() }
  }

  @Test func `without an instance the lists are empty`() throws {
    let bench = try Bench("sim:empty&clock=manual")
    let patch = try bench.patch("source", all)
    let (ids, first) = try patch.collect("ids")
    let (powers, second) = try patch.collect("power")
    #expect(ids.values == [.list([])])
    #expect(powers.values == [.list([])])
    for connection in [first, second] { connection.disconnect() }
  }

  @Test func `one that fails costs its own elements only`() throws {
    let bench = try Bench(
      script: """
        0 add battery|BAT10
        0 set battery|BAT10/power 10
        0 add battery|BAT2
        0 set battery|BAT2/power 2
        6 fault battery|BAT10 5
        10.5 set battery|BAT2/power 2.5

        """)
    let patch = try bench.patch("source", all)
    let (powers, connection) = try patch.collect("power")
    try bench.seek(seconds: 12)
    #expect(powers.values.first == list(2, 10))
    #expect(powers.values.last == list(2.5, nil))
    connection.disconnect()
  }

  @Test func `values bear the times of their cause, patches L35`() throws {
    let bench = try Bench(script: Self.script)
    let patch = try bench.patch("source", all)
    let single = try bench.patch("source", ["id": .string("battery|BAT2"), "interval": .double(5)])
    let (list, one) = (try patch.output("power"), try single.output("power"))
    let bag = Connector()
    for publink in [list, one] { publink.subscribe { _ in }.put(into: bag) }
    try bench.seek(seconds: 10)
    #expect(list.last?.time == one.last?.time)
    #expect(list.last?.time ?? 0 > 0)
    bag.disconnect()
  }

  @Test func `nothing runs unobserved, and observed again it begins afresh`() throws {
    let bench = try Bench(script: Self.script)
    let patch = try bench.patch("source", all)
    let (_, connection) = try patch.collect("power")
    try bench.seek(seconds: 1)
    connection.disconnect()
    try bench.seek(seconds: 25)
    #expect(try patch.output("power").last?.value == list(2, 10))
    let (after, again) = try patch.collect("power")
    try bench.seek(seconds: 26)
    #expect(after.values.last == list(3, 10))
    again.disconnect()
  }

  @Test func `an interval holds for what is there and what comes`() throws {
    let bench = try Bench(script: Self.script)
    let patch = try bench.patch("source", all)
    let (powers, connection) = try patch.collect("power")
    try patch.set(.double(1000), for: "interval")
    try bench.seek(seconds: 13)
    let count = powers.values.count
    try bench.seek(seconds: 21)
    #expect(powers.values.count == count)
    try patch.set(.double(5), for: "interval")
    try bench.seek(seconds: 21.9)
    // Each of three refreshes at once (sources L5).
    #expect(powers.values.count >= count + 3)
    connection.disconnect()
  }

  @Test func `a document has it, patches L47`() throws {
    let bench = try Bench(script: Self.script)
    let json = """
      {"format":"gatheredkit.graph","version":1,
       "patches":[{"name":"b","type":"source","options":{"kind":"battery","instances":"all"}},
        {"name":"s","type":"summary"}],
       "wires":[{"from":"b.power","to":"s.list"}]}
      """
    let graph = try Graph.load(Array(json.utf8), in: bench.context)
    let (sums, connection) = try #require(graph["s"]).collect("sum")
    try bench.seek(seconds: 1)
    #expect(sums.values == [.double(12)])
    connection.disconnect()
    let catalogue = bench.context.patchCatalogue
    let saved = try graph.json()
    #expect(Graph.problems(in: saved, catalogue) == [])
    #expect(try Graph.load(Array(saved.utf8), in: bench.context).json() == saved)
    let wrong = [
      (json.replacing("b.power", with: "b.powr"), GraphProblem.Code.unknownPort),
      (json.replacing("\"all\"", with: "\"some\""), .badOption),
      (json.replacing("\"kind\":\"battery\"", with: "\"id\":\"battery|BAT2\""), .badOption),
      // One battery has a number, and no list.
      (json.replacing(",\"instances\":\"all\"", with: ""), .typeMismatch),
    ]
    for (text, code) in wrong {
      #expect(Graph.problems(in: text, catalogue).map(\.code).contains(code), "\(text)")
    }
  }

  @Test func `summary has the figures of the numbers in a list`() throws {
    let bench = try Bench()
    let patch = try bench.patch("summary")
    func figures(_ value: Value) throws -> [Value] {
      try patch.set(value, for: "list")
      return patch.outputNames.map { patch.outputs[$0]?.last?.value ?? .string("nothing") }
    }
    #expect(patch.outputNames == ["sum", "mean", "min", "max", "count", "missing"])
    #expect(
      try figures(.list([.int(1), .none, .double(2.5), .string("x")]))
        == [.double(3.5), .double(1.75), .double(1), .double(2.5), .int(2), .int(2)])
    #expect(try figures(.list([])) == [.double(0), .none, .none, .none, .int(0), .int(0)])
    #expect(
      try figures(.list([.none])) == [.double(0), .none, .none, .none, .int(0), .int(1)])
    let odd = try figures(.list([.double(1), .double(.nan)])).prefix(4)
    #expect(odd.allSatisfy { $0.number?.isNaN == true })
    // Null passes through, and what is no list is an error.
    #expect(try figures(.none) == Array(repeating: Value.none, count: 6))
    #expect(patch.errorCount() == 0)
    try patch.set(.dictionary(["a": .int(1)]), for: "list")
    #expect(patch.errorCount() == 1)
    #expect(throws: PatchError.self) { try patch.set(.int(1), for: "list") }
  }
}
