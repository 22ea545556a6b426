import Glibc
import Testing

/// `gathered record`, `info`, `repair`, and the replay of what they made.
@Suite(.timeLimit(.minutes(1))) struct RecordTests {
  private let file: TemporaryFile

  init() throws { file = try TemporaryFile([]) }

  /// Records a simulated phone, as fast as its clock can be moved.
  private func record(_ arguments: String..., existing: String = "--overwrite") throws
    -> Program.Outcome
  {
    let words = ["record", file.path] + arguments + [existing]
    return try Program(words + ["--context", "sim:phone&clock=manual"]).finish()
  }

  private func write(_ text: String, mode: String) throws {
    guard let stream = fopen(file.path, mode) else {
      throw Program.CannotRun(call: "fopen", errno: errno)
    }
    fputs(text, stream)
    fclose(stream)
  }

  @Test func `a minute of a device is recorded, told of and played`() throws {
    let made = try record("memory", "gyroscope", "--every", "0.5", "--for", "60")
    #expect(made.code == 0 && made.output.isEmpty)
    let info = try Program.run("info", file.path)
    #expect(info.code == 0 && info.errors.isEmpty)
    #expect(info.lines.count == 4)
    #expect(info.lines.dropFirst(2).allSatisfy { $0.contains(" 121  ") })
    let played = try Program.run(
      "watch", "memory", "--context", "replay:" + file.path, "--count", "3")
    #expect(played.code == 0 && played.lines.count == 3)
    #expect(played.lines.first?.hasPrefix("2023-11-14T22:13:20Z memory|machine total=") == true)
    let list = try Program.run("list", "--context", "replay:" + file.path)
    #expect(list.output.contains("gyroscope|"))
  }

  @Test func `a replay ends with its recording`() throws {
    #expect(try record("memory", "--every", "0.05", "--for", "0.2").code == 0)
    let played = try Program.run("watch", "--context", "replay:" + file.path)
    #expect(played.code == 0 && played.lines.count == 5)
  }

  @Test func `a recording that is there is not touched unasked`() throws {
    #expect(try record("memory", "--for", "1").code == 0)
    let before = try Program.run("info", file.path).output
    let words = ["record", file.path, "memory", "--for", "1", "--context", "sim:phone"]
    let refused = try Program(words).finish()
    #expect(refused.code == 1)
    #expect(refused.errors.contains("is there already"))
    #expect(try Program.run("info", file.path).output == before)
    #expect(try record("memory", "--for", "1", existing: "--append").code == 0)
    #expect(try Program.run("info", file.path).output != before)
  }

  @Test func `a torn end is told, cut off by repair, and everything else stays`() throws {
    #expect(try record("memory", "--every", "0.1", "--for", "5").code == 0)
    let whole = try Program.run("info", file.path)
    try write("GKR", mode: "a")
    let torn = try Program.run("info", file.path)
    #expect(torn.code == 1 && torn.output == whole.output)
    #expect(torn.errors.contains("gathered repair"))
    #expect(try Program.run("repair", file.path).code == 0)
    let mended = try Program.run("info", file.path)
    #expect(mended.code == 0 && mended.output == whole.output && mended.errors.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a long repair shows how far it is, and Ctrl-C leaves all as it was`(copies: Bool) throws {
    #expect(try record("memory", "--every", "0.1", "--for", "5").code == 0)
    // A torn end that takes a while to be searched for blocks.
    let size: off_t = 4 << 30
    #expect(truncate(file.path, size) == 0)
    let target = file.path + ".mended"
    let words = ["repair", file.path] + (copies ? ["--to", target] : [])
    let terminal = Program.Output.terminal(columns: 80, rows: 24)
    let program = try Program(words, to: terminal, mixingErrors: true)
    #expect(program.read(until: "mending [-"))
    program.send(SIGINT)
    let outcome = program.finish()
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\r\u{1B}[Kgathered: \(file.path) was not mended"))
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_size == size)
    #expect(access(target, F_OK) != 0)
  }

  @Test(arguments: [["info"], ["repair"], ["watch", "--context"]])
  func `what is no recording is told, not played`(command: [String]) throws {
    try write("no recording at all", mode: "w")
    let name = command.count > 1 ? "replay:" + file.path : file.path
    let outcome = try Program(command + [name]).finish()
    #expect(outcome.code == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(file.path))
  }

  @Test func `nothing to record is a failure`() throws {
    let outcome = try Program.run(
      "record", file.path, "--overwrite", "--context", "sim:empty&clock=manual")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("there is nothing to record"))
  }
}
