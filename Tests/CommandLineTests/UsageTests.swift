import Testing

struct UsageTests {
  @Test(arguments: [
    ["read"], ["frobnicate"], ["list", "--nonsense"], ["watch", "memory", "--every", "0"],
    ["watch", "memory", "--every", "soon"], ["watch", "memory", "--count", "0"],
    ["read", "mem ory"], ["list", "--context", "nowhere:"], ["list", "--allow", "gossip"],
    ["graph", "run"], ["graph", "paint", "x"], ["graph", "run", "x", "--count", "0"],
    ["graph", "draw", "x", "--format", "png"],
  ])
  func `a wrong command line ends with 2 and says what is wrong`(arguments: [String]) throws {
    let outcome = try Program(arguments).finish()
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(!outcome.errors.isEmpty)
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
