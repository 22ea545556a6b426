import Gathering
import Machine
import Recording

/// What a publisher has for the broker, and what is on its way.
final class Outgoing {
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
  /// What keeps rows until the broker has them.
  var spool: Spool?
  /// Whether rows may be sent as soon as they are made; if not, they wait in the spool.
  var isOpen = false
  /// What the spool gave last and there was no room for.
  var late: RowsQueue.Entry?
  /// How much of what the spool gave is on its way.
  private(set) var lateCount = 0
  private(set) var lateBytes = 0
  /// Counts everything in the order in which it is to be sent.
  private(set) var lastSerial: UInt64 = 0
  /// The longest message of rows that the broker has not refused, in bytes.
  private(set) var bound: Int
  /// The longest message of rows that the broker has taken, in bytes, and whether one that was
  /// longer may have ended a connection.
  private var passed = 0
  private var hasDoubt = false
  /// How many rows are lost.
  private(set) var lost: UInt64 = 0
  var counts = PublisherCounts()

  init(bound: Int) { self.bound = bound }

  /// Whether everything up to a serial has arrived.
  func hasArrived(through serial: UInt64) -> Bool {
    let least = min(onWay.values.map(\.serial).min() ?? .max, rows.first?.serial ?? .max)
    return least > serial
  }

  /// Whether rows are on their way that no spool has.
  var hasUnkeptOnWay: Bool {
    onWay.values.contains { sent in
      if case .rows(let entry) = sent { entry.place == nil } else { false }
    }
  }

  /// Whether nothing is on its way.
  var isSettled: Bool { onWay.isEmpty }

  private func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  // MARK: Rows

  /// Appends a message of a series, which goes to the spool first; gives the oldest ones that find
  /// no room anywhere any more.
  func append(
    _ message: RowsMessage, of series: Int, _ facts: RecordedSeries, limit: Int
  ) -> [RowsQueue.Entry] {
    let place = keep(message, facts, isTaken: isOpen)
    if place != nil, !isOpen { return [] }
    rows.append(
      RowsQueue.Entry(
        series: series, facts: facts, message: message, serial: nextSerial(), place: place))
    var lost: [RowsQueue.Entry] = []
    while rows.bytes > limit, let oldest = rows.removeFirst() {
      if !release(oldest) { lost.append(oldest) }
    }
    for entry in lost { note(lossOf: entry.message.rowCount) }
    return lost
  }

  func note(lossOf count: Int) { lost += UInt64(count) }

  /// The message of rows to be sent next.
  func takeRows() -> RowsQueue.Entry? { rows.removeFirst() }

  /// A message was longer than the broker takes: it becomes two, and later ones are shorter. False
  /// if it is but one row, which is lost.
  func shrink(_ entry: RowsQueue.Entry, _ table: inout SeriesTable) -> Bool {
    bound = max(Self.leastBound, min(bound, entry.message.size) / 2)
    return split(entry, &table)
  }

  /// The longest bound is shortened to this at most, in bytes.
  private static let leastBound = 4096

  /// The longest message that is sent: what the broker says of its packets, and what is not in
  /// doubt. A single row is sent whatever its length, until the bound is at its least.
  func isTooLong(_ entry: RowsQueue.Entry, packetLimit: Int?) -> Bool {
    if let packetLimit, entry.message.size > packetLimit - 1024 { return true }
    guard hasDoubt, entry.message.size > max(bound, passed) else { return false }
    return entry.message.rowCount > 1 || bound == Self.leastBound
  }

  /// A message that is too long to be sent becomes two; false if it is but one row.
  func shorten(
    _ entry: RowsQueue.Entry, packetLimit: Int?, _ table: inout SeriesTable
  ) -> Bool {
    if let packetLimit, entry.message.size > packetLimit - 1024 { return shrink(entry, &table) }
    return split(entry, &table)
  }

  private func split(_ entry: RowsQueue.Entry, _ table: inout SeriesTable) -> Bool {
    if entry.place != nil { return keepHalves(of: entry, &table) }
    // The second half takes the next numbers, unless messages with those are on their way.
    let hasFollowers = onWay.values.contains { sent in
      if case .rows(let other) = sent { other.series == entry.series } else { false }
    }
    let fresh = table.takeNumbers(2, of: entry.series)
    let second = hasFollowers ? fresh : entry.message.number + entry.message.blockCount
    guard let halves = entry.message.halves(secondFrom: second) else { return false }
    if !hasFollowers { rows.renumber(entry.series, by: 2) }
    rows.putBack(
      halves.map {
        let half = RowsQueue.Entry(
          series: entry.series, facts: entry.facts, message: $0, serial: entry.serial)
        half.isCounted = entry.isCounted
        return half
      })
    return true
  }

  // MARK: The way

  /// Hands a message over; false if that is not possible now.
  func send(
    _ message: BrokerMessage, rows entry: RowsQueue.Entry? = nil, on link: BrokerLink
  ) -> Bool {
    guard link.hasRoom(for: message.payload.count) else { return false }
    if entry == nil, let most = link.limits.maximumPacketSize, message.packetSize > most {
      Log.write(.warning, "mqtt", "\(message.topic) is longer than the broker takes: left out")
      return true
    }
    guard let number = try? link.publish(message) else { return false }
    counts.bytes += UInt64(message.payload.count)
    counts.messages += 1
    if let entry {
      if !entry.isCounted { counts.rowsSent += UInt64(entry.message.rowCount) }
      entry.isCounted = true
      onWay[number] = .rows(entry)
      if entry.isLate {
        lateCount += 1
        lateBytes += entry.message.size
      }
    } else {
      onWay[number] = .other(serial: nextSerial())
    }
    return true
  }

  /// The broker has a message, or refuses it; gives the rows that were in it.
  func noteArrival(of number: Int32, isRefused: Bool) -> RowsQueue.Entry? {
    guard case .rows(let entry)? = onWay.removeValue(forKey: number) else { return nil }
    if entry.isLate {
      lateCount -= 1
      lateBytes -= entry.message.size
    }
    if !isRefused {
      counts.rowsAcknowledged += UInt64(entry.message.rowCount)
      passed = max(passed, entry.message.size)
      settle(entry)
    }
    return entry
  }

  /// The connection is lost: what was on its way is sent again, by the spool if that has it. If
  /// nothing explains the end, a message longer than any that has passed may be why: later ones are
  /// shorter (fleet F23). Gives what nothing has any more.
  func noteEnd(isExplained: Bool) -> [RowsQueue.Entry] {
    isOpen = false
    announcements.removeAll()
    let sent = onWay.values.compactMap { sent -> RowsQueue.Entry? in
      if case .rows(let entry) = sent { entry } else { nil }
    }
    onWay = [:]
    let longest = sent.map(\.message.size).max() ?? 0
    if !isExplained, longest > max(passed, Self.leastBound) {
      bound = max(Self.leastBound, bound / 2)
      hasDoubt = true
    }
    (lateCount, lateBytes) = (0, 0)
    let all = sent.sorted { $0.serial < $1.serial } + [late].compactMap(\.self) + rows.takeAll()
    late = nil
    var (kept, lost): ([RowsQueue.Entry], [RowsQueue.Entry]) = ([], [])
    for entry in all where !release(entry) {
      if entry.isLate { lost.append(entry) } else { kept.append(entry) }
    }
    rows.putBack(kept)
    return lost
  }
}

extension BrokerMessage {
  /// About how long it is with all that goes with it, in bytes.
  fileprivate var packetSize: Int { payload.count + topic.utf8.count + 64 }
}
