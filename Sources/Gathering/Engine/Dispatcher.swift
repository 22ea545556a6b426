import Ground
import Synchronization

/// Delivers what waits of sessions, in turn.
protocol SessionDeliverer: AnyObject, Sendable {
  /// Delivers what waits of a session up to a number.
  func deliver(_ session: SessionState, through serial: UInt64)
  /// Delivers all that waits of a session.
  func deliverAll(_ session: SessionState)
}

/// Runs the callbacks of one context: one at a time, in order, never under a lock (sources 14).
///
/// There are two queues. Items caused by a call (`cause`) are delivered before that call returns,
/// on its thread, in turn with other callbacks, and before any other queued item; items found by
/// the gathering thread (`post`) wait for the loop. One thread at a time has the turn (`Turn`), and
/// only that one takes jobs.
final class Dispatcher: Sendable {
  struct State {
    var caused = JobQueue()
    var queued = JobQueue()
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
  }

  let state: Monitor<State>
  let turn = Turn()
  /// Whether a caused job may wait.
  let hasCaused = Atomic<Bool>(false)
  /// How many callbacks of the host ran; counted by the thread that has the turn.
  private let callbacks = Atomic<UInt64>(0)
  /// Whether the thread that has the turn takes caused jobs already.
  private let isDraining = Atomic<Bool>(false)
  /// Lists that deliveries may still use.
  private let retired = RetiredLists()
  /// Readable while something waits for the loop: host mode's descriptor.
  let wake: WakeDescriptor?
  /// In a fork's child other threads' turns never end.
  private let fork = ForkGuard()
  /// Where the delivery thread sleeps, to gather what is due itself; nil where it only waits for
  /// jobs.
  let partner: LoopPartner?
  /// Whether it sleeps there, or is about to. Set under the lock, while nothing waits for it.
  let isNapping = Atomic<Bool>(false)
  private let startThread: Monitor<(@Sendable () -> Bool)?>
  private let deliverer = Lock(Reference())

  /// The context, which the dispatcher does not keep.
  private struct Reference: Sendable {
    weak var object: (any SessionDeliverer)?
  }

  /// A dispatcher for host mode (with a descriptor) or for a delivery thread, which is a loop's
  /// partner where it has one.
  init(hostMode: Bool, partner: LoopPartner? = nil) throws(SystemError) {
    state = Monitor(State(opener: hostMode ? CurrentThread.identity : nil))
    wake = hostMode ? try WakeDescriptor() : nil
    self.partner = partner
    startThread = Monitor(nil)
  }

  /// Whether this is a child of the process it was made in.
  var isForked: Bool { fork.isForked }

  /// Says what delivers sessions.
  func serve(_ object: any SessionDeliverer) {
    deliverer.withLock { $0.object = object }
  }

  /// Makes the delivery thread when the first job for it arrives. If `start` returns false no
  /// thread could be made, and the next job calls it again.
  func onFirstJob(_ start: @escaping @Sendable () -> Bool) {
    startThread.withLock { $0 = start }
  }

  // MARK: Queueing

  /// Queues a job for the loop.
  func post(_ job: Job) { post { $0.append(job) } }

  /// Queues the delivery of sessions for the loop, which is woken once.
  func post(_ sessions: PostedSessions) {
    if sessions.isEmpty { return }
    post { jobs in sessions.forEach { jobs.append(.deliverAll($0)) } }
  }

  /// Queues jobs for the loop, one at least.
  @inline(__always)
  private func post(_ append: (inout JobQueue) -> Void) {
    let (mustWake, wasNapping) = state.withLock { state in
      if state.isClosed { return (false, false) }
      let wasEmpty = state.queued.isEmpty
      append(&state.queued)
      let wasNapping = isNapping.exchange(false, ordering: .relaxed)
      return (wasEmpty || (wake == nil && state.loopThread == nil), wasNapping)
    }
    if wasNapping { partner?.wake() }
    if mustWake { wakeLoop() }
  }

  /// Queues a job that a call causes; the call then settles it. After `close` the job is dropped.
  func cause(_ job: Job) -> UInt64 {
    let number = state.withLock { state in
      if !state.isClosed { state.caused.append(job) }
      return state.caused.appended
    }
    hasCaused.store(true, ordering: .sequentiallyConsistent)
    return number
  }

  /// Delivers the caused items up to a number before it returns: on this thread, or by waiting for
  /// the thread that has the turn.
  ///
  /// Inside a callback it returns at once: the caused items follow the callback (sources T5).
  func settle(through number: UInt64) {
    while true {
      switch turn.tryTake() {
      case .held: return
      case .taken:
        drainCaused()
        return giveTurn()
      case .refused:
        if CallbackDepth.isInside { return }
        let isDone = state.wait { state -> Bool? in
          if state.caused.completed >= number { return true }
          return turn.announceWait() ? nil : false
        }
        if isDone != false { return }
      }
    }
  }

  /// Counts callbacks, for the result of a dispatch. For the thread that has the turn.
  func count(_ number: UInt64) {
    callbacks.store(callbacks.load(ordering: .relaxed) &+ number, ordering: .relaxed)
  }

  // MARK: Delivering

  /// Takes the turn, delivers all that waits at this moment, and returns how many callbacks ran.
  ///
  /// Waits for another thread's turn to end; inside a callback of another context it throws `busy`
  /// instead, as the other thread may wait for that one.
  func deliverQueued() throws(SourceError) -> UInt64 {
    switch takeTurnOfLoop() {
    case .held: return 0
    case .refused:
      throw .unavailable(
        Availability(.busy, detail: "another thread runs callbacks of the context"))
    case .taken: break
    }
    let before = callbacks.load(ordering: .relaxed)
    let isQuiet = !hasCaused.load(ordering: .sequentiallyConsistent)
    let last: UInt64
    var next: Job?
    (last, next) = state.withLock { ($0.queued.appended, isQuiet ? $0.queued.pop() : nil) }
    if !isQuiet {
      drainCaused()
      next = state.withLock { $0.queued.pop(before: last) }
    }
    while let job = next {
      run(job)
      next = finish(before: last)
    }
    let count = callbacks.load(ordering: .relaxed) &- before
    giveTurn()
    settleDescriptor()
    return count
  }

  /// Completes a job of the loop, delivers what was caused meanwhile, and takes the next job, if it
  /// is one of the first so many. For the thread that has the turn.
  private func finish(before last: UInt64) -> Job? {
    let isQuiet = !hasCaused.load(ordering: .sequentiallyConsistent)
    let next = state.withLock { state in
      state.queued.complete()
      return isQuiet ? state.queued.pop(before: last) : nil
    }
    state.signalAll()
    if isQuiet { return next }
    drainCaused()
    return state.withLock { $0.queued.pop(before: last) }
  }

  private func run(_ job: Job) {
    switch job {
    case .run(let body): body(self)
    case .deliver(let session, let number):
      // A weak reference that becomes the last one goes outside the lock.
      deliverer.withLock { $0.object }?.deliver(session, through: number)
    case .deliverAll(let session): deliverer.withLock { $0.object }?.deliverAll(session)
    }
  }

  /// Delivers caused jobs in order; jobs caused by one of them are queued. For the thread that has
  /// the turn.
  func drainCaused() {
    guard hasCaused.load(ordering: .sequentiallyConsistent),
      !isDraining.exchange(true, ordering: .relaxed)
    else { return }
    while true {
      hasCaused.store(false, ordering: .sequentiallyConsistent)
      while let job = state.withLock({ $0.caused.pop() }) {
        run(job)
        state.withLock { $0.caused.complete() }
        state.signalAll()
      }
      if !hasCaused.load(ordering: .sequentiallyConsistent) { break }
    }
    isDraining.store(false, ordering: .relaxed)
  }

  /// Waits for the loop's turn, unless this thread is inside a callback of another context. While
  /// the clock is moved by hand, it belongs to the thread that moves it.
  private func takeTurnOfLoop() -> Turn.Grant {
    let here = CurrentThread.identity
    let mayWait = !CallbackDepth.isInside
    while true {
      let grant = turn.tryTake()
      if grant == .held { return .held }
      if grant == .taken {
        if state.withLock({ $0.isOpen(to: here) }) { return .taken }
        giveTurn()
      }
      guard mayWait else { return .refused }
      _ = state.wait { state -> Bool? in
        if !state.isOpen(to: here) { return nil }
        return turn.announceWait() ? nil : true
      }
    }
  }

  func giveTurn() {
    while true {
      retired.sweep()
      if turn.give() { wakeWaiting() }
      // Items caused between the last look and now must not wait for the next job.
      guard hasCaused.load(ordering: .sequentiallyConsistent) || !retired.isEmpty,
        turn.tryTake() == .taken
      else { return }
      drainCaused()
    }
  }

  /// Keeps a replaced list until no delivery uses it any more: deliveries count no references. The
  /// caller has seen to it that a delivery that begins from now on does not find it.
  func retire(_ list: ListenerList) {
    if turn.isFree { return }
    retired.add(list)
    // The thread that has the turn sees it when it gives the turn back, if it has not done so yet.
    if turn.isFree { retired.remove(list) }
  }

  /// Wakes threads that wait for something that does not change under the lock: they have either
  /// seen it, or sleep by the time they are woken.
  func wakeWaiting() {
    state.withLock { _ in }
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
