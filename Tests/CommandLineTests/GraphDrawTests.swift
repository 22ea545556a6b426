import Gathering
import Testing
import Values

/// `gathered graph draw` and `gathered graph types`.
struct GraphDrawTests {
  private func graph() throws -> GraphFile {
    try GraphFile(
      members: """
        "patches": [ { "name": "motion", "type": "source",
                       "options": { "kind": "accelerometer" } },
                     { "name": "size", "type": "norm" } ],
        "wires": [ { "from": "motion.acceleration", "to": "size.vector" } ]
        """)
  }

  @Test func `L49: a node a patch and an edge a wire, for Graphviz`() throws {
    let file = try graph()
    let outcome = try Program.run("graph", "draw", file.path)
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        digraph {
          rankdir=LR;
          node [shape=box];
          n0 [label="motion\\nsource"];
          n1 [label="size\\nnorm"];
          n0 -> n1 [label="acceleration → vector"];
        }

        """)
  }

  @Test func `L49: the same for Mermaid`() throws {
    let file = try graph()
    let outcome = try Program.run("graph", "draw", file.path, "--format", "mermaid")
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        flowchart LR
          n0["motion<br/>source"]
          n1["size<br/>norm"]
          n0 -->|"acceleration → vector"| n1

        """)
  }

  @Test func `L48: a document with problems is not drawn`() throws {
    let file = try GraphFile(members: "\"patches\": [ { \"name\": \"a\", \"type\": \"nrm\" } ]")
    let outcome = try Program.run("graph", "draw", file.path)
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("/patches/0/type: unknownPatchType: "))
  }

  @Test func `L50: the catalogue has a row and a summary for every type`() throws {
    let outcome = try Program.run("graph", "types")
    #expect(outcome.code == 0)
    let types = ["source", "constant", "low_pass", "threshold", "math", "log", "graph"]
    for type in types { #expect(outcome.lines.contains { $0.split(separator: " ")[0] == type }) }
    let threshold = outcome.lines.firstIndex { $0.hasPrefix("threshold ") } ?? 0
    let words = outcome.lines[threshold].split(separator: " ")
    let ports = ["value:double", "state:bool", "crossed:int", "above:double", "below:double"]
    #expect(words.dropFirst().elementsEqual(ports) { $0 == $1 })
    #expect(outcome.lines[threshold + 1].hasSuffix("True from value ≥ above until value < below."))
  }

  @Test func `L50: the catalogue as JSON`() throws {
    let outcome = try Program.run("graph", "types", "--json")
    guard case .list(let rows) = try Value(json: outcome.output) else {
      Issue.record("no array: \(outcome.output)")
      return
    }
    #expect(outcome.code == 0)
    #expect(rows.count > 20)
    let math = rows.compactMap { row -> ValueDictionary? in
      if case .dictionary(let type) = row, type["type"] == .string("math") { type } else { nil }
    }
    #expect(math.count == 1)
    #expect(
      math.first?["options"]
        == .list([
          .dictionary([
            "name": .string("expression"), "hint": .string("string"), "fixed": .bool(true),
          ])
        ]))
  }
}
