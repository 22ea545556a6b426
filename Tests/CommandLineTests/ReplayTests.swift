import Testing

/// `gathered replay`: a recording, played.
struct ReplayTests {
  private let file: TemporaryFile

  /// A minute of a simulated phone.
  init() throws {
    file = try TemporaryFile([])
    let words = ["record", file.path, "memory", "--every", "0.5", "--for", "60", "--overwrite"]
    let made = try Program(words + ["--context", "sim:phone&clock=manual"]).finish()
    #expect(made.code == 0)
  }

  @Test func `in a pipe a recording is played without pace`() throws {
    let played = try Program.run("replay", file.path)
    #expect(played.code == 0 && played.errors.isEmpty)
    #expect(played.output == (try Program.run("query", file.path).output))
  }

  @Test func `it begins where it is told, and goes at the rate it is told`() throws {
    let played = try Program.run(
      "replay", file.path, "memory/available", "--from", "58", "--rate", "20", "--json")
    #expect(played.code == 0)
    #expect(played.lines.count == 5)
  }

  @Test func `keys pause, jump, step and end`() throws {
    // So slow that it stands where keys have put it, however long the keys take.
    let program = try Program(
      ["replay", file.path, "--rate", "0.001"], to: .terminal(columns: 100, rows: 24), from: nil,
      environment: ["NO_COLOR=1"])
    #expect(program.read(until: " 0 of 60 s, 0.001x"))
    program.type(" ")
    #expect(program.read(until: " 0 of 60 s, paused"))
    program.type("\u{1B}[C\u{1B}[C\u{1B}[C\u{1B}[C")
    #expect(program.read(until: " 20 of 60 s, paused"))
    program.type("\u{1B}[D\u{1B}[D")
    #expect(program.read(until: " 10 of 60 s, paused"))
    program.type("....")
    #expect(program.read(until: " 12 of 60 s, paused"))
    program.type("+ ")
    #expect(program.read(until: " s, 0.1x"))
    program.type("q")
    let outcome = program.finish()
    #expect(outcome.code == 0)
    #expect(outcome.output.hasSuffix("\u{1B}[?1049l\u{1B}[?25h"))
  }

  @Test func `a graph over a recording puts out the same every time, and ends with it`() throws {
    let graph = try TemporaryFile(
      Array(
        """
        {"format": "gatheredkit.graph", "version": 1,
          "patches": [
            {"name": "memory", "type": "source", "options": {"kind": "memory"}},
            {"name": "smooth", "type": "moving_average", "options": {"window": 5}}],
          "wires": [{"from": "memory.available", "to": "smooth.value"}],
          "outputs": [{"name": "smooth", "from": "smooth.value"}]}
        """.utf8))
    let words = ["graph", "run", graph.path, "--context", "replay:" + file.path]
    let once = try Program(words).finish()
    let twice = try Program(words).finish()
    #expect(once.code == 0 && once.errors.isEmpty)
    #expect(once.lines.count == 121)
    #expect(once.output == twice.output)
  }

  @Test func `what cannot be played is told`() throws {
    #expect(try Program.run("replay", "/nowhere.gkr").code == 1)
    #expect(try Program.run("replay", file.path, "--rate", "0").code == 2)
    let unknown = try Program.run("replay", file.path, "battery")
    #expect(unknown.code == 1 && !unknown.errors.isEmpty)
  }
}
