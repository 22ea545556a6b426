import Machine

extension Context {
  /// The spacing of event-driven updates (sources I7).
  static let eventSpacing: Int64 = 100_000_000

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
    let plan = core.withLock { $0.planTick(of: producer, at: now) }
    switch plan {
    case .none: break
    case .read(let due):
      refresh(producer, scope: .changing, due: .scheduled(due))
      // A third failed reading ends a session.
      let ended = core.withLock { state in due.filter { state.sessions[$0]?.phase == .idle } }
      for number in ended { afterRun(of: number) }
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
  mutating func planTick(of producer: Int, at now: Instant) -> TickPlan {
    guard let state = producers[producer], !isClosed else { return .none }
    producers[producer]?.timerDue = .max
    producers[producer]?.timer = nil
    let updating = state.sessions.filter { sessions[$0]?.phase == .updating }
      .filter { sessions[$0]?.hasRoom == true }
    let isUsable = state.isUsable(allowing: allowance)
    if let event = state.eventDue, event <= now.boot {
      // An event has an update of its own; ticks due at the same moment come right after.
      producers[producer]?.eventDue = nil
      guard isUsable, !updating.isEmpty else { return .none }
      producers[producer]?.lastEventUpdate = now.boot
      return .read(updating)
    }
    let leader = updating.min {
      (sessions[$0]?.granted ?? 0, $0) < (sessions[$1]?.granted ?? 0, $1)
    }
    let due = takeTicks(of: state.sessions, at: now.boot).filter(updating.contains)
    guard !due.isEmpty else { return .none }
    if isUsable && leader.map(due.contains) == true { return .read(due) }
    return .repeatLast(due.flatMap { enqueue($0, at: now) })
  }

  /// The updating sessions that are due, their missed ticks counted.
  private mutating func takeTicks(of numbers: [UInt32], at now: Int64) -> [UInt32] {
    numbers.filter { number in
      guard sessions[number]?.phase == .updating,
        let (isDue, skipped) = sessions[number]?.grid?.takeTick(at: now)
      else { return false }
      sessions[number]?.skipped += skipped
      return isDue
    }
  }

  /// Makes an event-driven update due as soon as its spacing allows.
  mutating func noteEvent(_ producer: Int, at now: Int64) {
    guard let state = producers[producer], state.eventDue == nil,
      state.isUsable(allowing: allowance)
    else { return }
    guard state.sessions.contains(where: { sessions[$0]?.phase == .updating }) else { return }
    let earliest = state.lastEventUpdate.addingReportingOverflow(Context.eventSpacing)
    producers[producer]?.eventDue = max(now, earliest.overflow ? now : earliest.partialValue)
  }
}

extension SessionState {
  /// Whether its pull readers would take another update (overflow `block`).
  var hasRoom: Bool { taps.allSatisfy(\.hasRoom) }
}
