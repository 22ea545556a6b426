import Ground

/// One item of an outbox on its way to listeners.
struct TakenItem: Sendable {
  enum Content: Sendable {
    case update(SourceUpdate)
    case event(SourceEvent)
  }
  let content: Content
  let listeners: [Listener]
  let gate: RunGate
  /// The run it belongs to; events belong to none and are always delivered.
  let epoch: UInt64
}

extension CoreState {
  /// Takes the next item of a delivery; an update becomes what `allValues` shows.
  mutating func takeItem(of delivery: SessionDelivery, on thread: UInt) -> TakenItem? {
    guard let serial = sessions[delivery.session]?.reach(of: delivery),
      let content = sessions[delivery.session]?.takeItem(through: serial),
      let session = sessions[delivery.session]
    else { return nil }
    switch content {
    case .update(let samples):
      session.show(samples, to: thread)
      return TakenItem(
        content: .update(SourceUpdate(.reading(samples))), listeners: session.listeners,
        gate: session.gate, epoch: session.gate.current)
    case .rows(let slices):
      let update = SourceUpdate(.rows(slices))
      session.show(update.latest, to: thread)
      return TakenItem(
        content: .update(update), listeners: session.listeners, gate: session.gate,
        epoch: session.gate.current)
    case .event(let event, let listeners):
      return TakenItem(
        content: .event(event), listeners: listeners, gate: RunGate(), epoch: 0)
    }
  }

  /// Whether the loop has to be asked to deliver a session's outbox.
  mutating func beginPost(of session: UInt32) -> Bool {
    guard sessions[session]?.isPosted == false else { return false }
    sessions[session]?.isPosted = true
    return true
  }

  /// The loop has come: all that waits by now is delivered.
  mutating func endPost(of session: UInt32) -> SessionDelivery? {
    sessions[session]?.isPosted = false
    return sessions[session].map { SessionDelivery(session: session, serial: $0.lastSerial) }
  }

  /// An update has reached all its listeners.
  mutating func endFanOut(of session: UInt32, _ content: TakenItem.Content) {
    if case .update = content { sessions[session]?.fanOut = nil }
  }

  /// Ends a session's run because the context closes; the `stopped` event, if it was updating.
  mutating func stopForClose(_ number: UInt32) -> SessionDelivery? {
    guard let phase = sessions[number]?.phase else { return nil }
    sessions[number]?.forgetPendingUpdate()
    sessions[number]?.endRun()
    return phase == .updating ? sessions[number]?.tell(.stopped(nil)) : nil
  }

  /// Everything that could still call the host.
  mutating func takeEverythingThatLives()
    -> (listeners: [Listener], watches: [any Cancellable], timers: [any Cancellable])
  {
    var listeners = watchers.map(\.listener)
    for session in sessions.values { listeners += session.allListeners }
    let watches = kinds.flatMap { $0.watches + $0.notices.live.values }
    var timers = producers.values.compactMap(\.timer)
    for producer in producers.values {
      if let stream = producer.stream.stream { timers.append(stream) }
      producer.endStream()
    }
    for index in kinds.indices {
      kinds[index].watches = []
      kinds[index].notices.live = [:]
    }
    for producer in producers.keys { producers[producer]?.timer = nil }
    return (listeners, watches, timers)
  }

  /// Takes out descriptors and listeners, for the caller to release.
  mutating func dropEverything() -> [Any] {
    let dropped: [Any] = [watchers, producers] + sessions.values.map { $0.dropEverything() }
    watchers = []
    producers = [:]
    return dropped
  }
}
