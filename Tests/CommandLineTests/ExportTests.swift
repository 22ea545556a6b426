import Gathering
import Glibc
import Testing
import Values

/// `gathered export`: a recording as a text that other programs read.
struct ExportTests {
  private let file: TemporaryFile
  private let target: TemporaryFile

  /// A minute of a simulated phone.
  init() throws {
    file = try TemporaryFile([])
    target = try TemporaryFile([])
    let words = ["record", file.path, "memory", "gyroscope", "--every", "0.5", "--for", "60"]
    let made = try Program(words + ["--overwrite", "--context", "sim:phone&clock=manual"]).finish()
    #expect(made.code == 0)
  }

  private func export(_ arguments: String...) throws -> (outcome: Program.Outcome, text: String) {
    let words = ["export", file.path, target.path] + arguments
    let outcome = try Program(words).finish()
    let text = try #require(target.content)
    return (outcome, text)
  }

  @Test func `one source is a table, a column a property`() throws {
    let (outcome, text) = try export("gyroscope", "--format", "csv", "--overwrite")
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(lines.count == 122)
    #expect(lines[0].hasPrefix("time,rotation_rate.x,rotation_rate.y,rotation_rate.z,"))
    #expect(lines[1].hasPrefix("2023-11-14T22:13:20Z,"))
  }

  @Test func `several sources are a line a value, or an object a row`() throws {
    let long = try export("--format", "csv", "--overwrite")
    #expect(long.outcome.code == 0)
    #expect(long.text.hasPrefix("time,source,property,value,status"))
    let rows = try export("--format", "jsonl", "--overwrite").text.split(separator: "\n")
    let records = try rows.map { row -> ValueDictionary in
      guard case .dictionary(let record) = try Value(json: row) else { return [:] }
      return record
    }
    #expect(records.filter { $0.keys == ["id", "time_ns", "values"] }.count == 242)
    #expect(records.contains { $0["event"] == .string("started") })
  }

  @Test func `an id may be typed as the source is called, and one property is no table`() throws {
    let words = ["record", file.path, "storage|/", "--every", "0.5", "--for", "2", "--overwrite"]
    let made = try Program(words + ["--context", "sim:laptop&clock=manual"]).finish()
    #expect(made.code == 0, "\(made.errors)")
    let whole = try export("storage|/", "--format", "csv", "--overwrite")
    #expect(whole.outcome.code == 0 && whole.text.hasPrefix("time,"))
    let narrow = try export("storage|//total", "--format", "csv", "--overwrite").outcome
    #expect(narrow.code == 1 && narrow.errors.contains("gathered query --json"))
  }

  @Test func `a file that is there stays, unless it is to be replaced`() throws {
    let (outcome, text) = try export("--format", "csv")
    #expect(outcome.code == 1 && text.isEmpty)
    #expect(outcome.errors.contains("--overwrite"))
    #expect(access(target.path + ".part", F_OK) != 0)
  }

  @Test func `what cannot be written is told`() throws {
    #expect(try export("--overwrite").outcome.code == 2)
    #expect(try export("nonsense", "--format", "csv", "--overwrite").outcome.code == 1)
    let nowhere = try Program.run("export", file.path, "/nowhere/a.csv")
    #expect(nowhere.code == 1 && nowhere.errors.contains("/nowhere/a.csv"))
    #expect(try Program.run("export", "/nowhere.gkr", target.path, "--overwrite").code == 1)
  }
}
