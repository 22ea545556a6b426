import Gathering
import Glibc
import Testing
import Values

/// `gathered graph run`.
struct GraphRunTests {
  private func run(_ file: GraphFile, _ arguments: String...) throws -> Program.Outcome {
    try Program(["graph", "run", file.path] + arguments).finish()
  }

  /// A clock every second, counted, and the count's double.
  private func seconds() throws -> GraphFile {
    try GraphFile(
      members: """
        "patches": [ { "name": "beat", "type": "clock", "options": { "interval": 1 } },
                     { "name": "beats", "type": "count" },
                     { "name": "double", "type": "scale", "options": { "factor": 2 } } ],
        "wires": [ { "from": "beat.tick", "to": "beats.value" },
                   { "from": "beats.count", "to": "double.value" } ],
        "outputs": [ { "name": "count", "from": "beats.count" },
                     { "name": "twice", "from": "double.value" } ]
        """)
  }

  private let still = "sim:empty&clock=manual"

  @Test func `L41: each value of an offered output is a line with time, name and value`() throws {
    let outcome = try run(try seconds(), "--for", "3.5", "--context", still)
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    let words = outcome.lines.map { $0.split(separator: " ") }
    #expect(words.allSatisfy { $0.count == 2 && $0[0].hasSuffix("Z") })
    let counts = words.map { $0[1] }.filter { $0.hasPrefix("count=") }
    let doubles = words.map { $0[1] }.filter { $0.hasPrefix("twice=") }
    #expect(counts.count >= 3)
    #expect(counts == counts.indices.map { "count=\($0 + 1)" })
    #expect(doubles == doubles.indices.map { "twice=\(2 * ($0 + 1))" })
    #expect(doubles.count == counts.count)
  }

  @Test func `L35: JSON is one object a line, with the time of what caused it`() throws {
    let outcome = try run(try seconds(), "--json", "--count", "4", "--context", still)
    #expect(outcome.code == 0)
    #expect(outcome.lines.count == 4)
    var times: [Int64] = []
    for line in outcome.lines {
      guard case .dictionary(let record) = try Value(json: line),
        case .int(let time) = record["time_ns"] ?? .none
      else {
        Issue.record("not an object: \(line)")
        continue
      }
      #expect(record.keys == ["name", "time_ns", "value", "status"])
      #expect(record["status"] == .string("ok"))
      times.append(time)
    }
    // A count and its double, a second later the next ones.
    #expect(times.count == 4 && times[0] == times[1] && times[2] == times[0] + 1_000_000_000)
  }

  @Test func `count ends the run after so many values`() throws {
    for count in [1, 2, 7] {
      let outcome = try run(try seconds(), "--count", "\(count)", "--context", still)
      #expect(outcome.code == 0)
      #expect(outcome.lines.count == count)
    }
  }

  @Test func `lines of the log and errors of patches are on standard error`() throws {
    let file = try GraphFile(
      members: """
        "patches": [ { "name": "beat", "type": "clock", "options": { "interval": 1 } },
                     { "name": "beats", "type": "count" },
                     { "name": "text", "type": "format", "options": { "template": "at {value}" } },
                     { "name": "note", "type": "log",
                       "options": { "label": "beat", "level": "warning" } },
                     { "name": "wrong", "type": "moving_average" } ],
        "wires": [ { "from": "beat.tick", "to": "beats.value" },
                   { "from": "beats.count", "to": "text.value" },
                   { "from": "text.text", "to": "note.value" },
                   { "from": "text.text", "to": "wrong.value" } ],
        "outputs": [ { "name": "text", "from": "text.text" } ]
        """)
    let outcome = try run(file, "--count", "3", "--context", still)
    #expect(outcome.code == 0)
    let texts = outcome.lines.map { $0.split(separator: " ", maxSplits: 1).last }
    #expect(texts == ["text=\"at 1\"", "text=\"at 2\"", "text=\"at 3\""])
    let errors = outcome.errors.split(separator: "\n")
    for count in 1...3 { #expect(errors.contains("warning: beat: at \(count)")) }
    // Each error once, and how often it came.
    let troubles = errors.filter { $0.hasPrefix("gathered: wrong: ") }
    #expect(troubles.count == 2)
    #expect(troubles.last?.hasSuffix(" times)") == true)
  }

  @Test func `L48: a document with problems starts nothing, and all are told`() throws {
    let file = try GraphFile(
      members: """
        "patches": [ { "name": "a", "type": "constant", "options": { "value": 1 } },
                     { "name": "a", "type": "nrm" } ],
        "outputs": [ { "name": "value", "from": "a.value" } ]
        """)
    let outcome = try run(file, "--context", still)
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    let errors = outcome.errors.split(separator: "\n")
    #expect(errors.count == 3)
    #expect(errors.contains { $0.contains(": /patches/1/name: duplicateName: ") })
    #expect(errors.contains { $0.contains(": /patches/1/type: unknownPatchType: ") })
    #expect(errors.last == "gathered: \(file.path): 2 problems")
  }

  @Test func `A1: without any source that can be used it ends with 1, reason and remedy`() throws {
    let script = try Script(
      """
      0 add ambient_light|chip
      0 availability ambient_light|chip permissionDenied the gate is shut

      """)
    let light = GraphFile.example("light.json")
    let shut = try Program.run("graph", "run", light, "--context", script.context)
    #expect(shut.code == 1)
    #expect(shut.output.isEmpty)
    #expect(shut.errors.hasPrefix("gathered: light: ambient_light: "))
    #expect(shut.errors.contains("the gate is shut"))
    #expect(shut.errors.contains("  remedy: "))
    let empty = try Program.run("graph", "run", light, "--context", still)
    #expect(empty.code == 1)
    #expect(empty.errors.contains("no such hardware"))
  }

  @Test func `P4: a personal value is withheld unless it is allowed`() throws {
    let file = try GraphFile(
      members: """
        "patches": [ { "name": "cells", "type": "source", "options": { "id": "battery|BAT0" } } ],
        "outputs": [ { "name": "serial", "from": "cells.serial" },
                     { "name": "model", "from": "cells.model" } ]
        """)
    let laptop = "sim:laptop&clock=manual"
    let withheld = try run(file, "--for", "1", "--context", laptop)
    #expect(withheld.code == 0)
    #expect(withheld.output.contains(" model=SIM-57\n"))
    #expect(withheld.output.contains(" serial=!permission\n"))
    #expect(!(withheld.output + withheld.errors).contains("00042"))
    let json = try run(file, "--for", "1", "--json", "--context", laptop)
    #expect(json.output.contains("\"remedy\":"))
    #expect(!json.output.contains("00042"))
    let shown = try run(file, "--for", "1", "--allow", "serial", "--context", laptop)
    #expect(shown.output.contains(" serial=00042\n"))
  }

  @Test func `a graph that offers nothing says so and runs`() throws {
    let file = try GraphFile(members: "\"patches\": [ { \"name\": \"a\", \"type\": \"count\" } ]")
    let outcome = try run(file, "--for", "1", "--context", still)
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("offers no outputs"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends the run with 0`(signal: Int32) throws {
    let file = try seconds()
    let program = try Program(["graph", "run", file.path, "--context", "sim:empty"])
    #expect(program.read(until: "\n"))
    program.send(signal)
    let outcome = program.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
  }

  @Test func `a signal ends a run whose clock is moved, too`() throws {
    let file = try seconds()
    let program = try Program(["graph", "run", file.path, "--context", still])
    #expect(program.read(until: "\n"))
    program.send(SIGINT)
    #expect(program.finish().code == 0)
  }

  @Test func `a reader that goes away ends the run quietly`() throws {
    let file = try seconds()
    let program = try Program(["graph", "run", file.path, "--context", still])
    #expect(program.read(until: "\n"))
    program.closeOutput()
    let outcome = program.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
  }
}
