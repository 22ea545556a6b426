import Gathering
import Testing
import Values

/// `gathered kinds`, and what `gathered read` says of a kind the machine has not: C API R26.
struct KindsTests {
  @Test func `C API R26: kinds has a line for every kind the doctor knows`() throws {
    let report = try Program.run("doctor", "--json", "--context", "sim:empty")
    guard case .dictionary(let found) = try Value(json: report.output) else {
      Issue.record("no object: \(report.output)")
      return
    }
    let known = texts("kind", of: found["kinds"])
    let overview = try Program.run("kinds")
    #expect(overview.code == 0)
    #expect(overview.errors.isEmpty)
    #expect(overview.lines.dropFirst(2).map { String($0.prefix { $0 != " " }) } == known)
    let json = try Program.run("kinds", "--json")
    #expect(texts("kind", of: try Value(json: json.output)) == known)
    #expect(known.count > 20)
  }

  @Test func `one kind is described in full`() throws {
    let outcome = try Program.run("kinds", "battery")
    #expect(outcome.code == 0)
    #expect(outcome.lines.first == "battery  Battery")
    let interval = "  interval   30 s, 5 s at the least, and when something changes"
    #expect(outcome.lines.contains { $0 == interval })
    #expect(outcome.lines.contains("  to try it  gathered read battery --context sim:laptop"))
    #expect(outcome.lines.contains("  level  double; 0 to 1; on change"))
    #expect(outcome.lines.contains("    how full it is"))
    #expect(outcome.lines.contains("  serial  text; static; personal: serial"))
    #expect(outcome.lines.contains("    from model_name"))
  }

  @Test func `every text of one kind is that of its JSON`() throws {
    let json = try Program.run("kinds", "accelerometer", "--json")
    guard case .list(let rows) = try Value(json: json.output), case .dictionary(let row) = rows[0]
    else {
      Issue.record("no array of objects: \(json.output)")
      return
    }
    let outcome = try Program.run("kinds", "accelerometer")
    for key in ["key", "meaning", "origin"] {
      let texts = texts(key, of: row["properties"])
      #expect(texts.count == 12)
      #expect(texts.filter { !outcome.output.contains($0) } == [])
    }
    #expect(outcome.output.contains("  acceleration  x, y, z in m/s2; continuous"))
    #expect(outcome.output.contains("  inverted  bool; on change; can be set for a session"))
  }

  @Test func `a terminal gets lines as wide as it is, with every word`() throws {
    let screen = Program.Output.terminal(columns: 50, rows: 24)
    let narrow = try Program(["kinds", "battery"], to: screen, environment: ["NO_COLOR=1"]).finish()
    let lines = narrow.output.split(whereSeparator: \.isNewline)
    #expect(lines.allSatisfy { $0.count <= 50 })
    let words = { (text: String) in text.split { $0.isWhitespace || $0.isNewline } }
    #expect(words(narrow.output) == words(try Program.run("kinds", "battery").output))
  }

  @Test func `N4: an unknown kind ends with 1 and the nearest name`() throws {
    let outcome = try Program.run("kinds", "batery")
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "gathered: no kind \"batery\"; did you mean battery?\n")
  }

  @Test func `C API R26: reading what the machine has not tells what there would be`() throws {
    let outcome = try Program.run("read", "battery", "--context", "sim:empty")
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("gathered: battery: no such hardware"))
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.contains("  what it would tell:"))
    #expect(lines.contains("    level               how full it is"))
    #expect(lines.last == "  to try it: gathered read battery --context sim:laptop")
    let tried = try Program.run("read", "battery", "--context", "sim:laptop")
    #expect(tried.code == 0)
    #expect(tried.lines.contains { $0.hasPrefix("  level ") })
  }

  @Test func `reading one value that the machine has not tells of that one`() throws {
    let outcome = try Program.run("read", "battery/level", "--context", "sim:empty")
    let lines = outcome.errors.split(separator: "\n")
    #expect(
      lines.suffix(3) == [
        "  what it would tell:", "    level  how full it is",
        "  to try it: gathered read battery/level --context sim:laptop",
      ])
  }

  @Test func `what a kind would tell is no answer in JSON, nor where there is another instance`()
    throws
  {
    let json = try Program.run("read", "battery", "--json", "--context", "sim:empty")
    #expect(!json.errors.contains("would tell"))
    let other = try Program.run("read", "battery|BAT7", "--context", "sim:laptop")
    #expect(other.code == 1)
    #expect(!other.errors.contains("would tell"))
  }

  private func texts(_ key: String, of rows: Value?) -> [String] {
    guard case .list(let rows)? = rows else { return [] }
    return rows.compactMap { if case .dictionary(let row) = $0 { row[key]?.text } else { nil } }
  }
}
