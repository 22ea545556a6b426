import Ground

extension Context {
  /// Makes a producer due at the next moment any of its sessions is.
  func arm(_ producer: Int) {
    let former = core.withLock { state -> (any Cancellable)? in
      guard let instance = state.producers[producer] else { return nil }
      state.arm(instance)
      return state.ticks.setTimer(on: loop)
    }
    former?.cancel()
  }

  /// Makes all producers due anew after a jump of the clock, with which their timer has moved.
  func armAll() {
    let former = core.withLock { state in
      for instance in state.producers.values { state.arm(instance) }
      return state.ticks.setTimer(on: loop, isLost: true)
    }
    former?.cancel()
  }

  /// Runs on the loop when producers are due: each is read once at most, and all that comes of it
  /// is queued at once.
  func fire() {
    var posted = PostedSessions()
    let now = now
    var next = core.withLock { state -> Tick? in
      state.ticks.beginFiring()
      return state.takeTick(by: now.boot, at: now, among: &posted, on: loop)
    }
    while let tick = next {
      next = run(tick, by: now.boot, among: &posted)
    }
    dispatcher.post(posted)
  }

  /// Reads an instance that is due, and takes the next one that is due by a moment.
  private func run(_ tick: Tick, by moment: Int64, among posted: inout PostedSessions) -> Tick? {
    let instance = tick.instance
    if let plan = tick.direct {
      var (ended, next): ([UInt32], Tick?) = ([], nil)
      let isRead = instance.box.read(plan.request, clock: clock) { reading in
        next = core.withLock { state in
          state.absorb(reading, of: instance, due: plan.due, among: &posted, ended: &ended)
          return state.takeTick(
            after: instance, by: moment, at: reading.instant, among: &posted, on: loop)
        }
      }
      for number in ended { afterRun(of: number) }
      if isRead { return next }
    }
    // One that may block, or whose reader has to be made anew.
    let deliveries =
      tick.direct.map { read(instance.number, due: $0.due.map(\.number)) }
      ?? tickCarefully(instance.number)
    let now = now
    return core.withLock { state in
      for delivery in deliveries { state.post(delivery, among: &posted) }
      return state.takeTick(after: instance, by: moment, at: now, among: &posted, on: loop)
    }
  }

  /// Reads an instance directly for the sessions due; false if its reader has to be made anew.
  private func read(_ plan: DirectReading, of instance: ProducerState) -> Bool {
    var (posted, ended): (PostedSessions, [UInt32]) = (PostedSessions(), [])
    let isRead = instance.box.read(plan.request, clock: clock) { reading in
      core.withLock {
        $0.absorb(reading, of: instance, due: plan.due, among: &posted, ended: &ended)
      }
    }
    dispatcher.post(posted)
    for number in ended { afterRun(of: number) }
    return isRead
  }

  /// A tick of an instance that may block, or has to be claimed first.
  private func tickCarefully(_ producer: Int) -> [SessionDelivery] {
    let worker = worker(of: producer)
    let isBusy = worker?.busyTime != nil
    let now = now
    let (due, repeated) = core.withLock { state -> ([UInt32]?, [SessionDelivery]) in
      guard let instance = state.producers[producer] else { return (nil, []) }
      switch state.planTick(of: instance, at: now, isBusy: isBusy) {
      case .none: return (nil, [])
      case .read(let due): return (due.map(\.number), [])
      case .repeatLast(let due):
        return (nil, due.compactMap { $0.enqueue(instance, isAsked: false, at: now) })
      }
    }
    guard let due else { return repeated }
    guard let worker else { return read(producer, due: due) }
    readSlowly(producer, on: worker, due: due)
    return []
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
        return due.compactMap { state.enqueue($0, at: now) }
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
      let found = core.withLock { state in
        state.producers[producer].flatMap { instance in
          state.planEvent(of: instance, at: clock.now.boot).map { (instance, $0) }
        }
      }
      guard let (instance, plan) = found else {
        noteEvent([producer])
        continue
      }
      if read(plan, of: instance) { continue }
      let due = plan.due.map(\.number)
      loop.submit { [self] in post(read(producer, due: due)) }
    }
  }
}
