import Ground

/// The smallest interval granted, in nanoseconds, and why.
typealias Floor = (interval: Int64, reason: String)

/// The work of a start outside the lock.
enum StartStep {
  case done(SessionDelivery?)
  case claim(producer: Int)
  case refresh(producer: Int)
  /// A restart while nothing can be read.
  case repeatLast(SessionDelivery?)
  case failed(SourceError, SessionDelivery?)
}

/// The plan of an `updateValues`.
enum UpdatePlan {
  case read(producer: Int)
  case absent
  /// Absent by the known list, which may be outdated.
  case lookFirst(kind: Int)
}

/// The transitions of the table in sources 3.
extension CoreState {
  mutating func beginStart(
    _ number: UInt32, every interval: Int64, above floor: Floor, at now: Instant
  ) -> StartStep {
    guard let session = sessions[number], !isClosed else { return .failed(.closed, nil) }
    switch session.phase {
    case .waiting:
      sessions[number]?.asked = interval
      return .done(nil)
    case .updating:
      guard let producer = session.producer, let state = producers[producer] else {
        return .done(nil)
      }
      schedule(session, every: interval, above: floor, at: now.boot)
      followStream(number)
      let isReadable = state.availability(allowing: allowance).group == .available
      if state.isPresent && isReadable { return .refresh(producer: producer) }
      return .repeatLast(enqueue(number, at: now))
    case .idle:
      return beginStartOfIdle(number, every: interval)
    }
  }

  private mutating func beginStartOfIdle(_ number: UInt32, every interval: Int64) -> StartStep {
    let availability = availability(of: number)
    switch availability.group {
    case .available:
      if let producer = sessions[number]?.producer { return .claim(producer: producer) }
    case .requiresPermissionsPrompt:
      sessions[number]?.phase = .waiting
      sessions[number]?.asked = interval
      return .done(sessions[number]?.tell(.permissionRequested))
    default:
      break
    }
    let error = SourceError.unavailable(availability)
    return .failed(error, sessions[number]?.tell(.failedToStart(error)))
  }

  /// A start could not claim: the session is idle, unless another thread has moved it meanwhile.
  mutating func failStart(
    of number: UInt32, from phase: Phase, _ error: SourceError
  ) -> SessionDelivery? {
    guard sessions[number]?.phase == phase else { return nil }
    sessions[number]?.phase = .idle
    return sessions[number]?.tell(.failedToStart(error))
  }

  /// Makes a claimed session updating and gives its `started` event; nil if another thread was
  /// faster.
  mutating func becomeUpdating(
    _ number: UInt32, every interval: Int64, from phase: Phase, above floor: Floor, at now: Instant
  ) -> SessionDelivery? {
    guard let present = sessions[number]?.phase else { return nil }
    if present == .updating {
      // Started twice at once: this start is a restart.
      if phase == .idle, let session = sessions[number] {
        schedule(session, every: interval, above: floor, at: now.boot)
        followStream(number)
      }
      return nil
    }
    // A waiting session that was stopped meanwhile stays idle.
    guard present == phase, let session = sessions[number] else { return nil }
    session.beginRun()
    schedule(session, every: interval, above: floor, at: now.boot)
    followStream(number)
    return sessions[number]?.tell(.started)
  }

  /// Gives a session that updates the schedule of another floor.
  mutating func regrant(_ number: UInt32, above floor: Floor, at now: Instant) {
    guard let session = sessions[number], session.phase == .updating else { return }
    schedule(session, every: session.asked, above: floor, at: now.boot)
  }

  /// Gives a session its schedule: the grid of the sessions of its granted interval, or one that
  /// begins now (sources I4). One that a stream serves has its own.
  private func schedule(
    _ session: SessionState, every interval: Int64, above floor: Floor, at now: Int64
  ) {
    let granted = max(interval, floor.interval)
    let isStreamed = session.instance?.streamsBelow.map { interval < $0 } ?? false
    let other =
      isStreamed
      ? nil
      : sessions.values.first { other in
        other !== session && other.phase == .updating && other.grid?.interval == granted
      }
    session.schedule(every: interval, above: floor, at: other?.grid?.start ?? now)
    session.passTicks(until: now)
  }

  /// Ends a run on request; undelivered updates are dropped (sources L6).
  mutating func stop(_ number: UInt32) -> SessionDelivery? {
    guard let phase = sessions[number]?.phase, phase != .idle else { return nil }
    sessions[number]?.forgetPendingUpdate()
    sessions[number]?.endRun()
    return phase == .updating ? sessions[number]?.tell(.stopped(nil)) : nil
  }

  /// Whether a session cannot be read as far as is remembered.
  func rests(on number: UInt32) -> Bool {
    guard !isClosed, let phase = sessions[number]?.phase, phase != .waiting else { return false }
    let group = availability(of: number).group
    return group != .available && group != .requiresPermissionsPrompt
  }

  /// A start looks anew; whether that takes another look at the list.
  mutating func beginLook(for number: UInt32, at now: Int64) -> Bool {
    guard let kind = sessions[number]?.kindIndex else { return false }
    kinds[kind].lookedAnewAt = now
    _ = forgetStreamRefusal(of: number)
    return rests(on: number)
  }

  /// How long a look on request is good for others, in nanoseconds.
  static let lookInterval: Int64 = 2_000_000_000

  /// Lets a caller's update look anew if nothing did for 2 s; whether it is to.
  mutating func takeLook(at kind: Int, at now: Int64) -> Bool {
    guard !isClosed else { return false }
    if let last = kinds[kind].lookedAnewAt, now - last < Self.lookInterval { return false }
    kinds[kind].lookedAnewAt = now
    return true
  }

  /// How long an absence without news is kept (sources A4), in nanoseconds.
  private static let absenceInterval: Int64 = 1_000_000_000

  /// Whether the last look at a kind is older than an absence is kept.
  private func isOutdated(_ kind: Int, at now: Int64) -> Bool {
    kinds[kind].listedAt.map { now - $0 >= Self.absenceInterval } ?? true
  }

  /// The plan of a requested update, of which kind, and whether the kind is discovered again first.
  mutating func planAsked(
    _ session: SessionState, at now: Int64
  ) -> (plan: UpdatePlan, mayLook: Bool, isOutdated: Bool)? {
    guard let plan = planUpdate(session) else { return nil }
    let kind = session.kindIndex
    return (plan, takeLook(at: kind, at: now), isOutdated(kind, at: now))
  }

  func planUpdate(_ session: SessionState) -> UpdatePlan? {
    if isClosed || session.isRemoved { return nil }
    if let producer = session.producer, let state = session.instance,
      state.isUsable(allowing: allowance) || state.speaksForNone
    {
      return .read(producer: producer)
    }
    return kinds[session.kindIndex].isWatching ? .absent : .lookFirst(kind: session.kindIndex)
  }

  /// Forgets a session. Returns it, and the box of its instance if that has no session left.
  mutating func remove(_ number: UInt32) -> (session: SessionState?, orphan: ReaderBox?) {
    guard let session = sessions.removeValue(forKey: number) else { return (nil, nil) }
    session.isRemoved = true
    session.gate.advance()
    session.bind(to: nil, numbered: session.producer)
    guard let producer = session.producer else { return (session, nil) }
    producers[producer]?.sessions.removeAll { $0 === session }
    let isOrphan = producers[producer]?.sessions.isEmpty == true
    return (session, isOrphan ? producers[producer]?.box : nil)
  }

  /// Everything needed to claim an instance: for an aggregate, its members too.
  func claimPlan(of producer: Int) -> ClaimPlan? {
    guard let state = producers[producer], !isClosed else { return nil }
    let isAggregate = state.instance.isAggregate
    let list = isAggregate ? kinds[state.kindIndex].discovery?.instances ?? [] : []
    return (state.box, state.kind, state.instance, list.filter(\.isMember))
  }

  /// The box of a producer whose last updating session has ended since the last look; nil
  /// otherwise.
  mutating func takeEndedClaim(of producer: Int) -> ReaderBox? {
    guard let state = producers[producer] else { return nil }
    let isRunning = state.sessions.contains { $0.phase == .updating }
    defer { producers[producer]?.isRunning = isRunning }
    return state.isRunning && !isRunning ? state.box : nil
  }
}

extension SessionState {
  /// Sets the requested and granted intervals, and a new grid from a moment.
  func schedule(every interval: Int64, above floor: Floor, at start: Int64) {
    asked = interval
    granted = max(interval, floor.interval)
    grantReason = interval < floor.interval ? floor.reason : ""
    schedule(on: Grid(start: start, interval: granted))
  }

  /// Begins a run: nothing of an earlier one is left (sources L13).
  func beginRun() {
    phase = .updating
    awaitsRefresh = true
    strikes = 0
    previous = nil
    facts.first = nil
    times = UpdateTimes()
  }

  /// Ends the run; queued items are still delivered.
  func endRunKeepingOutbox() {
    phase = .idle
    schedule(on: nil)
    strikes = 0
    previous = nil
    facts.first = nil
    hasLostRows = false
    times = UpdateTimes()
  }

  /// Ends the run, and with it deliveries under way.
  func endRun() {
    endRunKeepingOutbox()
    gate.advance()
  }
}
