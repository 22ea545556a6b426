import Ground
import Values

extension Context {
  /// Looks at all kinds again; the events this causes have been delivered when it returns.
  public func rescan() throws(SourceError) {
    try check()
    let known = core.withLock { state in catalogue.indices.filter(state.isKnown) }
    if let last = look(at: known, isCaused: true) { dispatcher.settle(through: last) }
  }

  /// Sets the personal categories that may be shown, at once (sources P3).
  public func setAllow(_ allowance: Allowance) throws(SourceError) {
    try check()
    guard let change = core.withLock({ $0.allow(allowance, at: now) }) else { return }
    let last = settleDown(change.followUps, isCaused: true)
    for kind in catalogue.indices { tendNotices(of: kind) }
    for producer in change.touched {
      let readers = core.withLock { $0.readers(of: producer) }
      if !readers.isEmpty { refresh(producer, scope: .everything, due: readers) }
    }
    if let last { dispatcher.settle(through: last) }
  }

  /// Discovers the instances of kinds and reports changes to sessions and watchers.
  ///
  /// `isCaused`: a call of the host requested it, which then settles its events by the returned
  /// number; otherwise they wait for the loop.
  func look(at kinds: [Int], _ extent: LookExtent = .whole, isCaused: Bool) -> UInt64? {
    var kinds = kinds
    if provider.changesNever {
      kinds = core.withLock { state in kinds.filter { !state.isKnown($0) } }
      if kinds.isEmpty { return nil }
    }
    // Outside the lock, so that a daemon that hangs delays no other caller's look.
    let prepared = provider.prepare(kinds.map { catalogue[$0] })
    defer { for one in prepared { one.cancel() } }
    let followUps = discovery.withLock { looks in
      looks += 1
      var followUps = FollowUps()
      for kind in kinds { followUps += discover(kind, extent) }
      return followUps
    }
    let last = settleDown(followUps.all, isCaused: isCaused)
    for kind in kinds { tendNotices(of: kind) }
    return last
  }

  /// Takes the list of a kind over, or what has changed in it.
  private func discover(_ kind: Int, _ extent: LookExtent) -> FollowUps {
    if case .changes(let id?) = extent, let listed = core.withLock({ $0.listed(id, of: kind) }),
      provider.isStillThere(listed, of: catalogue[kind])
    {
      return FollowUps()
    }
    if case .changes(let id) = extent, core.withLock({ $0.isKnown(kind) }),
      let changed = provider.changes(of: catalogue[kind], around: id),
      let followUps = core.withLock({ $0.apply(changed, to: kind, at: now) })
    {
      return followUps
    }
    let found = provider.discover(catalogue[kind])
    return core.withLock { $0.apply(found, to: kind, at: now) }
  }

  /// Carries out the consequences of a change of lists, availability or allowance, in order.
  @discardableResult
  func settleDown(_ followUps: [FollowUp], isCaused: Bool = false) -> UInt64? {
    var last: UInt64?
    for followUp in followUps {
      switch followUp {
      case .deliver(let delivery):
        if isCaused { last = cause(delivery) } else { post(delivery) }
      case .announce(let event, let listeners):
        let job = announcement(of: event, to: listeners)
        if isCaused { last = dispatcher.cause(job) } else { dispatcher.post(job) }
      case .resume(let session, let producer):
        resumeWaiting(session, of: producer) { delivery in
          if isCaused { last = cause(delivery) } else { post(delivery) }
        }
      case .claimAgain(let session, let producer):
        refresh(producer, scope: .everything, due: [session])
        tend(producer)
      case .letGo(let producer, let box):
        tendStream(producer)
        box.releaseUnlessListening()
      case .membersChanged(let producer, let box, let isEvent):
        box.outdate()
        if isEvent { noteEvent([producer]) }
      case .moved(let box, let stream):
        box.outdate()
        stream?.cancel()
      case .settled(let session): afterRun(of: session)
      }
    }
    return last
  }

  private func announcement(of event: SourceEvent, to listeners: [Listener]) -> Job {
    .run { $0.deliver(event, to: listeners) }
  }

  // MARK: Watching

  /// Watches a kind for changes while a source of it updates, waits or is watched, and discovers
  /// its instances once at the beginning; stops afterwards (sources C4, K1).
  ///
  /// `isWantedNow`: a start is about to be decided, and needs the present list.
  func tendWatch(of kind: Int, isWantedNow: Bool = false) {
    tendNotices(of: kind)
    let step = core.withLock {
      $0.tendWatch(of: kind, isWantedNow: isWantedNow || provider.tellsForFree)
    }
    switch step {
    case .none: break
    case .end(let watches): for watch in watches { watch.cancel() }
    case .begin(let watching):
      let ticks = { @Sendable [weak self] in self?.core.withLock { $0.tickOfSeconds } ?? nil }
      let watches = provider.beginWatching(catalogue[kind], besides: ticks) {
        [weak self] change in
        self?.noteChange(change, of: kind)
      }
      let isLate = core.withLock { !$0.keep(watches, of: kind, watching) }
      if isLate { for watch in watches { watch.cancel() } }
      refreshList(kind, .changes(around: nil))
    }
  }

  private func noteChange(_ change: Change, of kind: Int) {
    let name: String?
    switch change {
    case .instances:
      _ = look(at: [kind], .changes(around: nil), isCaused: false)
      // One that came again meanwhile is another.
      if core.withLock({ !$0.kinds[kind].notices.live.isEmpty }) { renewNotices(of: kind) }
      return
    case .notice:
      // An instance that returns by this discovery has its own refresh.
      let before = core.withLock { $0.producersConcerned(of: kind, instance: nil) }
      _ = look(at: [kind], isCaused: false)
      // A device that was removed and attached again meanwhile is another one, even if it looks the
      // same.
      renewNotices(of: kind)
      if catalogue[kind].intervals.isEventDriven { noteEvent(before) }
      return
    case .values(let instance):
      name = instance
    }
    guard catalogue[kind].intervals.isEventDriven else { return }
    let concerned = core.withLock { $0.producersConcerned(of: kind, instance: name) }
    // Where a caller moves the clock, all happens in the order of its moments.
    let isOffLoop = virtualLoop == nil && !loop.isCurrent
    if isOffLoop { noteEventOffLoop(concerned) } else { noteEvent(concerned) }
  }
}

/// What of a list is looked at.
enum LookExtent {
  case whole
  /// What the provider knows to have changed, and the instance of an id.
  case changes(around: SourceIdentifier?)
}

/// The next step of watching a kind.
private enum WatchStep {
  case none
  case begin(UInt64)
  case end([any Cancellable])
}

extension CoreState {
  fileprivate mutating func tendWatch(of kind: Int, isWantedNow: Bool) -> WatchStep {
    let isWanted = !isClosed && (isWantedNow || isNeeded(kind))
    guard isWanted != kinds[kind].isWatching else { return .none }
    kinds[kind].isWatching = isWanted
    kinds[kind].watching += 1
    if isWanted { return .begin(kinds[kind].watching) }
    defer { kinds[kind].watches = [] }
    return .end(kinds[kind].watches)
  }

  /// Stores the watches that were begun, unless the watching has ended by now.
  fileprivate mutating func keep(
    _ watches: [any Cancellable], of kind: Int, _ watching: UInt64
  ) -> Bool {
    guard !isClosed, kinds[kind].isWatching, kinds[kind].watching == watching else { return false }
    kinds[kind].watches = watches
    return true
  }

  /// A moment of a grid whose ticks come every second, among others perhaps; nil without one.
  fileprivate var tickOfSeconds: Int64? {
    sessions.values.lazy.compactMap(\.grid).filter { 1_000_000_000 % $0.interval == 0 }
      .map(\.start).min()
  }

  /// Whether a watcher or a session needs changes of a kind.
  func isNeeded(_ kind: Int) -> Bool {
    if watchers.contains(where: { $0.kindIndex == nil || $0.kindIndex == kind }) { return true }
    return sessions.values.contains {
      $0.kindIndex == kind && ($0.phase != .idle || !$0.eventListeners.isEmpty)
    }
  }

  /// The producers an event of an instance updates: its own and the aggregate's.
  func producersConcerned(of kind: Int, instance: String?) -> [Int] {
    kinds[kind].producers.values.sorted().filter { number in
      guard let producer = producers[number], producer.isUsable(allowing: allowance) else {
        return false
      }
      return instance == nil || producer.instance.name == instance || producer.instance.isAggregate
    }
  }
}
