import Gathering

/// Where a message of rows is in a spool.
package struct SpoolPlace: Hashable, Sendable {
  /// The number of its file.
  let segment: Int
  /// Its place among the messages of that.
  let message: Int
}

/// A message of rows that a spool holds.
package final class SpooledRows: Sendable {
  /// Where it is.
  package let place: SpoolPlace
  /// The session that gathered it.
  package let session: String
  /// What its rows are of.
  package let series: RecordedSeries
  /// The number it was given when it was made.
  package let number: UInt32
  /// The events before the rows.
  package let events: [[UInt8]]
  /// The rows.
  package let body: [UInt8]
  package let rowCount: Int

  init(
    place: SpoolPlace, session: String, series: RecordedSeries, number: UInt32, events: [[UInt8]],
    body: [UInt8], rowCount: Int
  ) {
    (self.place, self.session, self.series, self.number) = (place, session, series, number)
    (self.events, self.body, self.rowCount) = (events, body, rowCount)
  }
}

/// One file of a spool: what of it the broker has, and what is being sent.
final class SpoolSegment {
  let number: Int
  /// The session that wrote it.
  let session: String
  var size: Int
  var messageCount = 0
  /// How many rows the broker does not have, by what they are of.
  var left: [RecordedSeries.Origin: Int] = [:]
  /// The messages that the broker has, or that nothing can be done for.
  var settled = RangeSet<Int>()
  /// Those that wait in memory or are on their way, and what is in them.
  var taken: [Int: Spool.Loss] = [:]
  /// Why it cannot be read to its end.
  var damage: String?

  init(number: Int, session: String, size: Int) {
    (self.number, self.session, self.size) = (number, session, size)
  }

  /// How many rows the broker does not have.
  var rowsLeft: Int { left.values.reduce(0, +) }

  /// Whether the broker has all of it.
  var isSettled: Bool { settled.count == messageCount }

  /// What is lost with it: all that neither the broker nor anything else has.
  var losses: [Spool.Loss] {
    var lost = left
    for rows in taken.values { lost[rows.origin, default: 0] -= rows.rows }
    return lost.filter { $0.value > 0 }.map { ($0.key, $0.value) }
  }

  /// The first message that is to be sent.
  var next: Int? {
    if settled.count + taken.count >= messageCount { return nil }
    var message = settled.firstMissing(from: 0)
    while taken[message] != nil { message = settled.firstMissing(from: message + 1) }
    return message < messageCount ? message : nil
  }

  func settle(_ message: Int, _ origin: RecordedSeries.Origin, rows: Int) {
    taken[message] = nil
    if settled.contains(message) { return }
    settled.insert(contentsOf: message..<message + 1)
    left[origin, default: 0] -= rows
  }
}

extension RangeSet<Int> {
  /// How many numbers there are.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// The first number from one on that is not among them.
  func firstMissing(from number: Int) -> Int {
    ranges.first { $0.contains(number) }?.upperBound ?? number
  }
}
