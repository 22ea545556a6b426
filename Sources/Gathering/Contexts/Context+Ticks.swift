import Machine

extension Context {
  /// The spacing of event-driven updates (sources I7).
  static let eventSpacing: Int64 = 100_000_000

  /// Brings timer and watches into line with what sessions want now.
  func afterRun(of number: UInt32) {
    let place = core.withLock { state in
      state.sessions[number].map { ($0.producer, $0.kindIndex) }
    }
    guard let (producer, kind) = place else { return }
    if let producer { arm(producer) }
    stopWatchingIfIdle(kind)
  }

  /// Arms the one timer of a producer for the next moment any of its sessions is due.
  func arm(_ producer: Int) {
    core.withLock { state in
      guard let due = state.nextDue(of: producer) else { return }
      guard due != state.producers[producer]?.timerDue else { return }
      state.producers[producer]?.timer?.cancel()
      state.producers[producer]?.timerDue = due
      state.producers[producer]?.timer =
        due == .max
        ? nil
        : loop.schedule(at: due) { [weak self] in self?.fire(producer) }
    }
  }

  /// Runs on the loop when a producer is due: one reading at most, one update a session.
  private func fire(_ producer: Int) {
    let plan = core.withLock { $0.planTick(of: producer, at: loop.clock.now.boot) }
    switch plan {
    case .none: break
    case .read(let due): refresh(producer, scope: .changing, due: .scheduled(due))
    case .repeatLast(let deliveries): for delivery in deliveries { post(delivery) }
    }
    arm(producer)
  }

  /// Something happened to an instance: its updating sessions get an update soon.
  func noteEvent(_ producers: [Int]) {
    for producer in producers {
      core.withLock { $0.noteEvent(producer, at: loop.clock.now.boot) }
      arm(producer)
    }
  }
}

/// What a tick is to do.
enum TickPlan: Sendable {
  case none
  case read([UInt32])
  case repeatLast([Delivery])
}

extension CoreState {
  /// The next moment anything of a producer is due; `.max` if nothing is.
  func nextDue(of producer: Int) -> Int64? {
    guard let state = producers[producer], !isClosed else { return nil }
    var next = Int64.max
    for number in state.sessions {
      guard let session = sessions[number], session.phase == .updating, let grid = session.grid
      else { continue }
      next = min(next, grid.next, state.eventDue ?? .max)
    }
    return next
  }

  /// Takes the ticks due and decides whether the instance is read: the session with the shortest
  /// interval reads, the others share (sources I5).
  mutating func planTick(of producer: Int, at now: Int64) -> TickPlan {
    guard let state = producers[producer], !isClosed else { return .none }
    producers[producer]?.timerDue = .max
    producers[producer]?.timer = nil
    let updating = state.sessions.filter { sessions[$0]?.phase == .updating }
    let leader = updating.min {
      (sessions[$0]?.granted ?? 0, $0) < (sessions[$1]?.granted ?? 0, $1)
    }
    var due: [UInt32] = []
    for number in updating {
      guard let (isDue, skipped) = sessions[number]?.grid?.takeTick(at: now), isDue else {
        continue
      }
      sessions[number]?.skipped += skipped
      if sessions[number]?.hasRoom == true { due.append(number) }
    }
    let isEvent = state.eventDue.map { $0 <= now } ?? false
    if isEvent {
      producers[producer]?.eventDue = nil
      producers[producer]?.lastEventUpdate = now
      due = updating.filter { sessions[$0]?.hasRoom == true }
    }
    guard !due.isEmpty else { return .none }
    if state.isUsable && (isEvent || leader.map(due.contains) == true) { return .read(due) }
    return .repeatLast(due.flatMap { enqueue($0, hasNews: false) })
  }

  /// Makes an event-driven update due as soon as its spacing allows.
  mutating func noteEvent(_ producer: Int, at now: Int64) {
    guard let state = producers[producer], state.eventDue == nil else { return }
    guard state.sessions.contains(where: { sessions[$0]?.phase == .updating }) else { return }
    let earliest = state.lastEventUpdate.addingReportingOverflow(Context.eventSpacing)
    producers[producer]?.eventDue = max(now, earliest.overflow ? now : earliest.partialValue)
  }
}

extension ProducerState {
  /// Whether asking it makes sense: it is there, and in a state that has values.
  var isUsable: Bool { isPresent && instance.availability.group == .available }
}

extension SessionState {
  /// Whether its pull readers would take another update (overflow `block`).
  var hasRoom: Bool { taps.allSatisfy(\.hasRoom) }
}
