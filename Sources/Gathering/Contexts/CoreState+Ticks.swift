import Ground

/// An instance whose tick has come and that has to be read.
struct Tick {
  let instance: ProducerState
  /// Nil if the reading may block, or is to show an event.
  let direct: DirectReading?
}

/// A reading on the thread that found it due.
struct DirectReading {
  let request: ReadRequest
  /// The sessions that get an update of it.
  let due: [SessionState]
}

/// The work of a tick.
enum TickPlan {
  case none
  case read([SessionState])
  case repeatLast([SessionState])
}

extension CoreState {
  /// Makes an instance due at the next moment any of its sessions is.
  mutating func arm(_ instance: ProducerState) { ticks.set(instance, to: nextDue(of: instance)) }

  /// Makes an instance that was read due again, and takes the next one.
  mutating func takeTick(
    after last: ProducerState, by moment: Int64, at now: Instant,
    among posted: inout PostedSessions, on loop: any Loop
  ) -> Tick? {
    arm(last)
    return takeTick(by: moment, at: now, among: &posted, on: loop)
  }

  /// Takes the instance that is due first, by a moment, and has to be read; those before it repeat
  /// their values. Nil once none is due; the timer is then set.
  mutating func takeTick(
    by moment: Int64, at now: Instant, among posted: inout PostedSessions, on loop: any Loop
  ) -> Tick? {
    while let instance = ticks.takeDue(by: moment) {
      guard instance.directness == .all, instance.eventTime == nil else {
        return Tick(instance: instance, direct: nil)
      }
      switch planTick(of: instance, at: now, isBusy: false) {
      case .none: break
      case .read(let due):
        let reading = DirectReading(request: request(of: instance), due: due)
        return Tick(instance: instance, direct: reading)
      case .repeatLast(let due):
        for session in due {
          post(session.enqueue(instance, isAsked: false, at: now), among: &posted)
        }
      }
      arm(instance)
    }
    ticks.endFiring()
    // It has fired, so there is none to cancel.
    _ = ticks.setTimer(on: loop)
    return nil
  }

  /// Takes a reading over for the sessions due that still update, and posts what comes of it; those
  /// whose run ended by it.
  mutating func absorb(
    _ reading: borrowing Reading, of instance: ProducerState, due: [SessionState],
    among posted: inout PostedSessions, ended: inout [UInt32]
  ) {
    if isClosed { return }
    take(reading, of: instance, scope: .changing)
    for session in due where !session.isRemoved {
      if session.phase == .updating, session.instance === instance {
        post(session.enqueue(instance, isAsked: false, at: reading.instant), among: &posted)
      }
      if session.phase == .idle { ended.append(session.number) }
    }
  }

  /// Whether an instance is read at ticks at present.
  func isPolled(_ producer: Int) -> Bool {
    producers[producer].map { state in
      state.sessions.contains { $0.phase == .updating && state.ticks($0) }
    } ?? false
  }

  /// The next moment anything of an instance is due; `.max` if nothing is.
  private func nextDue(of instance: ProducerState) -> Int64 {
    guard !isClosed, let tick = instance.nextTick else { return .max }
    return min(tick, instance.eventDue ?? .max, instance.endOfGap)
  }

  /// Takes the ticks due and decides whether the instance is read: the session with the shortest
  /// interval reads, the others share (sources I5).
  func planTick(of state: ProducerState, at now: Instant, isBusy: Bool) -> TickPlan {
    if isClosed { return .none }
    // A stream brings its samples by itself.
    guard state.nextTick != nil else { return .none }
    let isUsable = state.isUsable(allowing: allowance)
    if let event = state.eventDue, event <= now.boot, isBusy {
      // The running reading may have missed the event: another follows it (sources I7).
      state.eventDue = now.boot + max(state.kind.intervals.eventSpacing, 1_000_000)
    } else if let event = state.eventDue, event <= now.boot {
      // An event has an update of its own; ticks due at the same moment come right after.
      state.eventDue = nil
      let readable = isUsable ? state.sessionsToldOfEvents : []
      if readable.isEmpty { return .none }
      state.lastEventUpdate = now.boot
      return .read(readable)
    }
    let (due, isLeaderDue) = state.takeTicks(at: now.boot)
    guard !due.isEmpty else { return isUsable && state.endsGap(at: now.boot) ? .read([]) : .none }
    return isUsable && isLeaderDue ? .read(due) : .repeatLast(due)
  }

  /// Makes an event-driven update due as soon as its spacing allows.
  mutating func noteEvent(_ producer: Int, of moment: Int64?, at now: Int64) {
    guard let state = producers[producer], state.isUsable(allowing: allowance),
      state.sessions.contains(where: { $0.phase == .updating })
    else { return }
    if let moment { state.eventTime = moment }
    guard state.eventDue == nil else { return }
    state.eventDue = max(now, state.earliestEventUpdate)
  }

  /// The plan of an event of an instance that is read directly; nil if it is not to be read now, or
  /// its time is to be shown.
  func planEvent(of state: ProducerState, at now: Int64) -> DirectReading? {
    guard !isClosed, state.directness == .all, state.eventDue == nil, state.eventTime == nil,
      state.earliestEventUpdate <= now, state.isUsable(allowing: allowance)
    else { return nil }
    let due = state.sessionsToldOfEvents
    if due.isEmpty { return nil }
    state.lastEventUpdate = now
    return DirectReading(request: request(of: state), due: due)
  }
}

extension ProducerState {
  /// When the next update for an event may be.
  fileprivate var earliestEventUpdate: Int64 {
    let earliest = lastEventUpdate.addingReportingOverflow(kind.intervals.eventSpacing)
    return earliest.overflow ? .min : earliest.partialValue
  }

  /// When it is read though no session is due; `.max` where its sessions are due often enough.
  fileprivate var endOfGap: Int64 {
    guard let gap = instance.longestGap, let readAt, let shortest = shortestInterval,
      shortest > gap
    else { return .max }
    let end = readAt.addingReportingOverflow(gap)
    return end.overflow ? .max : end.partialValue
  }

  /// Whether it has been left unread for as long as it may; it is then about to be read.
  fileprivate func endsGap(at now: Int64) -> Bool {
    guard endOfGap <= now else { return false }
    readAt = now
    return true
  }

  /// The sessions that get an update for an event.
  fileprivate var sessionsToldOfEvents: [SessionState] {
    sessions.filter { $0.phase == .updating && ticks($0) }
  }

  /// The shortest interval granted to a session that updates; nil if none does.
  var shortestInterval: Int64? {
    if agenda == nil { agenda = Agenda(of: sessions, where: ticks) }
    return agenda?.shortest
  }

  /// The earliest moment a session is due; nil if none ticks.
  fileprivate var nextTick: Int64? {
    if agenda == nil { agenda = Agenda(of: sessions, where: ticks) }
    return agenda?.next
  }

  /// The updating sessions that are due, their missed ticks counted, and whether the one with the
  /// shortest interval is among them.
  fileprivate func takeTicks(at now: Int64) -> (due: [SessionState], isLeaderDue: Bool) {
    if agenda == nil { agenda = Agenda(of: sessions, where: ticks) }
    return agenda?.take(at: now) ?? ([], false)
  }
}
