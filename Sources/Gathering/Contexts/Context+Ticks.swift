import Ground

extension Context {
  /// Makes a producer due at the next moment any of its sessions is: all that are due at one moment
  /// share a timer.
  func arm(_ producer: Int) {
    let former = core.withLock { state -> (any Cancellable)? in
      guard let known = state.producers[producer], let due = state.nextDue(of: known),
        due != known.timerDue
      else { return nil }
      let former = state.ticks.remove(producer, from: known.timerDue)
      known.timerDue = due
      if due < .max {
        state.ticks.add(producer, at: due) {
          loop.schedule(at: Moment(nanoseconds: due)) { [weak self] in self?.fire(at: due) }
        }
      }
      return former
    }
    former?.cancel()
  }

  /// Runs on the loop at a moment when producers are due: each is read once at most, and all that
  /// comes of it is queued at once.
  private func fire(at moment: Int64) {
    let (first, others) = core.withLock { $0.ticks.take(at: moment) }
    var deliveries: [SessionDelivery] = []
    if let first { tick(first, into: &deliveries) }
    for producer in others { tick(producer, into: &deliveries) }
    if deliveries.count == 1 { post(deliveries[0]) } else { post(deliveries) }
    if let first { arm(first) }
    for producer in others { arm(producer) }
  }

  /// One reading of a producer at most, one update a session.
  private func tick(_ producer: Int, into deliveries: inout [SessionDelivery]) {
    let now = now
    guard let plan = core.withLock({ $0.planDirectTick(of: producer, at: now) }) else {
      deliveries += tickCarefully(producer)
      return
    }
    switch plan {
    case .none: break
    case .repeatLast(let repeated): deliveries += repeated
    case .read(let due, let instance, let request):
      let isRead = read(instance, as: request, due: due, into: &deliveries)
      // A reader that has to be made anew.
      if !isRead { deliveries += read(producer, due: due) }
    }
  }

  /// Reads an instance directly for the sessions due; false if its reader has to be made anew.
  private func read(
    _ instance: ProducerState, as request: ReadRequest, due: [UInt32],
    into deliveries: inout [SessionDelivery]
  ) -> Bool {
    var ended: [UInt32] = []
    let isRead = instance.box.read(request, clock: clock) { reading in
      core.withLock {
        $0.absorb(reading, of: instance, due: due, into: &deliveries, ended: &ended)
      }
    }
    for number in ended { afterRun(of: number) }
    return isRead
  }

  /// A tick of an instance that may block, or has to be claimed first.
  private func tickCarefully(_ producer: Int) -> [SessionDelivery] {
    let worker = worker(of: producer)
    let isBusy = worker?.busyTime != nil
    let plan = core.withLock { state in
      state.producers[producer].map { state.planTick(of: $0, at: now, isBusy: isBusy) }
    }
    switch plan ?? TickPlan.none {
    case .none: return []
    case .repeatLast(let deliveries): return deliveries
    case .read(let due):
      guard let worker else { return read(producer, due: due) }
      readSlowly(producer, on: worker, due: due)
      return []
    }
  }

  /// Reads an instance for the sessions due.
  private func read(_ producer: Int, due: [UInt32]) -> [SessionDelivery] {
    let deliveries = take(producer, scope: .changing, due: { .scheduled(due) })
    // A third failed reading ends a session.
    let ended = core.withLock { state in due.filter { state.sessions[$0]?.phase == .idle } }
    for number in ended { afterRun(of: number) }
    return deliveries
  }

  /// Reads an instance that may block on its own thread. A tick during a running reading repeats
  /// the known values; an instance that has not answered for 2 s has failed (sources T7).
  private func readSlowly(_ producer: Int, on worker: SerialWorker, due: [UInt32]) {
    guard let busy = worker.busyTime else {
      return worker.submit { [weak self] in
        // A stream that began meanwhile delivers the values of this tick.
        guard let self, self.core.withLock({ $0.isPolled(producer) }) else { return }
        self.post(self.read(producer, due: due))
      }
    }
    let deliveries = core.withLock { state -> [SessionDelivery] in
      guard busy >= 2_000_000_000, let instance = state.producers[producer]?.instance else {
        return due.flatMap { state.enqueue($0, at: now) }
      }
      return state.absorb(.hanging(instance), by: producer, due: .scheduled(due), at: now)
    }
    post(deliveries)
    let ended = core.withLock { state in due.filter { state.sessions[$0]?.phase == .idle } }
    for number in ended { afterRun(of: number) }
  }

  /// Handles an event of an instance: its updating sessions get an update soon. `moment` is the
  /// time given by the kernel.
  func noteEvent(_ producers: [Int], of moment: Int64? = nil) {
    for producer in producers {
      core.withLock { $0.noteEvent(producer, of: moment, at: clock.now.boot) }
      arm(producer)
    }
  }

  /// Handles an event on a thread other than the loop's, which must not be held up. An instance
  /// that is due and can be read directly is read on that thread, so the loop is not woken.
  func noteEventOffLoop(_ producers: [Int]) {
    for producer in producers {
      guard let plan = core.withLock({ $0.planEvent(of: producer, at: clock.now.boot) }) else {
        noteEvent([producer])
        continue
      }
      var deliveries: [SessionDelivery] = []
      let isRead = read(plan.instance, as: plan.request, due: plan.due, into: &deliveries)
      post(deliveries)
      let due = plan.due
      if !isRead { loop.submit { [self] in post(read(producer, due: due)) } }
    }
  }
}

/// The work of a tick.
enum TickPlan: Sendable {
  case none
  case read([UInt32])
  case repeatLast([SessionDelivery])
}

/// The work of a tick of an instance that is read directly.
private enum DirectTickPlan {
  case none
  case read([UInt32], ProducerState, ReadRequest)
  case repeatLast([SessionDelivery])
}

/// The reading that shows an event of an instance that is read directly.
private struct EventPlan {
  let instance: ProducerState
  let request: ReadRequest
  let due: [UInt32]
}

extension CoreState {
  /// The plan of a tick of an instance that is read directly; nil for any other, and for one whose
  /// reading is to show an event.
  fileprivate func planDirectTick(
    of producer: Int, at now: Instant
  ) -> DirectTickPlan? {
    guard let instance = producers[producer], instance.directness == .all,
      instance.eventTime == nil
    else {
      return nil
    }
    switch planTick(of: instance, at: now, isBusy: false) {
    case .none: return DirectTickPlan.none
    case .repeatLast(let deliveries): return .repeatLast(deliveries)
    case .read(let due): return .read(due, instance, request(of: instance))
    }
  }

  /// Takes a reading over for the sessions due that still update: their deliveries, and those whose
  /// run ended by it.
  fileprivate func absorb(
    _ reading: Reading, of instance: ProducerState, due: [UInt32],
    into deliveries: inout [SessionDelivery], ended: inout [UInt32]
  ) {
    if isClosed { return }
    take(reading, of: instance, scope: .changing)
    for number in due {
      guard let session = sessions[number] else { continue }
      if session.phase == .updating, session.instance === instance {
        session.enqueue(instance, isAsked: false, at: reading.instant, into: &deliveries)
      }
      if session.phase == .idle { ended.append(number) }
    }
  }

  /// Whether an instance is read at ticks at present.
  fileprivate func isPolled(_ producer: Int) -> Bool {
    producers[producer].map { state in
      state.sessions.contains { $0.phase == .updating && state.ticks($0) }
    } ?? false
  }

  /// The next moment anything of a producer is due; `.max` if nothing is.
  fileprivate func nextDue(of state: ProducerState) -> Int64? {
    if isClosed { return nil }
    return state.nextTick.map { min($0, state.eventDue ?? .max) } ?? .max
  }

  /// Takes the ticks due and decides whether the instance is read: the session with the shortest
  /// interval reads, the others share (sources I5).
  fileprivate func planTick(of state: ProducerState, at now: Instant, isBusy: Bool) -> TickPlan {
    if isClosed { return .none }
    state.timerDue = .max
    let isUsable = state.isUsable(allowing: allowance)
    // A stream brings its samples by itself.
    guard state.sessions.contains(where: state.ticks) else { return .none }
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
    guard !due.isEmpty else { return .none }
    if isUsable && isLeaderDue { return .read(due) }
    var deliveries: [SessionDelivery] = []
    for number in due {
      sessions[number]?.enqueue(state, isAsked: false, at: now, into: &deliveries)
    }
    return .repeatLast(deliveries)
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
  fileprivate func planEvent(of producer: Int, at now: Int64) -> EventPlan? {
    guard !isClosed, let state = producers[producer], state.directness == .all,
      state.eventDue == nil, state.eventTime == nil, state.earliestEventUpdate <= now,
      state.isUsable(allowing: allowance)
    else { return nil }
    let due = state.sessionsToldOfEvents
    if due.isEmpty { return nil }
    state.lastEventUpdate = now
    return EventPlan(instance: state, request: request(of: state), due: due)
  }
}

extension ProducerState {
  /// When the next update for an event may be.
  fileprivate var earliestEventUpdate: Int64 {
    let earliest = lastEventUpdate.addingReportingOverflow(kind.intervals.eventSpacing)
    return earliest.overflow ? .min : earliest.partialValue
  }

  /// The sessions that get an update for an event.
  fileprivate var sessionsToldOfEvents: [UInt32] {
    sessions.filter { $0.phase == .updating && ticks($0) }.map(\.number)
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
  fileprivate func takeTicks(at now: Int64) -> (due: [UInt32], isLeaderDue: Bool) {
    var current = agenda ?? Agenda(of: sessions, where: ticks)
    // Out of its place while it changes, so that nothing is copied.
    agenda = nil
    defer { agenda = current }
    return current.take(at: now)
  }
}
