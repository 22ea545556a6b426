import Ground

extension Context {
  /// Takes one reading outside the schedule and notifies the listeners before it returns; throws if
  /// none can be taken (sources L8).
  ///
  /// `isSparing`: what cannot change is read only where that is still to be done.
  @_optimize(speed)
  func updateValues(
    _ session: SessionState, within limit: Int64, sparing isSparing: Bool = false
  ) throws(SourceError) {
    try check()
    var request = ReadRequest(scope: .everything, allow: .none)
    var deadline = Int64.min
    let instance = core.withLock {
      $0.planDirect(session, within: limit, sparing: isSparing, &request, before: &deadline)
    }
    if let instance, read(instance, request, for: session, before: deadline) { return }
    try updateCarefully(session, at: clock.boot, within: limit, sparing: isSparing)
  }

  /// Reads an instance that does not have to be looked for before a boot time, and delivers on this
  /// thread; false if that has come, or if it has to be claimed first.
  @_optimize(speed)
  private func read(
    _ instance: ProducerState, _ request: ReadRequest, for session: SessionState,
    before deadline: Int64
  ) -> Bool {
    var publication = Publication.none
    let isRead = instance.box.read(request, clock: clock, before: deadline) { reading in
      publication = core.withLock {
        $0.publish(
          reading, of: instance, scope: request.scope, to: session, by: dispatcher)
      }
    }
    switch publication {
    case .none: break
    case .caused(let delivery): dispatcher.settle(through: cause(delivery))
    case .taken(let fanOut):
      let last = hand(fanOut, of: session)
      if last > 0 { deliver(session, through: last) }
      dispatcher.giveTurn()
    }
    return isRead
  }

  private func updateCarefully(
    _ session: SessionState, at boot: Int64, within limit: Int64, sparing isSparing: Bool
  ) throws(SourceError) {
    let (number, kind) = (session.number, session.kindIndex)
    guard let asked = core.withLock({ $0.planAsked(session, at: boot) }) else { throw .closed }
    var plan = asked.plan
    // Changes were not reported so far: an absent instance may be present by now.
    var isAbsent = if case .lookFirst = plan { true } else { false }
    if asked.mayLook {
      provider.lookAnew(catalogue[kind])
      let (again, rests) = core.withLock {
        ($0.forgetStreamRefusal(of: number), $0.rests(on: number))
      }
      if let again { tendStream(again) }
      isAbsent = isAbsent || rests
    }
    // An absence found by the last look is kept for a while (sources A4); never where a caller
    // moves the clock.
    if isAbsent, asked.mayLook || asked.isOutdated || virtualLoop != nil {
      refreshList(kind)
      guard let newPlan = core.withLock({ $0.planUpdate(session) }) else { throw .closed }
      plan = newPlan
    }
    let last: SessionDelivery?
    switch plan {
    case .lookFirst, .absent:
      let now = now
      last = core.withLock { $0.enqueueAbsence(of: session, at: now) }
    case .read(let producer):
      last = takeInTime(producer, for: number, within: limit, sparing: isSparing).last
      letGoOfDevice(producer)
    }
    guard let last else { return }
    let job = cause(last)
    core.withLock { _ in session.showLatest(to: CurrentThread.identity) }
    dispatcher.settle(through: job)
  }

  /// After a reading outside a run, frees the device, which other processes may want, and stops
  /// listening to a daemon for an idle source.
  private func letGoOfDevice(_ producer: Int) {
    let box = core.withLock { state -> ReaderBox? in
      guard let known = state.producers[producer] else { return nil }
      return known.sessions.contains { $0.phase == .updating } ? nil : known.box
    }
    if let box, box.holdsDevice { box.release() }
  }

  /// Claims an instance for reading, once for all its sessions, within 2 s (sources L2).
  func claim(_ producer: Int) throws(SourceError) {
    guard let plan = core.withLock({ $0.claimPlan(of: producer) }) else { throw .closed }
    guard let worker = plan.box.worker, !worker.isCurrent else {
      return try claimNow(producer, plan)
    }
    let outcome = Monitor<Result<Void, SourceError>?>(nil)
    let isDone = worker.run(within: 2_000_000_000) { [weak self] in
      guard let self else { return }
      do throws(SourceError) {
        try self.claimNow(producer, plan)
        outcome.withLock { $0 = .success(()) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
    }
    guard isDone else { throw .hanging(plan.instance) }
    try outcome.withLock { $0 }?.get()
  }

  private func claimNow(_ producer: Int, _ plan: ClaimPlan) throws(SourceError) {
    defer {
      let (limit, directness) = (plan.box.streamsBelow, plan.box.directness)
      core.withLock { state in
        state.producers[producer]?.streamsBelow = limit
        state.producers[producer]?.directness = directness
      }
    }
    let provider = provider
    try plan.box.claim { () throws(SourceError) -> sending any InstanceReader in
      let own = try provider.claim(plan.instance, of: plan.kind)
      guard plan.instance.isAggregate else {
        if let own { return own }
        throw .unavailable(
          Availability(
            .failed, detail: "\(plan.instance.name) has no reader",
            remedy: "report it to the authors of the library"))
      }
      var members: [any InstanceReader] = []
      for member in plan.members {
        // A member that cannot be claimed costs its share only.
        if let reader = try? provider.claim(member, of: plan.kind) { members.append(reader) }
      }
      return AggregateReader(plan.kind, own: own, members: members)
    }
  }

  /// Takes a reading and returns the deliveries to the sessions that are due.
  ///
  /// A reader that has to be made again, because an aggregate's members changed, is read
  /// completely. If none can be made, the reading has failed.
  func take(
    _ producer: Int, scope: ReadRequest.Scope, sparing isSparing: Bool = false,
    due: @escaping () -> Due
  ) -> [SessionDelivery] {
    let plan = core.withLock { state in
      state.isClosed ? nil : state.producers[producer].map { ($0.box, state.request(of: $0)) }
    }
    guard let (box, request) = plan else { return [] }
    var deliveries: [SessionDelivery] = []
    let attempt = { (scope: ReadRequest.Scope) in
      var request = request
      request.scope = scope
      request.isSparing = isSparing && scope == .changing
      return box.read(request, clock: self.clock) { reading in
        deliveries = self.core.withLock { state in
          state.absorb(reading, by: producer, scope: scope, due: due())
        }
      }
    }
    if attempt(scope) { return deliveries }
    do {
      try claim(producer)
      if attempt(.everything) { return deliveries }
    } catch {
      return core.withLock { $0.absorb(error, by: producer, due: due(), at: now) }
    }
    return deliveries
  }

  /// Takes a reading and queues the updates for the loop.
  ///
  /// A reader that may block gets a short time; values not read by then follow later (sources L3).
  func refresh(_ producer: Int, scope: ReadRequest.Scope, due: [UInt32]) {
    guard let worker = worker(of: producer) else {
      return refreshNow(producer, scope: scope, due: due)
    }
    let isIn = worker.run(within: Self.patience) { [weak self] in
      self?.refreshNow(producer, scope: scope, due: due)
    }
    if isIn { return }
    let deliveries = core.withLock { state in due.compactMap { state.enqueue($0, at: now) } }
    for delivery in deliveries { post(delivery) }
  }

  private func refreshNow(_ producer: Int, scope: ReadRequest.Scope, due: [UInt32]) {
    for delivery in take(producer, scope: scope, due: { .scheduled(due) }) { post(delivery) }
  }

  /// The thread on which an instance that may block is read.
  func worker(of producer: Int) -> SerialWorker? {
    core.withLock { $0.producers[producer]?.box }?.worker
  }

  /// How long a start waits for the first reading, in nanoseconds.
  private static var patience: Int64 { 100_000_000 }
}

/// Everything needed to claim an instance: for an aggregate, its members too.
typealias ClaimPlan = (
  box: ReaderBox, kind: any SourceKind, instance: Instance, members: [Instance]
)

extension CoreState {
  /// The read request of a producer. The time of an event belongs to the next reading only.
  func request(of producer: ProducerState) -> ReadRequest {
    var request = ReadRequest(scope: .changing, allow: allowance)
    request.interval = producer.shortestInterval
    request.isUpdating = request.interval != nil
    request.isStreaming = producer.isToStream(allowing: allowance)
    if let moment = producer.eventTime {
      // A later reading already includes the event, and times never decrease (sources V12).
      let isNews = producer.newest.isOlder(than: moment)
      request.eventTime = isNews ? moment : nil
      producer.eventTime = nil
    }
    return request
  }
}

extension SourceError {
  /// A claim or a reading that took longer than it may.
  static func hanging(_ instance: Instance) -> SourceError {
    .unavailable(
      Availability(
        .failed, backend: instance.availability.backend,
        detail: "\(instance.name) does not answer", errno: SystemText.timedOut,
        remedy: "look into the kernel's log, or connect it again"))
  }
}

extension Context {
  /// Takes a reading requested by one session. Values not read within the limit keep their old
  /// value; when they are read later, they are stored without an update (sources L8).
  private func takeInTime(
    _ producer: Int, for number: UInt32, within limit: Int64, sparing isSparing: Bool
  ) -> [SessionDelivery] {
    let scope = isSparing ? ReadRequest.Scope.changing : .everything
    awaitFirstReport(of: producer, atMost: limit)
    guard let worker = worker(of: producer) ?? workerOfClaimed(producer) else {
      return take(producer, scope: scope, sparing: isSparing, due: { .asked(number) })
    }
    let answer = Monitor<(deliveries: [SessionDelivery], isLate: Bool)>(([], false))
    let isIn = worker.run(within: limit) { [weak self] in
      guard let self else { return }
      let deliveries = self.take(producer, scope: scope, sparing: isSparing) {
        answer.withLock { $0.isLate } ? .scheduled([]) : .asked(number)
      }
      answer.withLock { $0.deliveries = deliveries }
    }
    if isIn { return answer.withLock { $0.deliveries } }
    answer.withLock { $0.isLate = true }
    return core.withLock { $0.enqueue(number, isAsked: true, at: now) }.map { [$0] } ?? []
  }

  /// Gives a daemon that was just contacted time for its first report.
  private func awaitFirstReport(of producer: Int, atMost limit: Int64) {
    let begin = Monitor<Void>.moment(after: 0)
    guard let box = core.withLock({ $0.producers[producer]?.box }) else { return }
    // A claim that fails is told by the reading.
    if !box.wasClaimed || box.holdsDevice { try? claim(producer) }
    let rest = limit - (Monitor<Void>.moment(after: 0) - begin)
    if rest > 0 { box.listener?.awaitFirstReport(atMost: rest) }
  }

  /// The worker of an instance that was not claimed so far, claiming it.
  private func workerOfClaimed(_ producer: Int) -> SerialWorker? {
    guard core.withLock({ $0.producers[producer]?.box })?.wasClaimed == false else { return nil }
    // A claim that fails is told by the reading.
    try? claim(producer)
    return worker(of: producer)
  }
}
