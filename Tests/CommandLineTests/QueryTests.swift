import Gathering
import Testing
import Values

/// `gathered query`: rows, sums and plots of a recording.
struct QueryTests {
  private let file: TemporaryFile

  /// A minute of a simulated phone.
  init() throws {
    file = try TemporaryFile([])
    let words = ["record", file.path, "memory", "gyroscope", "--every", "0.5", "--for", "60"]
    let made = try Program(words + ["--overwrite", "--context", "sim:phone&clock=manual"]).finish()
    #expect(made.code == 0)
  }

  private func query(_ arguments: String...) throws -> Program.Outcome {
    try Program(["query", file.path] + arguments).finish()
  }

  @Test func `all rows come in order of time, as a watch prints them`() throws {
    let outcome = try query()
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(outcome.lines.count == 242)
    let times = outcome.lines.compactMap { $0.split(separator: " ").first?.count }
    #expect(times.count == 242)
    let watched = try Program.run(
      "watch", "memory", "--context", "replay:" + file.path, "--count", "5", "--all")
    let queried = try query("memory", "--limit", "5")
    #expect(queried.output == watched.output)
  }

  @Test func `properties, components, times and pages narrow it down`() throws {
    let outcome = try query(
      "gyroscope/rotation_rate/x", "memory/available", "--from", "10", "--to",
      "2023-11-14T22:13:35Z")
    #expect(outcome.lines.count == 20)
    #expect(outcome.lines.first?.hasPrefix("2023-11-14T22:13:30Z ") == true)
    #expect(outcome.lines.last?.hasPrefix("2023-11-14T22:13:34.5Z ") == true)
    #expect(outcome.output.contains(" rotation_rate/x="))
    #expect(outcome.lines.allSatisfy { $0.split(separator: "=").count == 2 })
    let page = try query("memory", "--offset", "100", "--limit", "50")
    #expect(page.lines.count == 21)
    #expect(page.lines.first?.hasPrefix("2023-11-14T22:14:10Z ") == true)
  }

  @Test func `intervals tell how many rows there were, and the least, most and mean`() throws {
    let rows = try query("memory/available", "--json")
    let numbers = try rows.lines.map { try number("available", in: $0) }
    let sums = try query("memory/available", "--every", "20", "--json")
    #expect(sums.lines.count == 4)
    let first = numbers.prefix(40)
    #expect(try number("rows", in: sums.lines[0]) == 40)
    #expect(try number("available.min", in: sums.lines[0]) == first.min())
    #expect(try number("available.max", in: sums.lines[0]) == first.max())
    let mean = try number("available.mean", in: sums.lines[0])
    #expect(abs(mean - first.reduce(0, +) / 40) < 1)
  }

  private func number(_ key: String, in line: Substring) throws -> Double {
    guard case .dictionary(let record) = try Value(json: line),
      case .dictionary(let values)? = record["values"],
      case .dictionary(let field)? = values[key], let number = field["value"]?.number
    else {
      Issue.record("no \(key) in \(line)")
      return .nan
    }
    return number
  }

  @Test func `V15: on a terminal rows are for people`() throws {
    let words = ["query", file.path, "memory/total", "gyroscope/rotation_rate/x", "--limit", "2"]
    let outcome = try Program(words, to: .terminal(columns: 80, rows: 24)).finish()
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("Z  memory|machine  total "))
    #expect(outcome.output.contains(" GiB"))
    #expect(outcome.output.contains(" rad/s"))
    #expect(!outcome.output.contains("=") && !outcome.output.contains("By"))
  }

  @Test func `a plot has a scale, a curve and the times, within the terminal`() throws {
    let words = ["query", file.path, "gyroscope/rotation_rate", "--plot"]
    let outcome = try Program(
      words, to: .terminal(columns: 60, rows: 24), environment: ["NO_COLOR=1"]
    ).finish()
    #expect(outcome.code == 0)
    let lines = outcome.output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 3 * 11)
    #expect(lines.allSatisfy { $0.count <= 60 })
    #expect(lines[0] == "gyroscope|mpu6050/rotation_rate/x  rad/s")
    #expect(lines[9].contains("└") && lines[9].contains("┬"))
    #expect(lines[10].contains("2023-11-14") && lines[10].contains(" 22:13:30"))
    #expect(lines[1...8].contains { $0.contains("┤") })
    let dots = lines[1...8].joined().unicodeScalars.filter { (0x2801...0x28FF).contains($0.value) }
    #expect(dots.count > 46)
  }

  @Test func `V15: a plot has the unit that suits its numbers`() throws {
    let outcome = try Program(
      ["query", file.path, "memory/total", "--plot"], to: .terminal(columns: 60, rows: 24),
      environment: ["NO_COLOR=1"]
    ).finish()
    #expect(outcome.output.hasPrefix("memory|machine/total  GiB"))
  }

  @Test func `what the recording does not have is told`() throws {
    for (id, word) in [
      ("nonsense", "memory|machine"), ("memory/nonsense", "memory has no"),
      ("gyroscope/rotation_rate/w", "rotation_rate/w"),
    ] {
      let outcome = try query(id)
      #expect(outcome.code == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.contains(word))
    }
    #expect(try query("memory", "--plot", "--json").code == 2)
    #expect(try query("memory", "--from", "yesterday").code == 2)
    #expect(try query("a b|c").code == 2)
    #expect(try Program.run("query", "/nowhere.gkr").code == 1)
  }
}
