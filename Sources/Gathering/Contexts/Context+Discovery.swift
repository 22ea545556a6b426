import Machine

extension Context {
  /// Looks at a kind's instances and lets sessions and watchers know what changed.
  ///
  /// `isCaused` is whether a call of the host asked for it: its events are then settled by the
  /// caller, otherwise they wait for the loop.
  func look(at kind: Int, isCaused: Bool) -> UInt64? {
    let followUps = discovery.withLock { _ in
      let found = provider.discover(catalogue[kind])
      return core.withLock { $0.apply(found, to: kind, at: now) }
    }
    return settleDown(followUps, isCaused: isCaused)
  }

  /// Does what a change of lists, availability or allowance calls for, in order.
  func settleDown(_ followUps: [FollowUp], isCaused: Bool) -> UInt64? {
    var last: UInt64?
    for followUp in followUps {
      switch followUp {
      case .deliver(let delivery):
        if isCaused { last = cause(delivery) } else { post(delivery) }
      case .announce(let event, let listeners):
        let job = announcement(of: event, to: listeners)
        if isCaused { last = dispatcher.cause(job) } else { dispatcher.post(job) }
      case .resume(let session, let producer):
        resumeWaiting(session, of: producer)
        last = dispatcher.lastCaused
      case .claimAgain(let session, let producer):
        if (try? claim(producer)) != nil {
          refresh(producer, scope: .everything, due: .scheduled([session]))
        }
      case .letGo(let box): box.release()
      case .membersChanged(let producer, let box):
        box.outdate()
        noteEvent([producer])
      case .settled(let session): afterRun(of: session)
      }
    }
    return last
  }

  private func announcement(of event: SourceEvent, to listeners: [Listener]) -> Dispatcher.Job {
    { dispatcher in
      for listener in listeners {
        dispatcher.perform(for: listener, while: { true }) {
          if case .event(let receive) = listener.callback { receive(event) }
        }
      }
    }
  }

  // MARK: Watching

  /// Begins to hear of changes of a kind, if nobody did so far, and looks at it once.
  func keepWatching(_ kind: Int, for session: UInt32? = nil) {
    let begins = core.withLock { state in
      if state.isClosed || state.kinds[kind].isWatching { return false }
      state.kinds[kind].isWatching = true
      return true
    }
    guard begins else { return }
    let watches = provider.beginWatching(catalogue[kind]) { [weak self] change in
      self?.noteChange(change, of: kind)
    }
    core.withLock { $0.kinds[kind].watches = watches }
    if let last = look(at: kind, isCaused: true) { dispatcher.settle(through: last) }
  }

  /// Stops hearing of a kind when nothing of it updates, waits or is watched (sources K1).
  func stopWatchingIfIdle(_ kind: Int) {
    let watches = core.withLock { state -> [any Cancellable] in
      guard state.kinds[kind].isWatching, !state.isNeeded(kind) else { return [] }
      state.kinds[kind].isWatching = false
      defer { state.kinds[kind].watches = [] }
      return state.kinds[kind].watches
    }
    for watch in watches { watch.cancel() }
  }

  private func noteChange(_ change: Change, of kind: Int) {
    let name: String?
    switch change {
    case .instances:
      _ = look(at: kind, isCaused: false)
      return
    case .notice:
      _ = look(at: kind, isCaused: false)
      name = nil
    case .values(let instance):
      name = instance
    }
    guard catalogue[kind].intervals.isEventDriven else { return }
    noteEvent(core.withLock { $0.producersConcerned(of: kind, instance: name) })
  }
}

extension CoreState {
  /// Whether anybody wants to hear of changes of a kind.
  func isNeeded(_ kind: Int) -> Bool {
    if watchers.contains(where: { $0.kindIndex == nil || $0.kindIndex == kind }) { return true }
    return sessions.values.contains {
      $0.kindIndex == kind && ($0.phase != .idle || !$0.eventListeners.isEmpty)
    }
  }

  /// The producers an event of an instance updates: its own and the aggregate's.
  func producersConcerned(of kind: Int, instance: String?) -> [Int] {
    kinds[kind].producers.values.sorted().filter { number in
      guard let producer = producers[number] else { return false }
      return instance == nil || producer.instance.name == instance || producer.instance.isAggregate
    }
  }
}
