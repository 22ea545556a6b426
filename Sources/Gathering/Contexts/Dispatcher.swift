import Ground

/// Runs the callbacks of one context: one at a time, in order, never under a lock (sources 14).
///
/// There are two queues. Items caused by a call (`cause`) are delivered before that call returns,
/// on its thread, in turn with other callbacks, and before any other queued item; items found by
/// the gathering thread (`post`) wait for the loop. The *turn* is held by one thread at a time.
final class Dispatcher: Sendable {
  /// A piece of delivery. It reaches host code only through `perform`.
  typealias Job = @Sendable (Dispatcher) -> Void

  struct State {
    var owner: UInt?
    var caused = JobQueue()
    var queued = JobQueue()
    var isDraining = false
    /// An action of a replay's clock runs: items it queues wait for its end.
    var isMoving = false
    /// While the clock is moved by hand, only the thread that moves it delivers.
    var seeker: UInt?
    var dispatching: UInt?
    var loopThread: UInt?
    /// In host mode, the thread that counts as the loop's until one dispatches.
    let opener: UInt?
    var isClosed = false
    /// Whether `close` has done all it does.
    var isOver = false
    /// The callbacks that run, each inside the one before it.
    var running: [ObjectIdentifier] = []
    var callbacks: UInt64 = 0
  }

  let state: Monitor<State>
  /// Readable while something waits for the loop: host mode's descriptor.
  let wake: WakeDescriptor?
  /// In a fork's child other threads' turns never end.
  private let fork = ForkGuard()
  private let startThread: Monitor<(@Sendable () -> Bool)?>

  /// A dispatcher for host mode (with a descriptor) or for a delivery thread.
  init(hostMode: Bool) throws(SystemError) {
    state = Monitor(State(opener: hostMode ? CurrentThread.identity : nil))
    wake = hostMode ? try WakeDescriptor() : nil
    startThread = Monitor(nil)
  }

  /// Whether this is a child of the process it was made in.
  var isForked: Bool { fork.isForked }

  /// Makes the delivery thread when the first job for it arrives. If `start` returns false no
  /// thread could be made, and the next job calls it again.
  func onFirstJob(_ start: @escaping @Sendable () -> Bool) {
    startThread.withLock { $0 = start }
  }

  // MARK: Queueing

  /// Queues a job for the loop.
  func post(_ job: @escaping Job) {
    let mustWake = state.withLock { state in
      if state.isClosed { return false }
      let wasEmpty = state.queued.append(job)
      return wasEmpty || (wake == nil && state.loopThread == nil)
    }
    if mustWake { wakeLoop() }
  }

  /// Queues a job that a call causes; the call then settles it. After `close` the job is dropped.
  func cause(_ job: @escaping Job) -> UInt64 {
    state.withLock { state in
      if !state.isClosed { state.caused.append(job) }
      return state.caused.appended
    }
  }

  /// The number of the last caused job so far, for `settle`.
  var lastCaused: UInt64 { state.withLock { $0.caused.appended } }

  /// Delivers the caused items up to a number before it returns: on this thread, or by waiting for
  /// the thread that has the turn.
  ///
  /// Inside a callback it returns at once: the caused items follow the callback (sources T5).
  func settle(through number: UInt64) {
    let here = CurrentThread.identity
    let mayWait = !CallbackDepth.isInside
    enum Step { case done, take, leave }
    let step: Step =
      state.wait { state in
        if state.caused.completed >= number { return .done }
        if state.owner == here { return .leave }
        if state.owner == nil {
          state.owner = here
          return .take
        }
        return mayWait ? nil : .leave
      } ?? .leave
    if step == .take {
      drainCaused()
      giveTurn()
    }
  }

  /// Counts callbacks that ran within another one, for the result of a dispatch.
  func count(_ callbacks: UInt64) {
    state.withLock { $0.callbacks &+= callbacks }
  }

  // MARK: Delivering

  /// Takes the turn, delivers all that waits at this moment, and returns how many callbacks ran.
  ///
  /// Waits for another thread's turn to end; inside a callback of another context it throws `busy`
  /// instead, as the other thread may wait for that one.
  func deliverQueued() throws(SourceError) -> UInt64 {
    switch takeTurn() {
    case .held: return 0
    case .refused:
      throw .unavailable(
        Availability(.busy, detail: "another thread runs callbacks of the context"))
    case .taken: break
    }
    let start = state.withLock { ($0.callbacks, $0.queued.appended) }
    drainCaused()
    while let job = state.withLock({ state in
      state.queued.taken < start.1 ? state.queued.pop() : nil
    }) {
      job(self)
      state.withLock { $0.queued.complete() }
      drainCaused()
    }
    let end = state.withLock { $0.callbacks }
    giveTurn()
    settleDescriptor()
    return end &- start.0
  }

  /// Runs one callback of the host in turn, unless `mayRun` returns that its listener has ended;
  /// the items it causes follow at once.
  func perform(
    for listener: Listener, while mayRun: () -> Bool, _ callback: () -> Void
  ) {
    run(listener, while: { listener.isConnected && mayRun() }, callback) {
      // Objects of a listener are released in turn: that, too, must not wait for callbacks.
      let hasEnded = !listener.isConnected
      if hasEnded { listener.finish() }
      return hasEnded
    }
  }

  /// Runs one callback in turn if `mayRun` still returns true, and then `after`, which returns
  /// whether it may have caused something; caused items follow the outermost callback.
  func run(
    _ listener: Listener, while mayRun: () -> Bool, _ callback: () -> Void,
    after: () -> Bool = { false }
  ) {
    let id = ObjectIdentifier(listener)
    let runs = state.withLock { state in
      guard mayRun() else { return false }
      state.running.append(id)
      if listener.isHost { state.callbacks += 1 }
      return true
    }
    guard runs else { return }
    CallbackDepth.enter()
    callback()
    let (isOutermost, hasCaused) = state.withLock { state in
      _ = state.running.popLast()
      return (state.running.isEmpty, !state.caused.isEmpty)
    }
    let mayHaveCaused = after()
    CallbackDepth.leave()
    state.signalAll()
    if isOutermost && (hasCaused || mayHaveCaused) { drainCaused() }
  }

  /// Ends a listener: it receives nothing more. Waits for a running call of it (unless this thread
  /// is inside a callback, sources T6), and releases its objects.
  func end(_ listener: Listener) {
    if fork.isForked { return }
    _ = listener.disconnect()
    // A call that is still running releases them when it returns.
    if awaitEnd(ofCallsTo: [listener]) { listener.finish() }
  }

  /// Whether the calling thread is inside a callback of this context, or releases one.
  var isCurrent: Bool {
    if fork.isForked { return false }
    let here = CurrentThread.identity
    return state.withLock { $0.owner == here }
  }

  /// Delivers caused jobs in order; jobs caused by one of them are queued.
  private func drainCaused() {
    let isMine = state.withLock { state in
      if state.isDraining || state.caused.isEmpty { return false }
      state.isDraining = true
      return true
    }
    guard isMine else { return }
    while let job = state.withLock({ state in
      let job = state.caused.pop()
      if job == nil { state.isDraining = false }
      return job
    }) {
      job(self)
      state.withLock { $0.caused.complete() }
      state.signalAll()
    }
  }

  /// Waits for the loop's turn, unless this thread is inside a callback of another context. While
  /// the clock is moved by hand, it belongs to the thread that moves it.
  private func takeTurn() -> Turn {
    let here = CurrentThread.identity
    let mayWait = !CallbackDepth.isInside
    return state.wait { state in
      if state.owner == here { return .held }
      guard state.owner == nil, state.isOpen(to: here) else { return mayWait ? nil : .refused }
      state.owner = here
      return .taken
    } ?? .refused
  }

  func giveTurn() {
    // Items caused between the last check and now must not wait for the next job.
    while true {
      let isDone = state.withLock { state in
        guard state.caused.isEmpty else { return false }
        state.owner = nil
        return true
      }
      if isDone { break }
      drainCaused()
    }
    state.signalAll()
  }

  private func wakeLoop() {
    if let wake {
      wake.signal()
      return state.signalAll()
    }
    let start = startThread.withLock { start in
      defer { start = nil }
      return start
    }
    if let start, !start() { startThread.withLock { $0 = start } }
    state.signalAll()
  }

  private func settleDescriptor() {
    guard let wake else { return }
    wake.drain()
    if state.withLock({ !$0.queued.isEmpty }) { wake.signal() }
  }
}
