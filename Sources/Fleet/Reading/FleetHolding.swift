import Ground
import Machine
import Recording

/// What is wanted of the broker, source by source.
extension FleetLink {
  /// What has come of a source's rows, for a stream that begins: it goes on where one ended with
  /// its machine or the broker.
  func history(of key: FleetKey) -> RowsHistory? { state.withLock { $0.held[key]?.history } }

  func add(_ stream: FleetStream) {
    hold(stream.key) { held in
      held.streams.append(stream)
      (held.lingers, held.history) = (false, stream.history)
    }
    // What has come meanwhile.
    wake()
  }

  func remove(_ stream: FleetStream) {
    let now = now
    let mayReturn = state.withLock { $0.isUnsteady(stream.key.device, at: now) }
    hold(stream.key) { held in
      held.streams.removeAll { $0 === stream }
      guard held.streams.isEmpty else { return }
      held.lingers = mayReturn
      if !mayReturn { (held.history, held.deferred, held.deferredBytes) = (nil, [], 0) }
    }
    wake()
  }

  /// Passes on what came while there was no stream, in order.
  func takeDeferred() {
    let now = now
    for (key, rows) in state.withLock({ $0.takeDeferred(at: now) }) {
      for message in rows {
        do throws(MessageFault) {
          // Behind one that was not taken it waits as well.
          if state.withLock({ $0.defer(message, of: key) }) { continue }
          try pass(message, of: key)
        } catch {
          note(error)
        }
      }
    }
  }

  /// Gives a message to the streams of its source.
  func pass(_ rows: DeferredRows, of key: FleetKey) throws(MessageFault) {
    let message = try rows.decoded
    let (arrival, now) = (clock.now, now)
    let (streams, shift, series) = try state.withLock {
      (state) throws(MessageFault)
        -> (streams: [FleetStream], shift: Int64, series: RecordedSeries) in
      try state.take(message, of: key, arrival, isRetained: rows.isRetained)
    }
    for stream in streams {
      let isTaken = stream.take(message, series: series, shift: shift, isLate: rows.isLate)
      // Its next stream gets it.
      if !isTaken { state.withLock { $0.defer(rows, of: key, at: now) } }
      note(stream.missing, of: key)
    }
  }

  /// Changes what wants a source; its topics are subscribed as long as something does. What comes
  /// new has the topics subscribed again, which brings again what is retained.
  func hold(_ key: FleetKey, _ change: (inout FleetState.Held) -> Void) {
    let (former, mustWake) = state.withLock { state -> (FleetState.Held?, Bool) in
      let before = state.held[key]
      var held = before ?? FleetState.Held()
      change(&held)
      return (before, state.hold(held, as: key, insteadOf: before))
    }
    withExtendedLifetime(former) {}
    if mustWake { wake() }
  }
}

extension FleetState {
  /// Takes over what wants a source; whether the broker is to be asked.
  @inline(never)
  fileprivate mutating func hold(_ new: Held, as key: FleetKey, insteadOf former: Held?) -> Bool {
    held[key] = new.isWanted ? new : nil
    let hasMore = new.whats.count > former?.whats.count ?? 0
    if hasMore { subscriptions += new.whats.map { .topic(key.topic($0)) } }
    let ended = (former?.whats ?? []).filter { !new.whats.contains($0) }
    ends += ended.map { .topic(key.topic($0)) }
    return isConnected && (hasMore || !ended.isEmpty)
  }
}
