import Glibc
import Testing

/// `gathered record`, `info`, `repair`, and the replay of what they made.
struct RecordTests {
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
    #expect(refused.errors.contains("exists already"))
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

  /// Changes a bit of the block of rows in the middle of the recording.
  private func damage() throws {
    let descriptor = open(file.path, O_RDWR)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    try #require(pread(descriptor, &bytes, size, 0) == size)
    // F5 47 4B A7 begins a block, and a 3 behind it says that it holds rows.
    let blocks = bytes.indices.dropLast(6).filter {
      bytes[$0..<$0 + 5].elementsEqual([0xF5, 0x47, 0x4B, 0xA7, 3])
    }
    try #require(blocks.count >= 3)
    let place = blocks[blocks.count / 2] + 124
    bytes[place] ^= 1
    try #require(pwrite(descriptor, &bytes[place], 1, off_t(place)) == 1)
  }

  @Test func `a damaged block is an event of its replay, and repair mends it`() throws {
    // Each is a block of rows at least.
    let made = try record("memory", "gyroscope", "battery", "cpu", "--every", "0.5", "--for", "5")
    #expect(made.code == 0)
    let whole = try Program.run("replay", file.path, "--rate", "inf").lines
    try damage()
    for words in [
      ["replay", file.path, "--rate", "inf"], ["watch", "--context", "replay:" + file.path],
    ] {
      let played = try Program(words).finish()
      #expect(played.code == 0)
      let rows = played.lines.filter { !$0.contains(" event=lost ") }
      #expect(played.lines.count == rows.count + 1 && rows.count < whole.count)
      #expect(rows.count >= whole.count / 2)
    }
    let target = file.path + ".export"
    let exported = try Program.run("export", file.path, target, "--format", "jsonl", "--overwrite")
    unlink(target)
    #expect(exported.errors.contains("check sum"))
    #expect(try Program.run("info", file.path).code == 1)
    #expect(try Program.run("repair", file.path).output.contains("1 places lost"))
    let mended = try Program.run("info", file.path)
    #expect(mended.code == 0 && mended.errors.isEmpty)
    let played = try Program.run("replay", file.path, "--rate", "inf")
    #expect(played.code == 0 && played.lines.count { $0.contains(" event=lost ") } == 1)
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
    #expect(program.read(until: "repairing [-"))
    program.send(SIGINT)
    let outcome = program.finish()
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("\r\u{1B}[Kgathered: \(file.path) was not repaired"))
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

  @Test func `without ids what comes later is recorded too, an aggregate for its members`() throws {
    let script = try Script("0 add memory|machine\n2 add battery|BAT0\n4 add fan|one\n")
    let made = try Program.run(
      "record", file.path, "--overwrite", "--context", script.context, "--every", "1", "--for", "6")
    #expect(made.code == 0 && made.errors.isEmpty, "\(made)")
    let lines = try Program.run("info", file.path).lines.dropFirst(2)
    let ids = lines.compactMap { $0.split(separator: " ").first }
    #expect(ids == ["memory|machine", "battery|aggregate", "fan|one"], "\(lines)")
  }

  @Test func `nothing to record is a failure`() throws {
    let outcome = try Program.run(
      "record", file.path, "--overwrite", "--context", "sim:empty&clock=manual")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("there is nothing to record"))
  }
}
