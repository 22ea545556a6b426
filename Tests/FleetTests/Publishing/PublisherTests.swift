import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import SourceKinds
import Testing
import Values

@testable import Fleet

/// What a publisher sends to a real broker.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct PublisherTests {
  let broker: PrivateBroker
  let log: TopicLog

  init() throws {
    broker = try PrivateBroker()
    log = try TopicLog(broker)
  }

  private func text(_ payload: [UInt8]?) -> String {
    String(decoding: payload ?? [], as: UTF8.self)
  }

  @Test func `F16 F18 at birth all is told in order, at the end that it leaves`() throws {
    let device = try PublishedDevice("phone", on: broker)
    try device.publish(["battery", "memory"])
    log.wait(for: "gathered/v1/pi/memory/machine/state")
    log.wait(for: "gathered/v1/pi/battery/aggregate/state")
    let topics = log.allMessages().map { $0.topic.dropFirst("gathered/v1/pi/".count) }
    func first(_ topic: String) throws -> Int {
      try #require(topics.firstIndex { $0 == topic }, "\(topics)")
    }
    #expect(try first("online") < first("battery/aggregate/about"))
    #expect(try first("battery/aggregate/about") < first("battery/aggregate/state"))
    #expect(try first("memory/machine/about") < first("memory/machine/state"))
    log.wait(for: "gathered/v1/pi/device") { self.text($0).contains("memory") }
    try device.close()
    log.wait(for: "gathered/v1/pi/online") { self.text($0).contains("offline") }
    // What a machine that is off has told stays.
    let later = try TopicLog(broker)
    let kept = try #require(later.wait(for: "gathered/v1/pi/memory/machine/about"))
    #expect(kept.withUnsafeBytes { (try? AboutMessage.read($0))?.series.properties.count ?? 0 } > 5)
  }

  @Test func `F8 F30 without a broker nothing waits, and a flush says why it was in vain`() throws {
    broker.stop()
    let device = try PublishedDevice("phone", on: broker)
    try device.publish(["accelerometer"], every: 10_000_000)
    #expect {
      try device.recorder.flush(within: 1_000_000)
    } throws: { error in
      guard case .timeout(let text)? = error as? SourceError else { return false }
      return text.contains("rows wait in memory")
    }
    Patience.wait { device.recorder.information.state == .waiting }
    let information = device.recorder.information
    #expect(information.failure?.message.contains("connection refused") == true)
    try broker.start()
    try device.recorder.flush(within: Patience.limit)
    #expect(device.recorder.information.state == .connected)
    try device.close()
    #expect(device.recorder.information.state == .closed)
  }

  @Test func `F34 F35 what the sink is not allowed leaves the machine nowhere`() throws {
    let device = try PublishedDevice("phone", on: broker, sinkAllow: .none)
    let personal = try personalTexts(of: device.context)
    #expect(personal.count > 5)
    for description in try device.context.sources() {
      guard let source = try? device.context.open(description.id) else { continue }
      do throws(SourceError) {
        try device.recorder.add(source)
        try source.startUpdating()
      } catch {
        guard case .unavailable(let why) = error else { throw error }
        #expect(why.remedy.hasPrefix("publish with allow="))
      }
    }
    try device.recorder.flush(within: Patience.limit)
    let told = log.allMessages().map { "\($0.topic) \(self.text($0.payload))" }
    let all = told.joined(separator: "\n")
    #expect(all.contains("publish with allow=hostname"))
    for text in personal where all.contains(text) { Issue.record("\(text)") }
    try device.close()
  }

  /// The texts that only an allowance shows.
  private func personalTexts(of context: Context) throws -> Set<String> {
    var (texts, others): (Set<String>, Set<String>) = ([], [])
    for description in try context.sources() {
      let source = try context.open(description.id)
      try source.updateValues()
      for (property, sample) in zip(source.properties, source.allValues) {
        guard let text = sample.value.text, text.utf8.count > 3 else { continue }
        if property.category == nil { others.insert(text) } else { texts.insert(text) }
      }
    }
    // The simulated phone's name is that of its model.
    return texts.subtracting(others)
  }

  @Test func `F16 F18 F34 of all there is, what comes later is published, and nothing personal`()
    throws
  {
    let script = try SimulatedScript(
      "0 add battery|BAT0\n0 set battery|BAT0/level 0.5\n0 add gps|receiver\n"
        + "3 add battery|BAT1\n3 set battery|BAT1/level 0.7\n6 remove battery|BAT1\n")
    let device = try PublishedDevice(
      script.device, on: broker, sinkAllow: .none, clock: "&clock=manual")
    #expect(try device.recorder.addAll(of: device.context) == 2)
    let (list, state) = ("gathered/v1/pi/device", "gathered/v1/pi/battery/BAT1/state")
    #expect(log.wait(for: list) { self.text($0).contains("BAT0") } != nil)
    #expect(!log.allMessages().contains { self.text($0.payload).contains("BAT1") })
    try device.context.seek(to: 4_000_000_000)
    #expect(log.wait(for: state) { self.text($0).contains("0.7") } != nil)
    #expect(log.wait(for: list) { self.text($0).contains("BAT1") } != nil)
    try device.context.seek(to: 7_000_000_000)
    #expect(log.wait(for: state) { $0.isEmpty } != nil)
    try device.close()
    #expect(!log.allMessages().contains { $0.topic.contains("gps") })
  }

  @Test func `a source is published once, and a fleet never again`() throws {
    let device = try PublishedDevice("phone", on: broker)
    try device.publish(["battery"])
    #expect(throws: SourceError.io(errno: SystemText.fileExists, place: "battery|aggregate")) {
      try device.publish(["battery"])
    }
    log.wait(for: "gathered/v1/pi/battery/aggregate/state")
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    let again = try Recorder.publishing(
      to: FleetAddress("mqtt:127.0.0.1:\(broker.address.port)"), from: fleet)
    #expect {
      try again.add(try fleet.open("battery|aggregate@pi"))
    } throws: { error in
      if case .invalidArgument? = error as? SourceError { true } else { false }
    }
    try again.close()
    try device.close()
  }

  @Test func `F12 of two publishers of one name the later stays, and they do not take turns`()
    throws
  {
    let first = try PublishedDevice("phone", on: broker)
    try first.publish(["battery"])
    log.wait(for: "gathered/v1/pi/battery/aggregate/state")
    let second = try PublishedDevice("phone", on: broker)
    try second.publish(["battery"])
    #expect(Patience.wait { first.recorder.information.state == .superseded })
    let failure = first.recorder.information.failure
    #expect(failure?.message.contains("another publisher calls itself pi") == true)
    #expect(failure?.errno == SystemText.busy)
    #expect(Patience.wait { second.recorder.information.state == .connected })
    log.wait(for: "gathered/v1/pi/online") { self.text($0).contains("\"online\"") }
    #expect(throws: SourceError.self) { try first.recorder.close() }
    try second.close()
  }

  @Test func `F14 a death that is none is denied`() throws {
    let device = try PublishedDevice("phone", on: broker)
    try device.publish(["battery"])
    log.wait(for: "gathered/v1/pi/battery/aggregate/state")
    let false_ = OnlineMessage(isOnline: false, session: "0123456789abcdef", since: 1)
    log.publish(
      BrokerMessage("gathered/v1/pi/online", false_.dictionary.message, isRetained: true))
    let online = "gathered/v1/pi/online"
    #expect(
      Patience.wait {
        let told = self.log.messages.filter { $0.topic == online }.map { self.text($0.payload) }
        let denied = told.lastIndex { $0.contains("0123456789abcdef") }
        return denied.map { told[$0...].contains { $0.contains("\"online\"") } } ?? false
      })
    try device.close()
  }

  @Test func `F24 rows are those of a recording of the same source, to the bit`() throws {
    let device = try PublishedDevice("phone", on: broker, clock: "&clock=manual") {
      $0.rows = .always
    }
    let folder = try TemporaryFolder()
    let file = try Recorder(to: folder.path + "/walk.gkr")
    let source = try device.context.open("accelerometer")
    try file.add(source)
    try device.recorder.add(source)
    try source.startUpdating(every: 10_000_000)
    for step in 1...40 {
      try device.context.seek(to: Int64(step) * 50_000_000)
      if step % 10 == 0 { try device.recorder.flush(within: Patience.limit) }
    }
    try file.close()
    try device.recorder.flush(within: Patience.limit)
    let recording = try RecordingParts(folder.path + "/walk.gkr")
    let kept = try recording.blocks.flatMap { block -> [[Sample]] in
      let rows = try recording.rows(of: block)
      return (0..<rows.rowCount).map { rows.samples(ofRow: $0) }
    }
    let topic = "gathered/v1/pi/accelerometer/mpu6050/rows"
    var sent: [[Sample]] = []
    #expect(
      Patience.wait {
        sent = self.log.messages.filter { $0.topic == topic }.flatMap { message in
          (try? message.payload.withUnsafeBytes { bytes in try ReceivedRows(bytes) })
            .map(RowsMessageTests.rows) ?? []
        }
        return sent.count >= kept.count
      })
    #expect(sent == kept && sent.count > 100)
    try device.close()
  }
}
