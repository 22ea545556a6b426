import Ground

extension Context {
  /// Adapts a producer's stream to the requests of its sessions.
  func tendStream(_ producer: Int) {
    switch core.withLock({ $0.planStream(of: producer, at: now.boot) }) {
    case .none: break
    case .close(let old):
      old?.cancel()
      reschedule(producer)
    case .quicken(let stream, let asked):
      guard let worker = worker(of: producer), !worker.isCurrent else {
        return quicken(stream, of: producer, asked: asked)
      }
      _ = worker.run(within: 2_000_000_000) { [weak self] in
        self?.quicken(stream, of: producer, asked: asked)
      }
    case .open(let asked, let number):
      guard let worker = worker(of: producer) else {
        return openStream(of: producer, asked: asked, number: number)
      }
      // A device that hangs holds up its own start only, and that for 2 s (sources L2).
      _ = worker.run(within: 2_000_000_000) { [weak self] in
        self?.openStream(of: producer, asked: asked, number: number)
      }
    }
  }

  private func quicken(_ stream: any SampleStream, of producer: Int, asked: Int64) {
    // Hardware that cannot run faster continues as before, and the granted interval shows it.
    try? stream.quicken(to: asked)
    // What is asked for may have changed meanwhile.
    tendStream(producer)
  }

  private func openStream(of producer: Int, asked: Int64, number: Int) {
    do {
      let stream = try makeStream(of: producer, asked: asked, number: number)
      begin(stream, number: number, asked: asked, of: producer)
    } catch {
      let followUps = core.withLock {
        $0.refuseStream(error, number: number, asked: asked, of: producer, at: now)
      }
      settleDown(followUps)
      readInstead(producer)
      arm(producer)
      tryAgainLater(producer, number: number)
    }
    // What is asked for may have changed meanwhile.
    tendStream(producer)
  }

  /// Tries a stream again, at growing intervals, if it may have failed only because devices
  /// appeared or disappeared, or because another process held the buffer.
  private func tryAgainLater(_ producer: Int, number: Int) {
    guard let delay = core.withLock({ $0.patience(with: producer) }) else { return }
    _ = loop.schedule(at: loop.now + .nanoseconds(delay)) { [weak self] in
      guard let self, self.core.withLock({ $0.forgetRefusal(number, of: producer) }) else { return }
      self.tendStream(producer)
    }
  }

  /// Reads the values that the stream was to deliver and that were not read because it takes long
  /// (sources L3).
  private func readInstead(_ producer: Int) {
    guard worker(of: producer) != nil else { return }
    let readers = core.withLock { $0.takeBackRefresh(of: producer) }
    if !readers.isEmpty { refresh(producer, scope: .everything, due: readers) }
  }

  private func begin(_ stream: any SampleStream, number: Int, asked: Int64, of producer: Int) {
    let begun = core.withLock {
      $0.beginStream(stream, number: number, asked: asked, of: producer, at: now)
    }
    (begun.isWanted ? begun.old : stream)?.cancel()
    for delivery in begun.deliveries { post(delivery) }
    review(producer)
    arm(producer)
    if begun.isBroken {
      // One that breaks whenever it is opened must not be opened without end.
      _ = loop.schedule(at: loop.now + .seconds(1)) { [weak self] in
        self?.reopen(producer, asked: asked, attempt: 0)
      }
    }
  }

  /// Reports the state of a producer to its sessions.
  private func review(_ producer: Int) {
    settleDown(core.withLock { $0.reviewSessions(following: producer, at: now) })
  }

  private func makeStream(
    of producer: Int, asked: Int64, number: Int
  ) throws(SourceError) -> any SampleStream {
    guard let box = core.withLock({ $0.producers[producer]?.box }) else { throw .closed }
    return try box.openStream(
      every: asked, on: loop,
      deliver: { [weak self] block in self?.take(block, number: number, of: producer) },
      ended: { [weak self] error in self?.noteEnd(error, number: number, of: producer) })
  }

  private func take(_ block: SampleBlock, number: Int, of producer: Int) {
    let (deliveries, followUps) = core.withLock { state in
      (
        state.absorb(block, number: number, of: producer, at: now),
        state.note(block.condition, of: producer, at: now)
      )
    }
    for delivery in deliveries { post(delivery) }
    settleDown(followUps)
  }

  /// Sessions that followed a stream are polled from now on.
  private func reschedule(_ producer: Int) {
    let instance = core.withLock { state in
      state.producers[producer].map { ($0.instance, $0.kind) }
    }
    guard let (instance, kind) = instance else { return }
    let floor = provider.floor(of: instance, of: kind)
    core.withLock { state in
      for session in state.producers[producer]?.sessions ?? [] where session.phase == .updating {
        // One that was polled before has its grid.
        let wasPolled =
          session.granted == max(session.asked, floor.interval)
          && session.asked >= state.producers[producer]?.streamsBelow ?? 0
        guard let grid = session.grid, !wasPolled else { continue }
        session.schedule(every: session.asked, above: floor, at: grid.start)
        session.passTicks(until: now.boot)
      }
    }
    arm(producer)
  }

  // MARK: Streams that break

  /// Handles a stream that ended: at the end of its file permanently; otherwise it is reopened at
  /// once, after 1 s and after 2 s (sources L9).
  private func noteEnd(_ error: SourceError?, number: Int, of producer: Int) {
    let asked = core.withLock { $0.endStream(error, number: number, of: producer) }
    // Behind the end of a file there are ticks again.
    if asked != nil && error == nil { arm(producer) }
    guard let asked, error != nil else { return }
    loop.submit { [weak self] in self?.reopen(producer, asked: asked, attempt: 0) }
  }

  private func reopen(_ producer: Int, asked: Int64, attempt: Int) {
    guard let worker = worker(of: producer), !worker.isCurrent else {
      return reopenNow(producer, asked: asked, attempt: attempt)
    }
    worker.submit { [weak self] in
      self?.reopenNow(producer, asked: asked, attempt: attempt)
    }
  }

  /// Polls the sessions that are left of a stream that could not be reopened, and tries it again
  /// later.
  private func readInsteadOfBroken(_ producer: Int, _ error: SourceError) {
    let refused = core.withLock { $0.refuseBroken(error, of: producer, at: now) }
    guard let refused else { return }
    settleDown(refused.followUps)
    reschedule(producer)
    tryAgainLater(producer, number: refused.number)
  }

  private func reopenNow(_ producer: Int, asked: Int64, attempt: Int) {
    guard let number = core.withLock({ $0.numberToReopen(producer, attempt: attempt) }) else {
      return
    }
    do {
      let stream = try makeStream(of: producer, asked: asked, number: number)
      begin(stream, number: number, asked: asked, of: producer)
      tendStream(producer)
    } catch {
      // A removed device is not a failure: discovery decides which it is (sources L10).
      if let kind = core.withLock({ $0.producers[producer]?.kindIndex }) {
        _ = look(at: [kind], isCaused: false)
      }
      let (deliveries, ended) = core.withLock {
        $0.absorbBreak(error, attempts: attempt + 1, of: producer, at: now)
      }
      for delivery in deliveries { post(delivery) }
      for session in ended { afterRun(of: session) }
      let delays: [Int64] = [1_000_000_000, 2_000_000_000]
      guard attempt < delays.count else { return readInsteadOfBroken(producer, error) }
      let due = loop.now + .nanoseconds(delays[attempt])
      _ = loop.schedule(at: due) { [weak self] in
        self?.reopen(producer, asked: asked, attempt: attempt + 1)
      }
    }
  }
}

extension CoreState {
  /// Takes over that a stream ended; the interval to reopen it for, if it is still wanted.
  fileprivate mutating func endStream(
    _ error: SourceError?, number: Int, of producer: Int
  ) -> Int64? {
    guard !isClosed, let state = producers[producer] else { return nil }
    guard case .running(_, number, let asked) = state.stream else {
      if state.streamNumber == number { state.earlyEnd = error == nil }
      return nil
    }
    if error == nil {
      state.finishStream()
    } else {
      state.stream = .broken(asked: asked, attempts: 0)
    }
    return asked
  }

  /// The number of the stream to be opened in place of a broken one, unless that is over.
  fileprivate mutating func numberToReopen(_ producer: Int, attempt: Int) -> Int? {
    guard !isClosed, let state = producers[producer],
      case .broken(_, let attempts) = state.stream, attempts == attempt
    else { return nil }
    state.streamNumber += 1
    state.earlyEnd = nil
    return state.streamNumber
  }

  /// A stream that broke could not be reopened: a failed reading for all it served.
  fileprivate mutating func absorbBreak(
    _ error: SourceError, attempts: Int, of producer: Int, at now: Instant
  ) -> (deliveries: [SessionDelivery], ended: [UInt32]) {
    guard let state = producers[producer], case .broken(let asked, _) = state.stream else {
      return ([], [])
    }
    state.stream = .broken(asked: asked, attempts: attempts)
    state.streamed = []
    let numbers = state.sessions.filter { $0.phase == .updating }.map(\.number)
    let deliveries = absorb(error, by: producer, due: .scheduled(numbers), at: now)
    return (deliveries, numbers.filter { sessions[$0]?.phase == .idle })
  }
}
