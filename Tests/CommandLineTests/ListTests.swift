import Gathering
import Testing
import Values

struct ListTests {
  @Test func `list names every instance with its state`() throws {
    let outcome = try Program.run("list", "--context", "sim:laptop")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.lines.contains { $0.hasPrefix("memory|machine ") && $0.contains("available") })
    #expect(outcome.lines.contains { $0.hasPrefix("battery|BAT0 ") })
    #expect(outcome.lines.allSatisfy { line in line.utf8.allSatisfy { $0 != 0x1B } })
  }

  @Test func `list of one kind names no other`() throws {
    let outcome = try Program.run("list", "battery", "--context", "sim:laptop")
    #expect(outcome.lines.dropFirst(2).allSatisfy { $0.hasPrefix("battery|") })
    #expect(outcome.lines.count == 4)
  }

  @Test func `list as JSON is one array of objects`() throws {
    let outcome = try Program.run("list", "memory", "--json", "--context", "sim:laptop")
    guard case .list(let rows) = try Value(json: outcome.output),
      case .dictionary(let row) = rows[0]
    else {
      Issue.record("no array of objects: \(outcome.output)")
      return
    }
    #expect(rows.count == 1)
    #expect(row["id"] == .string("memory|machine"))
    #expect(row["availability"] == .string("available"))
  }

  @Test func `E1: an empty list is an answer, with the reason beside it`() throws {
    let outcome = try Program.run("list", "battery", "--context", "sim:empty")
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("gathered: battery: no such hardware"))
    let json = try Program.run("list", "battery", "--json", "--context", "sim:empty")
    #expect(json.output == "[]\n")
  }

  @Test func `N4: an unknown kind ends with 1 and the nearest name`() throws {
    let outcome = try Program.run("list", "batery", "--context", "sim:laptop")
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("did you mean battery"))
  }

  @Test func `A1: what cannot be used says why and what to do`() throws {
    let script = try Script(
      "0 add battery|BAT0\n0 availability battery|BAT0 permissionDenied the gate is shut\n")
    let outcome = try Program.run("list", "battery", "--context", script.context)
    #expect(outcome.output.contains("permissionDenied  the gate is shut"))
  }

  @Test func `the terminal gets colours unless NO_COLOR is set`() throws {
    let arguments = ["list", "memory", "--context", "sim:laptop"]
    let screen = Program.Output.terminal(columns: 80, rows: 24)
    let colourful = try Program(arguments, to: screen).finish()
    #expect(colourful.output.contains("\u{1B}[32m"))
    let plain = try Program(arguments, to: screen, environment: ["NO_COLOR=1"]).finish()
    #expect(!plain.output.contains("\u{1B}"))
  }
}
