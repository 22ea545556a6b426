import Gathering
import Glibc
import Testing
import Values

struct WatchTests {
  private let laptop = "sim:laptop&clock=manual"

  @Test func `I4: one line an update, at once and then every interval`() throws {
    let outcome = try Program.run(
      "watch", "memory/available", "--every", "0.5", "--for", "2", "--context", laptop)
    #expect(outcome.code == 0)
    #expect(outcome.lines.count == 5)
    #expect(outcome.lines.allSatisfy { $0.contains(" memory|machine available=") })
    #expect(outcome.lines.allSatisfy { $0.hasSuffix("By") })
  }

  @Test func `count ends the watch after so many updates of each source`() throws {
    let outcome = try Program.run(
      "watch", "memory", "battery", "--count", "3", "--every", "1", "--context", laptop)
    #expect(outcome.code == 0)
    #expect(outcome.lines.filter { $0.contains(" memory|machine ") }.count == 3)
    #expect(outcome.lines.filter { $0.contains(" battery|aggregate ") }.count == 3)
  }

  @Test func `JSON is one object a line`() throws {
    let outcome = try Program.run(
      "watch", "memory", "--json", "--count", "2", "--context", laptop)
    #expect(outcome.lines.count == 2)
    for line in outcome.lines {
      guard case .dictionary(let record) = try Value(json: line) else {
        Issue.record("not an object: \(line)")
        continue
      }
      #expect(record.keys == ["id", "time_ns", "values"])
    }
  }

  @Test func `in a pipe only what changed is printed again`() throws {
    let script = try Script(
      """
      0 add memory|machine
      0 set memory|machine/total 8
      0 set memory|machine/free 4
      3 set memory|machine/free 5

      """)
    let words = ["watch", "memory", "--every", "1", "--for", "5", "--context", script.context]
    let outcome = try Program(words).finish()
    #expect(outcome.code == 0)
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines.first?.contains(" total=8By ") == true)
    #expect(outcome.lines.last?.hasSuffix(" memory|machine free=5By") == true)
    let objects = try Program(words + ["--json"]).finish()
    #expect(objects.lines.count == 2)
    #expect(objects.lines.last?.contains("total") == false)
    let all = try Program(words + ["--all"]).finish()
    #expect(all.lines.count == 6)
    #expect(all.lines.allSatisfy { $0.contains(" total=8By ") })
  }

  @Test func `without ids everything available is watched, an aggregate for its members`() throws {
    let outcome = try Program.run("watch", "--for", "0", "--context", laptop)
    #expect(outcome.output.contains(" battery|aggregate "))
    #expect(outcome.output.contains(" memory|machine "))
    #expect(!outcome.output.contains(" battery|BAT0 "))
  }

  @Test func `H2: what is plugged in joins, what is pulled out leaves`() throws {
    let script = try Script(
      """
      0 add memory|machine
      2 add temperature|probe
      4 remove temperature|probe

      """)
    let outcome = try Program.run(
      "watch", "--every", "1", "--for", "6", "--context", script.context)
    let probe = outcome.lines.filter { $0.contains(" temperature|probe ") }
    #expect(probe.first?.hasSuffix("event=added") == true)
    #expect(probe.last?.hasSuffix("event=removed") == true)
    #expect(probe.count > 2)
    #expect(outcome.code == 0)
  }

  @Test func `L10: a named source that goes away stays, with the reason, until it is back`() throws
  {
    let script = try Script(
      """
      0 add temperature|probe
      0 set temperature|probe/temperature 20
      2 remove temperature|probe
      4 add temperature|probe
      4 set temperature|probe/temperature 30

      """)
    let outcome = try Program.run(
      "watch", "temperature|probe/temperature", "--every", "1", "--for", "6", "--context",
      script.context)
    let text = outcome.output
    #expect(text.contains("temperature=20Cel"))
    #expect(text.contains("event=availabilityChanged availability=disconnected"))
    #expect(text.contains("temperature=30Cel"))
    let gone = outcome.lines.drop { !$0.contains("availability=disconnected") }.dropFirst()
      .prefix { !$0.contains("availability=available") }
    #expect(!gone.isEmpty)
    #expect(gone.allSatisfy { $0.hasSuffix("temperature=!noData") })
    #expect(outcome.code == 0)
  }

  @Test func `nothing to watch ends with 1 and the reason`() throws {
    let named = try Program.run("watch", "battery", "--context", "sim:empty")
    #expect(named.code == 1)
    #expect(named.errors.contains("battery: no such hardware"))
    let unnamed = try Program.run("watch", "--context", "sim:empty")
    #expect(unnamed.code == 1)
    #expect(unnamed.errors.contains("nothing to watch"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends the watch with 0`(signal: Int32) throws {
    let program = try Program(["watch", "memory", "--every", "60", "--context", "sim:laptop"])
    #expect(program.read(until: "\n"))
    program.send(signal)
    #expect(program.finish().code == 0)
  }

  @Test func `a reader that goes away ends the watch quietly`() throws {
    let program = try Program(["watch", "memory", "--every", "60", "--context", "sim:laptop"])
    #expect(program.read(until: "\n"))
    program.closeOutput()
    let outcome = program.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
  }

  @Test func `I6: every row of a stream is a line of its own, dated by itself, and counts`() throws
  {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let program = try Program([
      "watch", "accelerometer|iio:device0/acceleration", "--every", "0.01", "--count", "40",
      "--context", "local:root=/\(tests)/Fixtures/machines/motion-board",
    ])
    #expect(program.read(until: "\n"))
    // What is recorded while it is stopped comes in one update.
    program.send(SIGSTOP)
    usleep(200_000)
    program.send(SIGCONT)
    let lines = program.finish().lines
    #expect(lines.count == 40)
    #expect(lines.allSatisfy { $0.hasSuffix("m/s2") })
    // The refresh of the start may be as old as the first record.
    #expect(Set(lines.compactMap { $0.split(separator: " ").first }).count >= 39)
  }

  @Test(
    arguments: [("device_attitude", "-- o --"), ("compass", "^ "), ("accelerometer", "inverted")])
  func `a terminal of 80 by 24 has room for all that moves and its picture`(
    kind: String, mark: String
  ) throws {
    let program = try Program(
      ["--context", "sim:phone", "watch", kind, "--every", "0.02"],
      to: .terminal(columns: 80, rows: 24), environment: ["NO_COLOR=1"])
    // The last row is drawn last.
    #expect(program.read(until: "\u{1B}[24;1H\u{1B}[2K"))
    #expect(program.read(until: mark))
    program.send(SIGINT)
    let outcome = program.finish()
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.hasSuffix(Self.farewell))
    #expect(!outcome.output.contains("…"))
    #expect(!outcome.output.contains("\u{1B}[25;1H"))
    // Nothing is below what is seen: the last row would tell.
    let last = outcome.output.split(separator: "\u{1B}[24;1H\u{1B}[2K").dropFirst()
    #expect(!last.isEmpty)
    #expect(last.allSatisfy { $0.hasPrefix("Ctrl-C ends ") && !$0.prefix(80).contains(" of ") })
  }

  private static let farewell = "\u{1B}[?1049l\u{1B}[?25h"

  @Test func `a terminal is redrawn in place, within its width, and left as it was`() throws {
    let program = try Program(
      ["watch", "--every", "0.05", "--context", "sim:laptop"],
      to: .terminal(columns: 60, rows: 20), environment: ["NO_COLOR=1"])
    // Of a second drawing only what changed is written.
    #expect(program.read(until: "\u{1B}[20;1H\u{1B}[2K"))
    #expect(program.read(until: "\u{1B}[1;1H\u{1B}[2Kgathered watch  sim:laptop"))
    program.send(SIGINT)
    let outcome = program.finish()
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("\u{1B}[?25l\u{1B}[?1049h\u{1B}[2J"))
    #expect(outcome.output.hasSuffix(Self.farewell))
    let lines = outcome.output.split(separator: "\u{1B}[2K").dropFirst()
    #expect(lines.count >= 20)
    for line in lines {
      #expect(line.split(separator: "\u{1B}").first?.count ?? 0 <= 60)
    }
    #expect(outcome.output.split(separator: "\u{1B}[2J").count == 2)
  }
}
