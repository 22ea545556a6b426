import GatheredKitTesting
import Glibc
import Machine
import Testing

/// `gathered publish`, by a real broker.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct PublishTests {
  let broker: PrivateBroker
  let uri: String

  init() throws {
    broker = try PrivateBroker()
    uri = "mqtt:127.0.0.1:\(broker.address.port)"
  }

  /// Publishes for a while what a simulated phone has.
  private func publish(_ arguments: String...) throws -> Program.Outcome {
    let words = ["publish", uri] + arguments + ["--context", "sim:phone", "--for", "2"]
    return try Program(words).finish()
  }

  /// What the broker keeps.
  private func kept() throws -> [String] {
    let log = try TopicLog(broker)
    return log.allMessages().filter(\.isRetained).map(\.topic)
  }

  @Test func `outputs of graphs are streams, and Home Assistant is told`() throws {
    let graph = try TemporaryFile(
      Array(
        """
        {"format": "gatheredkit.graph", "version": 1,
         "patches": [{"name": "b", "type": "source", "options": {"kind": "battery"}}],
         "outputs": [{"name": "charge", "from": "b.level"}]}
        """.utf8))
    let made = try publish("memory", "--device", "pi", "--graph", graph.path, "--discovery")
    #expect(made.code == 0 && made.errors.isEmpty, "\(made)")
    let topics = try kept()
    #expect(topics.contains("gathered/v1/pi/stream/charge/state"))
    #expect(topics.contains("gathered/v1/pi/memory/machine/state"))
    for kind in ["memory", "stream"] {
      #expect(topics.contains("homeassistant/device/gathered_pi_\(kind)/config"))
    }
    let read = try Program.run("read", "stream|charge@pi", "--context", uri, "--json")
    #expect(read.output.contains("\"value\""), "\(read)")
  }

  @Test func `without ids what comes later is published too, and a terminal is told how far`()
    throws
  {
    let script = try Script("0 add memory|machine\n1 add battery|BAT0\n")
    let context = "sim:file=\(script.path)"
    let made = try Program(
      ["publish", uri, "--device", "pi", "--context", context, "--for", "3"],
      to: .terminal(columns: 100, rows: 20), mixingErrors: true
    ).finish()
    #expect(made.code == 0, "\(made)")
    #expect(made.output.contains(", connected, 0 rows/s, "), "\(made)")
    let last = made.lines.last?.split(separator: "\r").last { $0.contains("rows") } ?? ""
    #expect(last.contains("s, closed, 0 rows, ") && last.contains(" bytes, 0 rows"), "\(made)")
    let topics = try kept()
    #expect(topics.contains("gathered/v1/pi/battery/aggregate/state"), "\(topics)")
    #expect(!topics.contains { $0.contains("BAT0") })
  }

  @Test func `F18 of a forgotten device nothing is kept`() throws {
    #expect(try publish("battery", "memory", "--device", "pi", "--discovery").code == 0)
    #expect(try publish("battery", "--device", "pi_battery", "--discovery=ha").code == 0)
    let before = try kept()
    let others = before.filter { $0.contains("pi_battery") }
    #expect(before.count == 13 && others.count == 6, "\(before)")
    let done = try Program.run("publish", uri, "--forget", "pi")
    #expect(done.code == 0 && done.output == "8 messages of pi deleted\n", "\(done)")
    #expect(try kept().sorted() == others.filter { !$0.hasPrefix("homeassistant") }.sorted())
    let again = try Program.run("publish", uri, "--forget", "pi")
    #expect(again.code == 1 && again.errors.contains("keeps nothing of pi"))
  }

  @Test func `F30 what a spool keeps is sent by the next run`() throws {
    let folder = try TemporaryFolder()
    let files = { try LiveStorage().names(in: folder.path + "/spool") }
    let options = ["--spool", folder.path + "/spool", "--device", "pi", "--context", "sim:phone"]
    let fast = ["accelerometer", "--every", "10ms", "--for", "2"]
    let kept = try Program(["publish", "mqtt:127.0.0.1:1"] + fast + options).finish()
    #expect(kept.code == 0 && kept.errors.isEmpty, "\(kept)")
    #expect(try files().contains("pi.gkr"))
    let log = try TopicLog(broker)
    let next = try Program(["publish", uri, "memory"] + options)
    log.wait(for: "gathered/v1/pi/accelerometer/mpu6050/late")
    #expect(Patience.wait { (try? !files().contains("pi.gkr")) ?? false })
    next.send(SIGTERM)
    let done = next.finish()
    #expect(done.code == 0 && done.errors.isEmpty, "\(done)")
  }

  @Test func `what does not go together is refused`() throws {
    for words in [
      ["--forget", "pi", "--graph", "x.json"], ["battery", "--forget", "pi"],
      ["--every", "0"], ["--discovery", "a#b", "--for", "1"], ["--cert", "/x"],
      ["--spool-bytes", "1048576"], ["--drain-rate", "9"], ["--spool", ""],
    ] {
      let done = try Program(["publish", uri] + words).finish()
      #expect(done.code == 2 && done.output.isEmpty, "\(words) \(done)")
    }
  }
}
