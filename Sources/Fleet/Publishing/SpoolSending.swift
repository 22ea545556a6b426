import Machine
import Recording

/// What a publisher does with the spool.
extension PublisherWork {
  /// Sends what the spool holds, with what the present leaves of the window.
  func sendLate(on link: BrokerLink, at now: Int64) {
    let liveWaits = !outgoing.rows.isEmpty || table.hasWaiting
    while now >= lateDue, !outgoing.isLateFull(whileLiveWaits: liveWaits),
      link.hasRoom(for: outgoing.late?.message.size ?? outgoing.bound),
      let entry = outgoing.takeLate()
    {
      if let most = link.limits.maximumPacketSize, entry.message.size > most - 1024 {
        if !outgoing.shrink(entry, &table) { lose(entry) }
        continue
      }
      let message = facts.rows(entry, PublishedSeries.subject(.late, of: entry.facts))
      guard outgoing.send(message, rows: entry, on: link) else {
        outgoing.late = entry
        return
      }
      let rate = facts.options.drainRate
      if rate > 0 {
        lateDue = now + Int64(Double(message.payload.count) / Double(rate) * 1e9)
      }
    }
  }

  /// Tells what the spool could not keep.
  func noteLosses() {
    for loss in outgoing.spool?.takeLosses() ?? [] {
      outgoing.note(lossOf: loss.rows)
      table.lose(loss.rows, of: loss.origin)
    }
    outgoing.counts.spooledRows = outgoing.spool.map { UInt64(clamping: $0.rowCount) }
    outgoing.counts.spooledBytes = outgoing.spool.map { UInt64(clamping: $0.byteCount) }
  }

  func endSpool() {
    outgoing.spool?.close()
    noteLosses()
    outgoing.spool = nil
  }
}
