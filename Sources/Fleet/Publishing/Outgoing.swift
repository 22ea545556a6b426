import Machine

/// What a publisher has for the broker, and what is on its way.
struct Outgoing {
  /// What is on its way to the broker.
  private enum Sent {
    case rows(RowsQueue.Entry)
    case other(serial: UInt64)

    var serial: UInt64 {
      switch self {
      case .rows(let entry): entry.serial
      case .other(let serial): serial
      }
    }
  }

  var announcements = Announcements()
  private(set) var rows = RowsQueue()
  private var onWay: [Int32: Sent] = [:]
  /// Counts everything in the order in which it is to be sent.
  private(set) var lastSerial: UInt64 = 0
  /// The longest message of rows that the broker has not refused, in bytes.
  private(set) var bound: Int
  /// How many rows are lost.
  private(set) var lost: UInt64 = 0
  var counts = PublisherCounts()

  init(bound: Int) { self.bound = bound }

  /// Whether everything up to a serial has arrived.
  func hasArrived(through serial: UInt64) -> Bool {
    let least = min(onWay.values.map(\.serial).min() ?? .max, rows.first?.serial ?? .max)
    return least > serial
  }

  /// Whether nothing is on its way.
  var isSettled: Bool { onWay.isEmpty }

  private mutating func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  // MARK: Rows

  /// Appends a message of a series; gives the oldest ones that find no room any more.
  mutating func append(
    _ message: RowsMessage, of series: Int, limit: Int
  ) -> [RowsQueue.Entry] {
    rows.append(RowsQueue.Entry(series: series, message: message, serial: nextSerial()))
    var lost: [RowsQueue.Entry] = []
    while rows.bytes > limit, let oldest = rows.removeFirst() { lost.append(oldest) }
    for entry in lost { note(lossOf: entry) }
    return lost
  }

  mutating func note(lossOf entry: RowsQueue.Entry) { lost += UInt64(entry.message.rowCount) }

  /// The message of rows to be sent next.
  mutating func takeRows() -> RowsQueue.Entry? { rows.removeFirst() }

  /// A message was longer than the broker takes: it becomes two, and later ones are shorter. False
  /// if it is but one row, which is lost.
  mutating func shrink(_ entry: RowsQueue.Entry, _ table: inout SeriesTable) -> Bool {
    bound = max(4096, min(bound, entry.message.size) / 2)
    // The second half takes the next numbers, unless messages with those are on their way.
    let hasFollowers = onWay.values.contains { sent in
      if case .rows(let other) = sent { other.series == entry.series } else { false }
    }
    let fresh = table.takeNumbers(2, of: entry.series)
    let second = hasFollowers ? fresh : entry.message.number + entry.message.blockCount
    guard let halves = entry.message.halves(secondFrom: second) else { return false }
    if !hasFollowers { rows.renumber(entry.series, by: 2) }
    rows.putBack(
      halves.map { RowsQueue.Entry(series: entry.series, message: $0, serial: entry.serial) })
    return true
  }

  // MARK: The way

  /// Hands a message over; false if that is not possible now.
  mutating func send(
    _ message: BrokerMessage, rows entry: RowsQueue.Entry? = nil, on link: BrokerLink
  ) -> Bool {
    guard link.hasRoom(for: message.payload.count), let number = try? link.publish(message) else {
      return false
    }
    counts.bytes += UInt64(message.payload.count)
    counts.messages += 1
    if let entry {
      counts.rowsSent += UInt64(entry.message.rowCount)
      onWay[number] = .rows(entry)
    } else {
      onWay[number] = .other(serial: nextSerial())
    }
    return true
  }

  /// The broker has a message, or refuses it; gives the rows that were in it.
  mutating func noteArrival(of number: Int32, isRefused: Bool) -> RowsQueue.Entry? {
    guard case .rows(let entry)? = onWay.removeValue(forKey: number) else { return nil }
    if !isRefused { counts.rowsAcknowledged += UInt64(entry.message.rowCount) }
    return entry
  }

  /// The connection is lost: what was on its way is sent again.
  mutating func noteEnd() {
    announcements.removeAll()
    let rows = onWay.values.compactMap { sent -> RowsQueue.Entry? in
      if case .rows(let entry) = sent { entry } else { nil }
    }
    onWay = [:]
    self.rows.putBack(rows.sorted { $0.serial < $1.serial })
  }
}
