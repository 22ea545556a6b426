import Glibc
import Ground

/// The buffer of one device and the streams that share it; a thread of its own while there are any.
final class SharedBuffer: Sendable {
  struct State {
    /// How many have been promised the buffer and have not joined yet.
    var expected = 0
    var consumers: [ScanConsumer] = []
    /// Consumers whose opening succeeded, which therefore receive the end.
    var served: Set<ObjectIdentifier> = []
    /// Consumers that have received scans, which may therefore lose some.
    var begun: Set<ObjectIdentifier> = []
    /// Shorter intervals that streams request now, in part not yet covered by an opened plan.
    var wishes: [ObjectIdentifier: Int64] = [:]
    var newWishes: Set<ObjectIdentifier> = []
    /// Counts the plans; the thread works on the one it has seen.
    var wanted: UInt64 = 0
    var opened: UInt64 = 0
    /// The plan that is open.
    var plan: ScanCapture.Plan?
    var interval: Int64 = 0
    var rates = RateTable.silent
    var failure: (number: UInt64, error: SystemError)?
    var isRunning = false
    var thread: UInt = 0
    var isAbandoned = false
    var canceller: BufferCanceller?
    /// When a refill began that has not ended, on CLOCK_BOOTTIME.
    var refillStart: Int64?

    /// The union of the requests of all consumers.
    var union: ScanCapture.Plan? {
      guard var plan = consumers.first.map(plan(of:)) else { return nil }
      for other in consumers.dropFirst().map(plan(of:)) {
        plan.channels.formUnion(other.channels)
        plan.interval = min(plan.interval, other.interval)
      }
      return plan
    }

    /// The present request of one consumer.
    func plan(of consumer: ScanConsumer) -> ScanCapture.Plan {
      var plan = consumer.plan
      plan.interval = wishes[ObjectIdentifier(consumer)] ?? plan.interval
      return plan
    }

    /// Forgets consumers that are there no more.
    mutating func forget(where isMeant: (ScanConsumer) -> Bool) -> [ScanConsumer] {
      let gone = consumers.filter(isMeant)
      consumers.removeAll(where: isMeant)
      for id in gone.map(ObjectIdentifier.init) {
        served.remove(id)
        begun.remove(id)
        wishes[id] = nil
        newWishes.remove(id)
      }
      return gone
    }
  }

  /// How long a stream waits until the buffer serves it, in nanoseconds.
  static let patience: Int64 = 3_000_000_000

  let state = Monitor(State())
  let wake: WakeDescriptor

  init() throws(SystemError) {
    wake = try WakeDescriptor()
  }

  /// The time between two scans; 0 if unknown.
  var interval: Int64 { state.withLock { $0.interval } }

  /// The interval granted for a requested one, independent of other readers of the buffer.
  func granted(for asked: Int64) -> Int64 { state.withLock { $0.rates.granted(for: asked) } }

  /// Whether the thread hangs and has been given up.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Whether the buffer is unused, and no stream is about to join.
  var isIdle: Bool { state.withLock { !$0.isRunning && $0.expected == 0 } }

  /// The same buffer, which stays until one more has joined.
  func expectingOne() -> SharedBuffer {
    state.withLock { $0.expected += 1 }
    return self
  }

  /// Adds a stream that was expected and waits until the buffer serves it.
  func join(_ consumer: ScanConsumer) throws(SystemError) -> SharedScanStream {
    let number = try state.withLock { state throws(SystemError) -> UInt64 in
      state.expected -= 1
      // The buffer's thread cannot wait for itself.
      if state.isRunning, state.thread == CurrentThread.identity {
        throw SystemError(EDEADLK, at: consumer.plan.device)
      }
      if !state.isRunning { try start(consumer.plan) }
      state.isRunning = true
      state.consumers.append(consumer)
      if state.plan?.covers(consumer.plan, at: state.rates) == true {
        state.served.insert(ObjectIdentifier(consumer))
        return 0
      }
      state.wanted += 1
      interrupt(state)
      return state.wanted
    }
    state.signalAll()
    if number > 0 { try wait(for: number, consumer) }
    return SharedScanStream(buffer: self, consumer: consumer)
  }

  /// Takes a stream away. Does not wait for a delivery that runs.
  func leave(_ consumer: ScanConsumer) {
    let gone = state.withLock { state in
      let gone = state.forget { $0 === consumer }
      if state.consumers.isEmpty, !gone.isEmpty {
        // A plan is plain.
        state.plan = nil
        interrupt(state)
      }
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// Has the buffer run faster for a stream, and waits until it does.
  func quicken(_ consumer: ScanConsumer, to interval: Int64) throws(SystemError) {
    let number = try state.withLock { state throws(SystemError) -> UInt64 in
      // The buffer's thread cannot wait for itself.
      if state.isRunning, state.thread == CurrentThread.identity {
        throw SystemError(EDEADLK, at: consumer.plan.device)
      }
      let id = ObjectIdentifier(consumer)
      guard state.served.contains(id), interval < state.plan(of: consumer).interval else {
        return 0
      }
      state.wishes[id] = max(interval, 1)
      if state.plan?.covers(state.plan(of: consumer), at: state.rates) == true { return 0 }
      state.newWishes.insert(id)
      state.wanted += 1
      interrupt(state)
      return state.wanted
    }
    guard number > 0 else { return }
    let limit = Monitor<Void>.moment(after: 3_000_000_000)
    let outcome = state.wait(until: limit) { state -> Result<Void, SystemError>? in
      if let failure = state.failure, failure.number >= number { return .failure(failure.error) }
      return state.opened >= number ? .success(()) : nil
    }
    guard let outcome else { throw SystemError(ETIMEDOUT, at: consumer.plan.device) }
    try outcome.get()
  }

  /// Waits until the thread has ended, and with it everything is put back.
  func waitForEnd(until moment: Int64) {
    _ = state.wait(until: moment) { state -> Bool? in
      state.isRunning && !state.isAbandoned && state.thread != CurrentThread.identity ? nil : true
    }
  }

  private func wait(for number: UInt64, _ consumer: ScanConsumer) throws(SystemError) {
    let limit = Monitor<Void>.moment(after: Self.patience)
    let outcome = state.wait(until: limit) { state -> Result<Void, SystemError>? in
      if state.served.contains(ObjectIdentifier(consumer)) { return .success(()) }
      if let failure = state.failure, failure.number >= number { return .failure(failure.error) }
      return nil
    }
    guard let outcome else {
      leave(consumer)
      throw SystemError(ETIMEDOUT, at: consumer.plan.device)
    }
    try outcome.get()
  }

  private func start(_ plan: ScanCapture.Plan) throws(SystemError) {
    let thread = BufferThread(of: self)
    try WorkerThread(named: "gkit-iio") { thread.run() }.detach()
    if plan.isRemote { try WorkerThread(named: "gkit-iio-watch") { thread.watch() }.detach() }
  }

  /// Wakes the thread to check the requests.
  private func interrupt(_ state: State) {
    wake.signal()
    state.canceller?.cancel()
  }
}
