import Ground
import Values

extension Context {
  /// Starts or restarts a session; the event of the table in sources 3 has been delivered when it
  /// returns.
  func start(_ number: UInt32, every interval: Int64) throws(SourceError) {
    try check()
    guard let kind = core.withLock({ $0.sessions[number]?.kindIndex }) else { throw .closed }
    // Earlier failures may not apply any more (sources A4).
    provider.lookAnew(catalogue[kind])
    tendWatch(of: kind, isWantedNow: true)
    if core.withLock({ $0.beginLook(for: number, at: now.boot) }) { refreshList(kind) }
    let floor = floor(of: number)
    let step = core.withLock { $0.beginStart(number, every: interval, above: floor, at: now) }
    var last: UInt64?
    var failure: SourceError?
    switch step {
    case .done(let delivery):
      last = delivery.map { cause($0) }
    case .failed(let error, let delivery):
      last = delivery.map { cause($0) }
      failure = error
    case .refresh(let producer):
      refresh(producer, scope: .changing, due: [number])
    case .repeatLast(let delivery):
      if let delivery { post(delivery) }
    case .claim(let producer):
      let begun = begin(number, of: producer, every: interval, from: .idle)
      last = begun.delivery.map { cause($0) }
      failure = begun.failure
      if begun.failure == nil {
        refresh(producer, scope: .everything, due: [number])
      }
    }
    afterRun(of: number)
    if let last { dispatcher.settle(through: last) }
    if let failure { throw failure }
  }

  /// Claims the instance and becomes updating; the caller reports that first and then refreshes.
  private func begin(
    _ number: UInt32, of producer: Int, every interval: Int64, from phase: Phase
  ) -> (delivery: SessionDelivery?, failure: SourceError?) {
    do {
      try claim(producer)
    } catch {
      return core.withLock { state in
        let error = state.shown(error, to: number)
        return (state.failStart(of: number, from: phase, error), error)
      }
    }
    let floor = floor(of: number)
    return core.withLock { state in
      if state.isClosed { return (nil, .closed) }
      return (
        state.becomeUpdating(number, every: interval, from: phase, above: floor, at: now), nil
      )
    }
  }

  /// Continues a start that waited for a permission (sources L12). `tell` reports it; the refresh
  /// follows.
  func resumeWaiting(_ number: UInt32, of producer: Int, tell: (SessionDelivery) -> Void) {
    let asked = core.withLock { state in
      state.sessions[number]?.phase == .waiting ? state.sessions[number]?.asked : nil
    }
    guard let asked else { return }
    let begun = begin(number, of: producer, every: asked, from: .waiting)
    if let delivery = begun.delivery { tell(delivery) }
    if begun.failure == nil {
      refresh(producer, scope: .everything, due: [number])
    }
    afterRun(of: number)
  }

  /// Stops a session: no callback it covers starts any more, and none runs elsewhere, when it
  /// returns (sources L6, T6).
  func stop(_ number: UInt32) throws(SourceError) {
    try check()
    let (delivery, listeners) = core.withLock { state in
      (state.stop(number), state.sessions[number]?.allListeners ?? [])
    }
    let last = delivery.map { cause($0) }
    afterRun(of: number)
    if let last { dispatcher.settle(through: last) }
    dispatcher.awaitEnd(ofCallsTo: listeners)
  }

  /// Ends a session permanently and without an event: its last reference was released.
  func release(_ number: UInt32) {
    if fork.isForked { return }
    // Objects held by the session may call back when they are released: outside the lock.
    let (gone, orphan) = core.withLock { $0.remove(number) }
    guard let gone else { return }
    for listener in gone.allListeners { _ = listener.disconnect() }
    for listener in gone.allListeners { dispatcher.end(listener) }
    if let producer = gone.producer { tend(producer) }
    tendWatch(of: gone.kindIndex)
    orphan?.release()
  }

  /// Adapts timer, claim and watches to the present needs of sessions.
  func afterRun(of number: UInt32) {
    let place = core.withLock { state in
      state.sessions[number].map { ($0.producer, $0.kindIndex) }
    }
    guard let (producer, kind) = place else { return }
    if let producer { tend(producer) }
    tendWatch(of: kind)
  }

  /// Sets a producer's timer to the next due moment, or releases the backend when the last session
  /// has stopped (sources L14, K1).
  func tend(_ producer: Int) {
    tendStream(producer)
    arm(producer)
    let ended = core.withLock { $0.takeEndedClaim(of: producer) }
    ended?.release()
  }

  /// The smallest interval a session is granted, and why.
  func floor(of number: UInt32) -> Floor {
    let place = core.withLock { state in
      state.sessions[number].flatMap { session in
        session.producer.flatMap { state.producers[$0] }.map {
          ($0.instance, $0.kind, session.facts.settings)
        }
      }
    }
    guard let (found, kind, settings) = place else { return (Intervals.smallest, "") }
    var instance = found
    if let setting = instance.pollingFloor?.liftedBy, settings[setting] == .bool(true) {
      instance.pollingFloor = nil
    }
    return provider.floor(of: instance, of: kind)
  }

  /// Grants a session that updates the interval of another floor, if one of its settings lifts or
  /// lays one.
  func followFloor(of number: UInt32, after setting: Int) {
    let lift = core.withLock { state -> Int? in
      let producer = state.sessions[number]?.producer.flatMap { state.producers[$0] }
      return producer?.instance.pollingFloor?.liftedBy
    }
    guard lift == setting else { return }
    let floor = floor(of: number)
    core.withLock { $0.regrant(number, above: floor, at: now) }
    afterRun(of: number)
  }
}
