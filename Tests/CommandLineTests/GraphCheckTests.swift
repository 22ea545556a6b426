import Gathering
import Testing
import Values

/// `gathered graph check`, mostly of documents that cannot be loaded.
struct GraphCheckTests {
  private func check(_ file: GraphFile, _ flags: String...) throws -> Program.Outcome {
    try Program(["graph", "check", file.path, "--context", "sim:empty"] + flags).finish()
  }

  @Test(arguments: [
    "tap.json", "alarms.json", "light.json", "power-of-all.json", "fleet-alarms.json",
  ])
  func `a sound document ends with 0, whatever machine it is`(name: String) throws {
    let path = GraphFile.example(name)
    let outcome = try Program.run("graph", "check", path, "--context", "sim:empty")
    #expect(outcome.code == 0)
    #expect(outcome.output == "\(path): sound\n")
    #expect(outcome.errors.isEmpty)
    let json = try Program.run("graph", "check", path, "--json", "--context", "sim:empty")
    #expect(json.code == 0)
    #expect(json.output == "[]\n")
  }

  @Test func `a document comes from standard input, too`() throws {
    let arguments = ["graph", "check", "-", "--context", "sim:empty"]
    let sound = try Program(arguments, from: GraphFile.example("tap.json")).finish()
    #expect(sound.output == "standard input: sound\n")
    let empty = try Program(arguments).finish()
    #expect(empty.code == 1)
    #expect(empty.output.hasPrefix("standard input: malformed: line 1, column 1: "))
  }

  @Test(arguments: [("/nowhere/at/all.json", "No such file"), ("/tmp", "directory")])
  func `a file that cannot be read ends with 1 and the reason`(
    path: String, reason: String
  ) throws {
    for command in ["run", "check", "draw"] {
      let outcome = try Program.run("graph", command, path)
      #expect(outcome.code == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("gathered: \(path): "))
      #expect(outcome.errors.contains(reason))
    }
  }

  @Test func `L47: what is not JSON is told with line and column`() throws {
    let file = try GraphFile("{ \"format\": \"gatheredkit.graph\",\n  \"version\": }\n")
    let outcome = try check(file)
    #expect(outcome.code == 1)
    #expect(outcome.output.hasPrefix("\(file.path): malformed: line 2, column 14: "))
    #expect(outcome.errors == "gathered: \(file.path): one problem\n")
  }

  @Test func `L47: all problems are told, each with code, pointer and the nearest name`() throws {
    let file = try GraphFile(
      members: """
        "patches": [ { "name": "a", "type": "low_pas" },
                     { "name": "b", "type": "scale", "options": { "facto": 2 } },
                     { "name": "c", "type": "constant", "options": { "value": 1 }, "colour": 1 } ],
        "wires": [ { "from": "d.value", "to": "b.value" }, { "from": "c.valu", "to": "b.value" } ]
        """)
    let outcome = try check(file)
    #expect(outcome.code == 1)
    let lines = outcome.lines.map { $0.dropFirst(file.path.count + 2) }
    #expect(lines.count == 6)
    #expect(lines.contains { $0.hasPrefix("/patches/0/type: unknownPatchType: ") })
    #expect(lines.contains { $0.hasSuffix("did you mean low_pass?") })
    #expect(lines.contains { $0.hasPrefix("/patches/1/options/facto: badOption: ") })
    #expect(lines.contains { $0.hasPrefix("/patches/2/colour: malformed: line 4, column 76: ") })
    #expect(lines.contains { $0.hasPrefix("/wires/0/from: unknownPatch: ") })
    #expect(lines.contains { $0.hasPrefix("/wires/1/from: unknownPort: ") })
    #expect(lines.contains { $0.hasPrefix("/wires/1/to: inputWiredTwice: ") })
    // No line offers a name twice.
    #expect(lines.allSatisfy { $0.split(separator: "did you mean").count <= 2 })
    #expect(outcome.errors == "gathered: \(file.path): 6 problems\n")
  }

  @Test func `L29: wires that do not fit are told at their place`() throws {
    let file = try GraphFile(
      members: """
        "patches": [ { "name": "text", "type": "format" }, { "name": "size", "type": "norm" } ],
        "wires": [ { "from": "text.text", "to": "size.vector" } ]
        """)
    let outcome = try check(file)
    #expect(outcome.code == 1)
    #expect(outcome.lines.count == 1)
    #expect(outcome.output.hasPrefix("\(file.path): /wires/0"))
    #expect(outcome.output.contains(": typeMismatch: "))
  }

  @Test func `L47: the same problems as JSON`() throws {
    let file = try GraphFile(members: "\"patches\": [ { \"name\": \"a\", \"type\": \"nrm\" } ]")
    let outcome = try check(file, "--json")
    #expect(outcome.code == 1)
    guard case .list(let rows) = try Value(json: outcome.output),
      case .dictionary(let row) = rows.first ?? .none
    else {
      Issue.record("no array of objects: \(outcome.output)")
      return
    }
    #expect(rows.count == 1)
    #expect(row["code"] == .string("unknownPatchType"))
    #expect(row["pointer"] == .string("/patches/0/type"))
    #expect(row["nearest"] == .string("norm"))
  }

  @Test(arguments: [
    "[", "{\"a\":", "{\"patches\":[{\"name\":\"g\",\"type\":\"graph\",\"graph\":",
  ])
  func `nesting without end is a problem and no crash`(opening: String) throws {
    let file = try GraphFile(String(repeating: opening, count: 100_000))
    for command in ["check", "run", "draw"] {
      let outcome = try Program.run("graph", command, file.path)
      #expect(outcome.code == 1)
      #expect((outcome.output + outcome.errors).contains("malformed: line 1, column "))
    }
  }

  @Test func `graphs in graphs, as deep as JSON may be, are checked and drawn`() throws {
    let head = #""format": "gatheredkit.graph", "version": 1"#
    let opening = #""patches": [ { "name": "g", "type": "graph", "graph": { \#(head), "#
    let depth = 40
    let file = try GraphFile(
      members: String(repeating: opening, count: depth) + "\"patches\": []"
        + String(repeating: "} } ]", count: depth))
    #expect(try check(file).output == "\(file.path): sound\n")
    #expect(try Program.run("graph", "draw", file.path).code == 0)
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x7B], [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D], [0x00], [],
    ] as [[UInt8]])
  func `bytes that are no text are malformed`(bytes: [UInt8]) throws {
    let outcome = try check(try GraphFile(bytes))
    #expect(outcome.code == 1)
    #expect(outcome.output.contains(": malformed: "))
  }

  /// Were it not linear in the document, this would take ten minutes.
  @Test func `a document of very many patches is checked in time`() throws {
    let count = 20_000
    let patches = (0..<count).map { "{ \"name\": \"a\($0)\", \"type\": \"count\" }" }
    let wires = (1..<count).map { "{ \"from\": \"a\($0 - 1).count\", \"to\": \"a\($0).value\" }" }
    let file = try GraphFile(
      members: """
        "patches": [ \(patches.joined(separator: ",\n")) ],
        "wires": [ \(wires.joined(separator: ",\n")) ]
        """)
    #expect(try check(file).output == "\(file.path): sound\n")
  }

  @Test func `a name cannot act upon the terminal`() throws {
    let file = try GraphFile(
      members: "\"patches\": [ { \"name\": \"\\u001b[31m\", \"type\": \"\\u001b[2J\" } ]")
    let outcome = try check(file)
    #expect(outcome.code == 1)
    #expect(outcome.lines.count == 2)
    #expect(!outcome.output.contains("\u{1B}"))
  }

  @Test func `a newer version and another format are not understood`() throws {
    let file = try GraphFile("{ \"format\": \"something\", \"version\": 2 }")
    let outcome = try check(file)
    #expect(outcome.lines.filter { $0.contains(": unsupportedVersion: ") }.count == 2)
    #expect(outcome.code == 1)
  }
}
