import Machine
import Recording

/// What a spool does for what is sent (fleet F29, F31).
extension Outgoing {
  /// How much of the window late rows may fill while live rows wait.
  private static let share = (messages: 16, bytes: 512 << 10)

  /// Puts a message into the spool; nil without one, or where its disk fails.
  func keep(
    _ message: RowsMessage, _ facts: RecordedSeries, isTaken: Bool
  ) -> SpoolPlace? {
    guard spool != nil, var body = message.rowsBody else { return nil }
    // Those of another session may have had another number.
    body.replaceSubrange(0..<4, with: (0..<4).map { UInt8(facts.number >> (8 * $0) & 0xFF) })
    return spool?.append(
      facts, number: message.number, events: message.events, body: body,
      rowCount: message.rowCount, isTaken: isTaken)
  }

  /// The spool sends a message later; false if it does not have it.
  func release(_ entry: RowsQueue.Entry) -> Bool {
    guard let place = entry.place, spool?.holds(place) == true else { return false }
    spool?.release(place)
    return true
  }

  /// The broker has a message, or will never take it.
  func settle(_ entry: RowsQueue.Entry) {
    if let place = entry.place {
      spool?.settle(place, entry.facts.origin, rows: entry.message.rowCount)
    }
  }

  /// The halves of a message that is too long for the broker go to the end of the spool, as
  /// messages of this session, before the whole is given up. False if it is but one row.
  func keepHalves(of entry: RowsQueue.Entry, _ table: inout SeriesTable) -> Bool {
    guard let number = table.number(of: entry.facts.origin), let facts = table[number]?.facts,
      facts.isSame(as: entry.facts), let halves = entry.message.halves(secondFrom: 0)
    else { return false }
    for half in halves {
      let events = half.events.count
      var part = half
      part.number = table.takeNumbers(Spool.blocks(behind: events), of: number)
      guard keep(part, facts, isTaken: false) != nil else { return false }
    }
    spool?.write(mustSync: true)
    settle(entry)
    return true
  }

  /// Whether all rows are on the device for certain.
  var isKept: Bool {
    guard let spool, spool.isOnDevice else { return false }
    return rows.areKept && !hasUnkeptOnWay
  }

  /// Whether late rows fill their share of the window.
  func isLateFull(whileLiveWaits: Bool) -> Bool {
    whileLiveWaits && (lateCount >= Self.share.messages || lateBytes >= Self.share.bytes)
  }

  /// The message that the spool is to send next.
  func takeLate() -> RowsQueue.Entry? {
    if let late {
      self.late = nil
      return late
    }
    return spool?.takeNext().map { rows in
      RowsQueue.Entry(
        series: -1, facts: rows.series, message: RowsMessage(rows), serial: .max,
        place: rows.place, isLate: true)
    }
  }
}
