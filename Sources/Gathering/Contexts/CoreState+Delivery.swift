import Ground

/// One item of an outbox on its way to listeners.
struct TakenItem: Sendable {
  enum Content: Sendable {
    case reading(FanOut)
    case rows([RowSlice], FanOut)
    case event(SourceEvent, [Listener])
  }

  let content: Content
  /// Whether nothing waits behind it.
  let isLast: Bool
}

extension CoreState {
  /// Takes the next item of a session up to a number; an update becomes what `allValues` shows.
  mutating func takeItem(
    of session: SessionState, through serial: UInt64, on thread: UInt
  ) -> TakenItem? {
    guard let item = session.takeItem(through: serial) else { return nil }
    let content: TakenItem.Content
    switch item {
    case .update(let block):
      content = .reading(session.show(block, to: thread))
    case .rows(let rows):
      let latest = rows.latest ?? session.latest
      content = .rows(rows.slices, session.show(latest, to: thread))
    case .event(let event, let listeners): content = .event(event, listeners)
    }
    return TakenItem(content: content, isLast: session.outbox.isEmpty)
  }

  /// Whether the loop has to be asked to deliver a session's outbox.
  mutating func beginPost(of session: SessionState) -> Bool {
    guard !session.isPosted, !session.isRemoved else { return false }
    session.isPosted = true
    return true
  }

  /// Adds the session of a delivery to those that the loop has to be asked to deliver.
  mutating func post(_ delivery: SessionDelivery?, among posted: inout PostedSessions) {
    if let delivery, beginPost(of: delivery.session) { posted.append(delivery.session) }
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
    var timers = ticks.takeAll()
    for producer in producers.values {
      if let stream = producer.stream.stream { timers.append(stream) }
      producer.endStream()
    }
    for index in kinds.indices {
      kinds[index].watches = []
      kinds[index].notices.live = [:]
    }
    return (listeners, watches, timers)
  }

  /// Takes out descriptors and listeners, for the caller to release; lists of listeners may be in
  /// use.
  mutating func dropEverything() -> (lists: [ListenerList], rest: [Any]) {
    var (lists, rest): ([ListenerList], [Any]) = ([], [watchers, producers])
    for session in sessions.values {
      lists.append(session.listeners)
      rest.append(session.dropEverything())
    }
    watchers = []
    producers = [:]
    return (lists, rest)
  }
}
