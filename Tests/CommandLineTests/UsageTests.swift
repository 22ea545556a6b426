import CommandOptions
import Testing

@testable import gathered

struct UsageTests {
  @Test(arguments: [
    ["read", "--over", "soon"], ["frobnicate"], ["list", "--nonsense"],
    ["watch", "memory", "--every", "0"],
    ["watch", "memory", "--every", "soon"], ["watch", "memory", "--count", "0"],
    ["read", "mem ory"], ["list", "--context", "nowhere:"], ["list", "--allow", "gossip"],
    ["graph", "run"], ["graph", "paint", "x"], ["graph", "run", "x", "--count", "0"],
    ["graph", "draw", "x", "--format", "png"],
  ])
  func `a wrong command line ends with 2 and says what is wrong`(arguments: [String]) throws {
    let outcome = try Program(arguments).finish()
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("gathered: "))
    #expect(!outcome.errors.contains("rror: "))
  }

  @Test(arguments: [
    (["lst"], "no command \"lst\"; did you mean list?"),
    (["graph", "chek"], "no command \"chek\"; did you mean check?"),
    (["frobnicate"], "no command \"frobnicate\"; there are list, read, watch"),
    (["list", "--jsn"], "Did you mean '--json'?"),
    (["read", "memory/availble", "-c", "sim:laptop"], "\"availble\"; did you mean available?"),
    (["read", "gyroscope/rotation_rate/w", "-c", "sim:laptop"], "no component \"w\""),
  ])
  func `a slip of the keyboard brings what was meant`(words: [String], hint: String) throws {
    let outcome = try Program(words).finish()
    #expect(outcome.code > 0)
    #expect(outcome.errors.contains(hint), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("100ms", 100_000_000), ("1m", 60_000_000_000), ("1h30m", 5_400_000_000_000),
    ("2", 2_000_000_000), ("0.5", 500_000_000), ("1.5s", 1_500_000_000), ("250us", 250_000),
    ("7ns", 7), ("1d", 86_400_000_000_000), ("3min", 180_000_000_000),
  ])
  func `times have units`(text: String, nanoseconds: Int64) {
    #expect(Seconds(argument: text)?.nanoseconds == nanoseconds)
  }

  @Test(arguments: ["", "ms", "1 m", "m1", "1x", "-1s", "1s2", "inf", "1e9d", "nan", "1..2s"])
  func `what is no time is none`(text: String) { #expect(Seconds(argument: text) == nil) }

  @Test(arguments: [40, 60, 100])
  func `help breaks no example and nothing else is wider`(columns: Int) {
    let text = """
      OVERVIEW: Words that are wrapped where they do not fit, however many of them there may be.

      EXAMPLES
        gathered watch --context 'sim:laptop&clock=manual' --for 1m   one simulated minute
        gathered list   what there is

      USAGE: gathered watch [--context <uri>] [--allow <categories> ...] [--json] [<id> ...]

      OPTIONS:
        --every <time>          Time between two updates; each kind has its own default.
      """
    let lines = HelpText.wrapped(text, to: columns).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("  gathered watch --context 'sim:laptop&clock=manual'") })
    // On so few columns options stay as they are.
    let whole = columns < 46 ? ["  gathered watch ", "  --every"] : ["  gathered watch "]
    #expect(lines.allSatisfy { $0.count <= columns || whole.contains(where: $0.hasPrefix) })
    let words = { (text: String) in text.split { $0 == " " || $0 == "\n" } }
    #expect(words(HelpText.wrapped(text, to: columns)) == words(text))
  }

  @Test func `a context that is not there ends with 1`() throws {
    let outcome = try Program.run("list", "--context", "local:root=/nowhere/at/all")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("/nowhere/at/all"))
  }

  @Test(arguments: [
    ["--help"], ["list", "--help"], ["read", "-h"], ["watch", "-h"], ["doctor", "-h"],
    ["graph"], ["graph", "run", "-h"], ["graph", "check", "-h"], ["graph", "draw", "-h"],
    ["graph", "types", "-h"],
  ])
  func `help is an answer with examples`(arguments: [String]) throws {
    let outcome = try Program(arguments).finish()
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("EXAMPLES"))
    #expect(outcome.errors.isEmpty)
  }

  @Test func `the version is the library's`() throws {
    let outcome = try Program.run("--version")
    #expect(outcome.code == 0)
    #expect(outcome.output == "0.2.0\n")
  }

  @Test func `options may stand before or after the ids`() throws {
    let before = try Program.run("list", "--context", "sim:laptop", "memory")
    let after = try Program.run("list", "memory", "--context", "sim:laptop")
    #expect(before.output == after.output)
    #expect(!after.output.isEmpty)
  }

  @Test func `which machine is asked may stand before the command`() throws {
    let after = try Program.run("list", "memory", "-c", "sim:laptop", "-a", "all")
    let before = try Program.run("--context", "sim:laptop", "--allow=all", "list", "memory")
    #expect(before.output == after.output)
    #expect(before.code == 0)
    #expect(try Program.run("--context", "sim:laptop").code == 2)
    #expect(try Program.run("--context").code == 2)
  }
}
