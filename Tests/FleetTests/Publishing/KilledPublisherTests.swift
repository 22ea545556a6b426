import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Recording
import SourceKinds
import Testing

@testable import Fleet

/// A publisher that is killed at any moment.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct KilledPublisherTests {
  @Test func `F32 of what was on the disk nothing is lost or doubled by kill -9`() throws {
    let broker = try PrivateBroker()
    let folder = try TemporaryFolder()
    let other = try PublishedDevice("phone", on: broker)
    try other.publishToAll([SpoolTests.id])
    let recording = try FleetRecording(of: "\(SpoolTests.id)@pi", on: broker, in: folder)
    try other.close()
    let begun = try recording.rows().last
    let rounds = Rounds.count(or: 4)
    for run in 0..<rounds {
      let child = try ChildProcess.repeating(
        "PublisherToBeKilled",
        environment: [
          "GKIT_SPOOL=\(folder.path)", "GKIT_PORT=\(broker.address.port)", "GKIT_RUN=\(run)",
        ])
      #expect(Patience.wait { access("\(folder.path)/mark.\(run)", F_OK) == 0 })
      usleep(.random(in: 0...600_000))
      child.end()
    }
    // The last one leaves in order, with all that is left.
    let last = try PublishedDevice("phone", on: broker) { $0.spool = folder.path + "/spool" }
    try last.publish([SpoolTests.id])
    #expect(Patience.wait { last.recorder.information.spooledRows == 0 })
    try last.close()
    let rows = try recording.rows().filter { $0.realtime > begun?.realtime ?? 0 }
    #expect(rows.count == Set(rows).count)
    #expect(rows.breaks.isEmpty, "\(rows.breaks)")
    print("spool: killed \(rounds) times, \(rows.count) rows stored")
    for run in 0..<rounds {
      let file = try LiveStorage().open("\(folder.path)/mark.\(run)", for: .reading)
      let text = String(decoding: try file.bytes(at: 0, count: 100), as: UTF8.self)
      let mark = try #require(Int64(text))
      #expect(rows.contains { $0.realtime == mark }, "run \(run)")
    }
    try recording.close()
  }
}

/// What the children do.
struct PublisherToBeKilled {
  private static let place = getenv("GKIT_SPOOL").map { String(cString: $0) }

  @Test(.enabled(if: place != nil, "another test runs it, in a process of its own"))
  func `a child publishes until it is killed`() throws {
    let place = try #require(Self.place)
    let port = try #require(getenv("GKIT_PORT").map { String(cString: $0) })
    let run = try #require(getenv("GKIT_RUN").map { String(cString: $0) })
    let context = try Context.open(
      "sim:phone", allow: .all, mode: .host, catalogue: SourceCatalogue.all)
    var options = PublisherOptions()
    (options.device, options.spool) = ("pi", place + "/spool")
    options.batchInterval = 50_000_000
    let recorder = try Recorder.publishing(
      to: FleetAddress("mqtt:127.0.0.1:\(port)"), from: context, options: options)
    let source = try context.open(SpoolTests.id)
    try recorder.add(source)
    try source.startUpdating(every: 1_000_000)
    while true {
      usleep(100_000)
      let row = NumberedRow(source.allValues.map { $0.news })
      try recorder.flush(within: Patience.limit)
      guard let row else { continue }
      // What it says is on the disk is found by the parent, which reads a whole file or none.
      let folder = place + "/mark.\(run)"
      let file = open(folder + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      let text = Array("\(row.realtime)".utf8)
      guard write(file, text, text.count) == text.count else { return }
      close(file)
      rename(folder + ".new", folder)
    }
  }
}
