import Glibc
import Ground

/// What the thread of a buffer does, and the one that watches it where it may hang.
struct BufferThread: Sendable {
  private let buffer: SharedBuffer
  private let state: Monitor<SharedBuffer.State>
  private let wake: WakeDescriptor

  init(of buffer: SharedBuffer) {
    self.buffer = buffer
    state = buffer.state
    wake = buffer.wake
  }

  /// The body of the thread: opens the requested buffer, serves it, and reopens it when the request
  /// changes.
  func run() {
    state.withLock { $0.thread = CurrentThread.identity }
    var order = ScanOrder()
    var attempts = 0
    while let (number, plan) = next() {
      wake.drain()
      do throws(SystemError) {
        let capture = try ScanCapture.open(plan)
        attempts = 0
        open(number, capture)
        let error = serve(capture, number, &order)
        state.withLock { state in
          // The capture holds its canceller; a plan is a plain value.
          state.canceller = nil
          state.plan = nil
        }
        capture.close()
        if let error { end(with: error) }
      } catch {
        attempts += 1
        if attempts < 10 && mayPass(error, plan) {
          usleep(50_000)
        } else {
          attempts = 0
          fail(number, error)
        }
      }
      order.lose()
    }
    state.signalAll()
  }

  /// Whether a buffer cannot be opened only because its device is just being made, or being left.
  private func mayPass(_ error: SystemError, _ plan: ScanCapture.Plan) -> Bool {
    [ENODEV, ENOENT, ENXIO, EIO, EAGAIN, EBUSY].contains(error.code) && !plan.isRemote
      && absence(of: plan) == nil
  }

  private func next() -> (UInt64, ScanCapture.Plan)? {
    state.withLock { state in
      guard let plan = state.union, !state.isAbandoned else {
        state.isRunning = false
        state.thread = 0
        return nil
      }
      return (state.wanted, plan)
    }
  }

  private func open(_ number: UInt64, _ capture: ScanCapture) {
    state.withLock { state in
      state.opened = number
      state.interval = capture.interval
      state.rates = capture.rates.remembering(state.rates)
      state.plan = state.wanted == number ? capture.plan : nil
      state.canceller = capture.plan.isRemote ? capture.canceller : nil
      for consumer in state.consumers
      where capture.plan.covers(state.plan(of: consumer), at: capture.rates) {
        state.served.insert(ObjectIdentifier(consumer))
        state.newWishes.remove(ObjectIdentifier(consumer))
      }
    }
    state.signalAll()
  }

  /// Handles a failed opening: `join` throws it to new consumers, the others get it as their end.
  private func fail(_ number: UInt64, _ error: SystemError) {
    let (refused, hasWishes) = state.withLock { state in
      let served = state.served
      let refused = state.forget { !served.contains(ObjectIdentifier($0)) }
      // Readers that wanted it faster keep the former rate.
      let unmet = state.newWishes
      // Plain wishes and identities.
      for id in unmet { state.wishes[id] = nil }
      state.newWishes = []
      state.failure = (number, error)
      return (refused, !unmet.isEmpty)
    }
    if refused.isEmpty && !hasWishes { end(with: error) }
    state.signalAll()
  }

  /// Ends all streams, with an error.
  private func end(with error: SystemError) {
    let ended = state.withLock { state in state.forget { _ in true } }
    for consumer in ended { consumer.ended(error) }
  }

  /// Delivers until something else is wanted; the error if it broke.
  private func serve(
    _ capture: ScanCapture, _ number: UInt64, _ order: inout ScanOrder
  ) -> SystemError? {
    let period = max(capture.interval, capture.plan.interval) / 1_000_000
    let patience = Int32(
      clamping: max(1000, period.multipliedReportingOverflow(by: 2).partialValue))
    var delivery = ScanDelivery(capture)
    while isWanted(number) {
      switch capture.wait(or: wake, milliseconds: patience) {
      case .woken: wake.drain()
      case .quiet: if let gone = absence(of: capture.plan) { return gone }
      case .ready:
        do throws(SystemError) {
          let count = try refill(capture)
          if count == 0 { throw SystemError(EIO, at: capture.plan.device) }
        } catch {
          if error.code == EAGAIN || error.code == EINTR { continue }
          return isWanted(number) ? absence(of: capture.plan) ?? error : nil
        }
        for (consumer, block) in delivery.blocks(for: consumers, &order) where holds(consumer) {
          consumer.deliver(begun(consumer, with: block))
        }
        for (consumer, error) in delivery.takeRefused() where holds(consumer) {
          buffer.leave(consumer)
          consumer.ended(error)
        }
      }
    }
    return nil
  }

  /// A block as a consumer receives it: for its first block nothing counts as lost.
  private func begun(_ consumer: ScanConsumer, with block: ScanBlock) -> ScanBlock {
    let isFirst = state.withLock { state in
      state.consumers.contains { $0 === consumer }
        && state.begun.insert(ObjectIdentifier(consumer)).inserted
    }
    var block = block
    if isFirst { block.hasGap = false }
    return block
  }

  private func refill(_ capture: ScanCapture) throws(SystemError) -> Int {
    state.withLock { $0.refillStart = LiveTime.boot }
    defer { state.withLock { $0.refillStart = nil } }
    return try capture.refill()
  }

  private var consumers: [ScanConsumer] { state.withLock { $0.consumers } }

  private func holds(_ consumer: ScanConsumer) -> Bool {
    state.withLock { state in state.consumers.contains { $0 === consumer } }
  }

  private func isWanted(_ number: UInt64) -> Bool {
    state.withLock { $0.wanted == number && !$0.consumers.isEmpty && !$0.isAbandoned }
  }

  /// ENODEV if the device was removed, which can show as any error or as a clean end.
  private func absence(of plan: ScanCapture.Plan) -> SystemError? {
    if plan.isRemote { return nil }
    let folder = "/sys/bus/iio/devices/" + plan.device
    let isThere = (try? RootedFileTree.live.canonicalPath(of: folder)) != nil
    return isThere ? nil : SystemError(ENODEV, at: plan.device)
  }

  /// Watches a thread that reads from afar, which may hang in spite of every time-out.
  func watch() {
    while true {
      let moment = Monitor<Void>.moment(after: 1_000_000_000)
      let isOver = state.wait(until: moment) { state -> Bool? in state.isRunning ? nil : true }
      if isOver == true { return }
      let interval = max(buffer.interval, 0).multipliedReportingOverflow(by: 3).partialValue
      let limit = max(ScanCapture.remoteTimeout, interval) + 2_000_000_000
      let isHopeless = state.withLock { state -> Bool in
        let since = state.refillStart.map { LiveTime.boot - $0 } ?? 0
        if since > limit * 2 { state.isAbandoned = true }
        if since > limit { state.canceller?.cancel() }
        return state.isAbandoned
      }
      if isHopeless {
        end(with: SystemError(ETIMEDOUT, at: "gkit-iio"))
        state.signalAll()
        return
      }
    }
  }
}
