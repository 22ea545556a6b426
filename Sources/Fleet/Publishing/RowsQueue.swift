import Recording

/// Messages of rows that wait for the broker, the oldest first, in bounded memory.
struct RowsQueue {
  /// A message and the number of its series.
  final class Entry {
    let series: Int
    let facts: RecordedSeries
    var message: RowsMessage
    /// Its place among all that a publisher has to send.
    let serial: UInt64
    /// Where a spool has it.
    let place: SpoolPlace?
    /// Whether a spool gave it.
    let isLate: Bool
    /// Whether its rows have been counted as sent: they may be sent again.
    var isCounted = false

    init(
      series: Int, facts: RecordedSeries, message: RowsMessage, serial: UInt64,
      place: SpoolPlace? = nil, isLate: Bool = false
    ) {
      (self.series, self.facts, self.message) = (series, facts, message)
      (self.serial, self.place, self.isLate) = (serial, place, isLate)
    }
  }

  private var entries: [Entry] = []
  /// How many of them are gone.
  private var start = 0
  private(set) var bytes = 0

  var isEmpty: Bool { start == entries.count }
  var first: Entry? { isEmpty ? nil : entries[start] }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.message.size
  }

  /// Puts back what was on its way, in front.
  mutating func putBack(_ earlier: [Entry]) {
    entries.replaceSubrange(..<start, with: earlier)
    start = 0
    bytes += earlier.reduce(0) { $0 + $1.message.size }
  }

  /// Moves the numbers of a series' messages, to make room for blocks before them.
  mutating func renumber(_ series: Int, by count: UInt32) {
    for place in start..<entries.count where entries[place].series == series {
      entries[place].message.number += count
    }
  }

  @discardableResult
  mutating func removeFirst() -> Entry? {
    guard let first else { return nil }
    start += 1
    bytes -= first.message.size
    if start > 1024, start > entries.count / 2 {
      entries.removeFirst(start)
      start = 0
    }
    return first
  }

  /// Takes all out.
  mutating func takeAll() -> [Entry] {
    defer { self = RowsQueue() }
    return Array(entries[start...])
  }

  /// Whether a spool has all of them.
  var areKept: Bool { entries[start...].allSatisfy { $0.place != nil } }
}
