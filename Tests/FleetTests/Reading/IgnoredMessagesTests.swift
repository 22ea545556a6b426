import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import Testing
import Values

@testable import Fleet

/// What a fleet ignores is counted by its reason, and told (fleet F38).
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct IgnoredMessagesTests {
  private static let source = "gathered/v1/odd/fan/1"

  /// A message that is to be ignored, and why.
  private struct Foreign {
    let topic: String
    let payload: [UInt8]
    let fault: MessageFault

    init(_ topic: String, _ payload: [UInt8], _ fault: MessageFault) {
      (self.topic, self.payload, self.fault) = (topic, payload, fault)
    }

    init(_ topic: String, _ text: String, _ fault: MessageFault) {
      self.init(topic, Array(text.utf8), fault)
    }
  }

  /// One or more of each reason.
  private static func all() throws -> [Foreign] {
    let nested =
      String(repeating: "{\"a\":", count: 70) + "1" + String(repeating: "}", count: 70)
    var list = DeviceMessage(
      device: "odd", session: "s", boot: "b", sent: Instant(boot: 1, realtime: 1))
    list.streams = (0...FleetJSON.sourceLimit).map { "s\($0)" }
    var series = RowsMessageTests.series(3)
    _ = try RowsMessageTests.made(&series)
    series.take(.reading(RowsMessageTests.reading(3)), lost: 0, at: 0, since: 0)
    let rows = try RowsMessageTests.made(&series)
      .bytes(at: Instant(boot: 1, realtime: 1), isLate: false)
    var torn = rows
    torn[torn.count - 1] ^= 1
    return [
      Foreign("\(source)/state", String(repeating: " ", count: (256 << 10) + 1), .tooLong),
      Foreign("\(source)/rows", [UInt8](repeating: 0, count: (2 << 20) + 1), .tooLong),
      Foreign("\(source)/about", "{", .noJSON), Foreign("gathered/v1/odd/online", "[1]", .noJSON),
      Foreign("gathered/v1/odd/device", nested, .tooDeep),
      Foreign(
        "gathered/v1/odd/device", "{\"format\": \"gatheredkit.device\", \"version\": 2}",
        .otherFormat),
      Foreign("\(source)/state", "{\"values\": 3}", .incomplete),
      Foreign("\(source)/rows", torn, .noBlocks), Foreign("\(source)/late", "rows", .noBlocks),
      Foreign("\(source)/rows", rows, .notDescribed),
      Foreign("gathered/v1/a%00b/online", "{}", .badTopic),
      Foreign("gathered/v1/odd/device", list.dictionary.message, .tooMany),
    ]
  }

  /// A fleet to which the broker sends everything of one machine.
  private static func everything(on broker: PrivateBroker) throws -> FleetLink {
    let fleet = FleetLink(try FleetAddress("mqtt:127.0.0.1:\(broker.address.port)"))
    try fleet.start()
    fleet.awaitList()
    let whats: [FleetTopic.What] = [.state, .rows, .late]
    let topics = whats.map { what in
      FleetFilter.topic(
        FleetTopic(device: "odd", subject: .source(kind: "fan", instance: "1", what)))
    }
    fleet.state.withLock { $0.subscriptions += topics + [.abouts(of: "odd")] }
    fleet.wake()
    let state = fleet.state
    Patience.wait { state.withLock { $0.subscriptions.isEmpty && $0.requests.isEmpty } }
    return fleet
  }

  @Test func `F38 what is ignored is counted by its reason, and told once a minute`() throws {
    let broker = try PrivateBroker()
    let log = try TopicLog(broker, "none")
    let told = LineLog()
    let long = MessageFault.tooLong.rawValue
    Log.setReceiver { level, part, text in
      if part == "mqtt", level == .warning, text.contains(long) { told.add(text) }
    }
    defer { Log.setReceiver(nil) }
    let fleet = try Self.everything(on: broker)
    defer { fleet.close() }
    var expected: [MessageFault: Int] = [:]
    for foreign in try Self.all() {
      log.publish(BrokerMessage(foreign.topic, foreign.payload))
      expected[foreign.fault, default: 0] += 1
    }
    #expect(Set(expected.keys) == Set(MessageFault.allCases))
    let state = fleet.state
    Patience.wait { state.withLock { $0.faults == expected } }
    #expect(state.withLock { $0.faults } == expected)
    #expect(told.lines == ["messages ignored so far: 1: \(long)"])
  }
}
