import Glibc

/// The buffer of one device and the streams that share it; a thread of its own while there are any.
final class SharedBuffer: Sendable {
  struct State {
    /// How many have been promised the buffer and have not joined yet.
    var expected = 0
    var consumers: [ScanConsumer] = []
    /// Those who have been served, and so hear of an end.
    var served: Set<ObjectIdentifier> = []
    /// Counts the plans; the thread works on the one it has seen.
    var wanted: UInt64 = 0
    var opened: UInt64 = 0
    /// The plan that is open.
    var plan: ScanCapture.Plan?
    var interval: Int64 = 0
    var failure: (number: UInt64, error: SystemError)?
    var isRunning = false
    var thread: UInt = 0
    var isAbandoned = false
    var canceller: BufferCanceller?
    /// When a refill began that has not ended, on CLOCK_BOOTTIME.
    var refillStart: Int64?

    /// What all consumers together want.
    var union: ScanCapture.Plan? {
      guard var plan = consumers.first?.plan else { return nil }
      for other in consumers.dropFirst() {
        plan.channels.formUnion(other.plan.channels)
        plan.interval = min(plan.interval, other.plan.interval)
      }
      return plan
    }
  }

  let state = Monitor(State())
  let wake: WakeDescriptor

  init() throws(SystemError) {
    wake = try WakeDescriptor()
  }

  /// The time between two scans; 0 if unknown.
  var interval: Int64 { state.withLock { $0.interval } }

  /// Whether the thread hangs and has been given up.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Whether nobody uses the buffer or is about to.
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
      if state.plan?.covers(consumer.plan) == true {
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
    state.withLock { state in
      state.served.remove(ObjectIdentifier(consumer))
      let before = state.consumers.count
      state.consumers.removeAll { $0 === consumer }
      if state.consumers.isEmpty, before > 0 {
        state.plan = nil
        interrupt(state)
      }
    }
  }

  /// Waits until the thread has ended, and with it everything is put back.
  func waitForEnd(until moment: Int64) {
    _ = state.wait(until: moment) { state -> Bool? in
      state.isRunning && !state.isAbandoned && state.thread != CurrentThread.identity ? nil : true
    }
  }

  private func wait(for number: UInt64, _ consumer: ScanConsumer) throws(SystemError) {
    let limit = Monitor<Void>.moment(after: 3_000_000_000)
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
    try WorkerThread(named: "gkit-iio") { [self] in run() }.detach()
    if plan.isRemote { try WorkerThread(named: "gkit-iio-watch") { [self] in watch() }.detach() }
  }

  /// Makes the thread look at what is wanted.
  private func interrupt(_ state: State) {
    wake.signal()
    state.canceller?.cancel()
  }
}
