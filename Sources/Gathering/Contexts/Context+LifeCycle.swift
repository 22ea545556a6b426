import Machine

/// What a start has to do outside the lock.
private enum StartStep {
  case done(Delivery?)
  case claim(producer: Int)
  case refresh(producer: Int)
  case failed(SourceError, Delivery?)
}

extension Context {
  /// Starts or restarts a session; the event of the table in sources 3 has been delivered when it
  /// returns.
  func start(_ number: UInt32, every interval: Int64) throws(SourceError) {
    guard let kind = core.withLock({ $0.sessions[number]?.kindIndex }), !isClosed else {
      throw .closed
    }
    keepWatching(kind, for: number)
    let step = core.withLock { $0.beginStart(number, every: interval, floorOf: floor, at: now) }
    var last: UInt64?
    var failure: SourceError?
    switch step {
    case .done(let delivery):
      last = delivery.map { cause($0) }
    case .failed(let error, let delivery):
      last = delivery.map { cause($0) }
      failure = error
    case .refresh(let producer):
      refresh(producer, scope: .changing, due: .scheduled([number]))
    case .claim(let producer):
      (last, failure) = begin(number, of: producer, every: interval)
    }
    afterRun(of: number)
    if let last { dispatcher.settle(through: last) }
    if let failure { throw failure }
  }

  /// Claims, becomes updating and refreshes at once (sources L3).
  private func begin(
    _ number: UInt32, of producer: Int, every interval: Int64
  ) -> (last: UInt64?, failure: SourceError?) {
    do {
      try claim(producer)
    } catch {
      let delivery = core.withLock { $0.sessions[number]?.tell(.failedToStart(error)) }
      return (delivery.map { cause($0) }, error)
    }
    let delivery = core.withLock {
      $0.becomeUpdating(number, every: interval, floorOf: floor, at: now)
    }
    let last = delivery.map { cause($0) }
    refresh(producer, scope: .everything, due: .scheduled([number]))
    return (last, nil)
  }

  /// What waited for a yes has got it: the same start goes on by itself (sources L12).
  func resumeWaiting(_ number: UInt32, of producer: Int) {
    guard let asked = core.withLock({ $0.sessions[number]?.asked }) else { return }
    _ = begin(number, of: producer, every: asked)
    afterRun(of: number)
  }

  /// Stops a session: no callback it covers starts any more when it returns (sources L6).
  func stop(_ number: UInt32) throws(SourceError) {
    guard !isClosed else { throw .closed }
    let last = core.withLock { $0.stop(number) }.map { cause($0) }
    afterRun(of: number)
    if let last { dispatcher.settle(through: last) }
  }

  /// Takes one reading beside the schedule, or says why there is none, and notifies the listeners
  /// before it returns (sources L8).
  func updateValues(_ number: UInt32) throws(SourceError) {
    let plan = core.withLock { $0.planUpdate(number) }
    guard let plan else { throw .closed }
    var deliveries: [Delivery] = []
    switch plan {
    case .absent(let availability):
      deliveries = core.withLock { $0.enqueueAbsence(number, availability, at: now) }
    case .read(let producer):
      do {
        try claim(producer)
        deliveries = take(producer, scope: .everything, due: .asked(number))
      } catch {
        let availability = error.availability
        deliveries = core.withLock { $0.enqueueAbsence(number, availability, at: now) }
      }
    }
    core.withLock { $0.showLatest(of: number) }
    if let last = deliveries.last.map({ cause($0) }) { dispatcher.settle(through: last) }
  }

  /// Ends a session for good, silently: its last reference is gone.
  func release(_ number: UInt32) {
    let listeners = core.withLock { state -> [Listener] in
      guard let session = state.sessions[number] else { return [] }
      session.gate.advance()
      return session.listeners + session.eventListeners
    }
    for listener in listeners { _ = listener.disconnect() }
    for listener in listeners { dispatcher.end(listener) }
    afterRun(of: number)
    let orphan = core.withLock { $0.remove(number) }
    orphan?.release()
  }

  // MARK: Reading

  /// The smallest interval granted to an instance.
  private func floor(_ instance: Instance, _ kind: any SourceKind) -> (Int64, String) {
    provider.floor(of: instance, of: kind)
  }

  /// Claims an instance for reading, once for all its sessions.
  func claim(_ producer: Int) throws(SourceError) {
    guard let state = core.withLock({ $0.claimPlan(of: producer) }) else { throw .closed }
    let provider = provider
    try state.box.claim { () throws(SourceError) -> sending any InstanceReader in
      let own = try provider.claim(state.instance, of: state.kind)
      guard state.instance.isAggregate else {
        if let own { return own }
        throw .unavailable(Availability(.failed, detail: "\(state.instance.name) has no reader"))
      }
      var members: [any InstanceReader] = []
      for member in state.members {
        // A member that cannot be claimed costs its share only.
        if let reader = try? provider.claim(member, of: state.kind) { members.append(reader) }
      }
      return AggregateReader(state.kind, own: own, members: members)
    }
  }

  /// Takes a reading and returns what is to be delivered to the sessions due.
  ///
  /// A reader that has to be made anew, because an aggregate's members changed, is read whole.
  func take(_ producer: Int, scope: ReadRequest.Scope, due: Due) -> [Delivery] {
    let plan = core.withLock { state in
      state.producers[producer].map { ($0.box, state.allowance) }
    }
    guard let (box, allowance) = plan else { return [] }
    var deliveries: [Delivery] = []
    let attempt = { (scope: ReadRequest.Scope) in
      box.read(ReadRequest(scope: scope, allow: allowance), clock: self.loop.clock) { reading in
        deliveries = self.core.withLock { state in
          state.absorb(reading, by: producer, scope: scope, due: due)
        }
      }
    }
    if !attempt(scope), (try? claim(producer)) != nil { _ = attempt(.everything) }
    return deliveries
  }

  /// Takes a reading and queues the updates for the loop.
  func refresh(_ producer: Int, scope: ReadRequest.Scope, due: Due) {
    for delivery in take(producer, scope: scope, due: due) { post(delivery) }
  }
}

extension SourceError {
  /// The availability an error of a claim amounts to.
  var availability: Availability {
    if case .unavailable(let availability) = self { return availability }
    return Availability(.failed, detail: message, errno: errno)
  }
}

/// What `updateValues` is to do.
private enum UpdatePlan {
  case read(producer: Int)
  case absent(Availability)
}

extension CoreState {
  typealias Floor = (Instance, any SourceKind) -> (Int64, String)

  fileprivate mutating func beginStart(
    _ number: UInt32, every interval: Int64, floorOf floor: Floor, at now: Instant
  ) -> StartStep {
    guard let session = sessions[number], !isClosed else { return .failed(.closed, nil) }
    switch session.phase {
    case .waiting:
      sessions[number]?.asked = interval
      return .done(nil)
    case .updating:
      guard let producer = session.producer else { return .done(nil) }
      schedule(number, every: interval, floorOf: floor, at: now.boot)
      let isPresent = producers[producer]?.isPresent == true
      return isPresent ? .refresh(producer: producer) : .done(nil)
    case .idle:
      break
    }
    let availability = availability(of: number)
    switch availability.group {
    case .available:
      if let producer = session.producer { return .claim(producer: producer) }
      let error = SourceError.unavailable(availability)
      return .failed(error, sessions[number]?.tell(.failedToStart(error)))
    case .requiresPermissionsPrompt:
      sessions[number]?.phase = .waiting
      sessions[number]?.asked = interval
      return .done(sessions[number]?.tell(.permissionRequested))
    default:
      let error = SourceError.unavailable(availability)
      return .failed(error, sessions[number]?.tell(.failedToStart(error)))
    }
  }

  /// Makes a claimed session updating and gives its `started` event.
  mutating func becomeUpdating(
    _ number: UInt32, every interval: Int64, floorOf floor: Floor, at now: Instant
  ) -> Delivery? {
    guard !isClosed, let phase = sessions[number]?.phase else { return nil }
    if phase == .updating {
      // Another thread was faster: this start is a restart.
      schedule(number, every: interval, floorOf: floor, at: now.boot)
      return nil
    }
    sessions[number]?.phase = .updating
    sessions[number]?.previous = nil
    schedule(number, every: interval, floorOf: floor, at: now.boot)
    return sessions[number]?.tell(.started)
  }

  /// Sets the interval asked and granted, and a fresh grid from a moment.
  mutating func schedule(
    _ number: UInt32, every interval: Int64, floorOf floor: Floor, at start: Int64
  ) {
    guard let session = sessions[number], let producer = session.producer,
      let state = producers[producer]
    else { return }
    let (least, reason) = floor(state.instance, state.kind)
    sessions[number]?.asked = interval
    sessions[number]?.granted = max(interval, least)
    sessions[number]?.grantReason = interval < least ? reason : ""
    sessions[number]?.grid = Grid(start: start, interval: max(interval, least))
  }

  mutating func stop(_ number: UInt32) -> Delivery? {
    guard let phase = sessions[number]?.phase, phase != .idle else { return nil }
    // What was gathered and not delivered dies with the run.
    if sessions[number]?.takePendingUpdate() != nil { sessions[number]?.dropped += 1 }
    sessions[number]?.endRun()
    return phase == .updating ? sessions[number]?.tell(.stopped(nil)) : nil
  }

  fileprivate mutating func planUpdate(_ number: UInt32) -> UpdatePlan? {
    guard !isClosed, let session = sessions[number] else { return nil }
    let availability = availability(of: number)
    switch availability.group {
    case .requiresPermissionsPrompt, .permissionDenied, .restricted: return .absent(availability)
    case .available, .unavailable: break
    }
    guard let producer = session.producer, producers[producer]?.isPresent == true,
      [.available, .searching, .noHardware].contains(availability.state)
    else { return .absent(availability) }
    return .read(producer: producer)
  }

  /// After an `updateValues` the caller sees what was read, listeners or not.
  mutating func showLatest(of number: UInt32) {
    if let latest = sessions[number]?.latest { sessions[number]?.values = latest }
  }

  /// Forgets a session; the box of an instance nobody has a session on any more.
  mutating func remove(_ number: UInt32) -> ReaderBox? {
    guard let session = sessions.removeValue(forKey: number), let producer = session.producer else {
      return nil
    }
    producers[producer]?.sessions.removeAll { $0 == number }
    return producers[producer]?.sessions.isEmpty == true ? producers[producer]?.box : nil
  }

  /// What claiming an instance takes: for an aggregate, its members too.
  func claimPlan(
    of producer: Int
  ) -> (box: ReaderBox, kind: any SourceKind, instance: Instance, members: [Instance])? {
    guard let state = producers[producer], !isClosed else { return nil }
    let members = kinds[state.kindIndex].discovery?.instances.filter(\.isMember) ?? []
    return (state.box, state.kind, state.instance, state.instance.isAggregate ? members : [])
  }
}
