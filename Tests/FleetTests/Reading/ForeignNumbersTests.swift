import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import SourceKinds
import Testing
import Values

@testable import Fleet

/// A machine whose messages are well-formed, with numbers that none should have (fleet F38).
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct ForeignNumbersTests {
  private static let extremes: [Int64] = [
    .min, .min + 1, -1_000_000_000_000, -1, 0, 1, 1_700_000_000_000_000_000, .max - 1, .max,
  ]

  private struct Numbers {
    var generator = SeededGenerator(seed: 8917)
    mutating func next() -> Int64 {
      ForeignNumbersTests.extremes.randomElement(using: &generator) ?? 0
    }
    mutating func moment() -> Instant { Instant(boot: next(), realtime: next()) }
  }

  private static let battery = SourceIdentifier(
    checkedKind: "battery", instance: "BAT0", device: nil)

  private static func topic(_ what: FleetTopic.What) -> String {
    FleetTopic(
      device: "evil", subject: .source(kind: "battery", instance: "BAT0", what)
    ).text(below: "gathered")
  }

  private func sample(_ numbers: inout Numbers) -> Sample {
    var sample = Sample(.double(Double(numbers.next())))
    (sample.time, sample.realtime) = (numbers.next(), numbers.next())
    sample.sequence = UInt64(bitPattern: numbers.next())
    return sample
  }

  private func messages(_ numbers: inout Numbers) -> [BrokerMessage] {
    var facts = RecordedSeries(0, .source(Self.battery))
    facts.properties = [Property("level", .double, unit: "1", .continuous)]
    let about = AboutMessage(
      session: "s", sent: numbers.moment(), interval: numbers.next(), hasRows: true,
      series: facts)
    var state = StateMessage(
      id: Self.battery.description, session: "s\(numbers.next())", sent: numbers.moment(),
      [StateMessage.Entry(key: "level", unit: "1", sample: sample(&numbers))])
    state.time = numbers.moment()
    let series = PublishedSeries(0, facts, allow: .all)
    series.hasRows = true
    for _ in 0..<3 { series.take(.reading([sample(&numbers)]), lost: 0, at: 0, since: 0) }
    var made = series.message(session: "s\(numbers.next())", at: Instant(boot: 0, realtime: 0))
    made?.number = min(UInt32(truncatingIfNeeded: numbers.next()), .max - 8)
    let rows = made?.bytes(at: numbers.moment(), isLate: false) ?? []
    return [
      BrokerMessage(Self.topic(.about), about.dictionary.message, isRetained: true),
      BrokerMessage(Self.topic(.state), state.dictionary.message, isRetained: true),
      BrokerMessage(Self.topic(.rows), rows),
    ]
  }

  @Test func `numbers at their ends harm neither who reads them nor a neighbour`() throws {
    let broker = try PrivateBroker()
    let log = try TopicLog(broker, "end")
    let pi = try PublishedDevice("phone", on: broker)
    try pi.publishToAll(["accelerometer"], every: 10_000_000)
    var numbers = Numbers()
    let online = OnlineMessage(isOnline: true, session: "s", since: .max)
    var list = DeviceMessage(device: "evil", session: "s", boot: "b", sent: numbers.moment())
    list.sources = [
      DeviceMessage.Listed(
        kind: "battery", instance: "BAT0", label: "", availability: Availability(.available))
    ]
    for (subject, members) in [
      (FleetTopic.Subject.online, online.dictionary), (.device, list.dictionary),
    ] {
      let topic = FleetTopic(device: "evil", subject: subject).text(below: "gathered")
      log.publish(BrokerMessage(topic, members.message, isRetained: true))
    }
    for message in messages(&numbers) { log.publish(message) }
    let fleet = try broker.fleet()
    defer { try? fleet.close() }
    let neighbour = try fleet.open("accelerometer|mpu6050@pi")
    let diary = Diary(neighbour)
    try neighbour.startUpdating()
    #expect(Patience.wait { !diary.rows.isEmpty })
    var heard = 0
    for round in 0..<60 {
      let evil = try fleet.open("battery|BAT0@evil")
      let other = Diary(evil)
      try evil.startUpdating(every: round % 2 == 0 ? 1_000_000 : 700_000_000)
      for message in messages(&numbers) { log.publish(message) }
      _ = (evil.rates, evil.metadata, evil.availability, try fleet.sources())
      try? evil.updateValuesInPlace(within: 1_000_000_000)
      _ = evil.allValues.map { ($0.time, $0.realtime, $0.value.formatted()) }
      heard += other.rows.count
    }
    #expect(heard > 0)
    let count = diary.rows.count
    #expect(Patience.wait { diary.rows.count > count + 50 })
    #expect(diary.rows.suffix(50).allSatisfy { $0[0].status == .ok })
    try pi.close()
  }
}
