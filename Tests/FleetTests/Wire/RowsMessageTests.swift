import Gathering
import Ground
import Recording
import Testing
import Values

@testable import Fleet

/// Rows as messages.
struct RowsMessageTests {
  static let facts: RecordedSeries = {
    var facts = RecordedSeries(0, .source(SourceIdentifier.battery))
    facts.properties = [
      Property("level", .double, unit: "1", .continuous), Property("word", .string, .onChange),
    ]
    return facts
  }()

  /// A reading of two properties; every fourth has no payload.
  static func reading(_ number: Int) -> [Sample] {
    let time = Int64(number) * 1_000_000
    let isAbsent = number % 4 == 3
    let level = Sample(
      isAbsent ? .none : .double(Double(number) / 3), status: isAbsent ? .failed : .ok,
      time: time, realtime: time + 77, sequence: UInt64(number) + 1,
      absence: isAbsent ? Absence("torn", errno: 5, remedy: "mend it") : nil)
    let word = Sample(
      .string("w\(number / 10)"), flags: number % 10 == 0 ? .isNew : [], time: time,
      realtime: time + 77, sequence: UInt64(number / 10) + 1)
    return [level, word]
  }

  static func series(_ count: Int) -> PublishedSeries {
    let series = PublishedSeries(0, facts, allow: .none)
    series.hasRows = true
    for number in 0..<count { series.take(.reading(reading(number)), lost: 0, at: 0, since: 0) }
    return series
  }

  /// The rows that wait, as a message.
  static func made(_ series: inout PublishedSeries) throws -> RowsMessage {
    let message = series.message(session: "s", at: MessageTests.now)
    return try #require(message)
  }

  static func received(_ message: RowsMessage) throws -> ReceivedRows {
    try message.bytes(at: MessageTests.now, isLate: false).withUnsafeBytes { bytes in
      try ReceivedRows(bytes)
    }
  }

  static func rows(_ received: ReceivedRows) -> [[Sample]] {
    received.parts.flatMap { part -> [[Sample]] in
      guard case .rows(let rows) = part.content else { return [] }
      return (0..<rows.rowCount).map { rows.samples(ofRow: $0) }
    }
  }

  @Test func `F5 F24 rows come as they were, described, with numbers that go on`() throws {
    var series = Self.series(100)
    let first = try Self.made(&series)
    let received = try Self.received(first)
    #expect(received.session == "s" && received.sent == MessageTests.now && !received.isLate)
    #expect(received.number == 0 && received.parts.map(\.number) == [1, 2])
    guard case .series(let facts)? = received.parts.first?.content else {
      Issue.record("the series is not described")
      return
    }
    #expect(facts == Self.facts)
    #expect(Self.rows(received) == (0..<100).map(Self.reading))
    series.take(.reading(Self.reading(100)), lost: 0, at: 0, since: 0)
    let second = try Self.received(Self.made(&series))
    #expect(second.number == 3 && second.parts.map(\.number) == [4])
    #expect(series.message(session: "s", at: MessageTests.now) == nil)
  }

  @Test func `F22 rows wait since the first has come, not since it was taken`() throws {
    var series = Self.series(0)
    #expect(series.waitingSince == nil)
    series.take(.reading(Self.reading(0)), lost: 0, at: 900, since: 400)
    series.take(.reading(Self.reading(1)), lost: 0, at: 950, since: 920)
    #expect(series.waitingSince == 400)
    _ = try Self.made(&series)
    #expect(series.waitingSince == nil)
  }

  @Test func `F26 a loss is told by an event in front of the next rows`() throws {
    var series = Self.series(1)
    series.lose(40)
    series.take(.reading(Self.reading(1)), lost: 2, at: 0, since: 0)
    let received = try Self.received(Self.made(&series))
    let events = received.parts.compactMap { part -> RecordedEvent? in
      if case .event(let event) = part.content { event } else { nil }
    }
    #expect(events.map(\.what) == [.lost] && events.first?.rows == 42)
    #expect(Self.rows(received)[0][0].flags.contains(.gap))
  }

  @Test func `F23 a message becomes two with the same rows`() throws {
    var series = Self.series(101)
    let whole = try Self.made(&series)
    let halves = try #require(whole.halves(secondFrom: 3))
    #expect(halves.map(\.rowCount) == [50, 51] && halves[1].number == 3)
    let rows = try halves.flatMap { Self.rows(try Self.received($0)) }
    #expect(rows == (0..<101).map(Self.reading))
    var one = Self.series(1)
    #expect(try Self.made(&one).halves(secondFrom: 9) == nil)
  }

  @Test func `F38 a message of which a byte is another is refused, and never more than that`()
    throws
  {
    var series = Self.series(20)
    let bytes = try Self.made(&series)
      .bytes(at: MessageTests.now, isLate: false)
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 0x55
      #expect(throws: MessageFault.self) {
        try other.withUnsafeBytes { bytes in try ReceivedRows(bytes) }
      }
    }
    for count in 0..<bytes.count {
      _ = bytes.prefix(count).withUnsafeBytes { bytes in try? ReceivedRows(bytes) }
    }
  }
}

extension SourceIdentifier {
  fileprivate static let battery = SourceIdentifier(
    checkedKind: "battery", instance: "BAT0", device: nil)
}
