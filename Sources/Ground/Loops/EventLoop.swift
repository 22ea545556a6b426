import CLinux
import Glibc
import Synchronization

/// The loop of a live context: one thread, asleep until a timer, a job or a descriptor is due.
///
/// The thread keeps the loop alive until `stop()`. In a forked child the loop does nothing.
public final class EventLoop: Loop {
  /// CLOCK_BOOTTIME and CLOCK_REALTIME of this computer.
  public let clock: any TimeSource = LiveTime()

  private let poller: Poller
  private let state = Monitor(LoopState())
  private let threadIdentity = Atomic<UInt>(0)
  private let wakeUpCount = Atomic<Int>(0)
  private let fork = ForkGuard()

  /// Starts a loop. Throws EMFILE or EAGAIN when descriptors or threads have run out.
  public init(threadName: String = "gkit-gather") throws(SystemError) {
    poller = try Poller()
    let thread = try WorkerThread(named: threadName) { [self] in run() }
    state.withLock { $0.thread = thread }
  }

  /// The number of wake-ups of the thread, for any reason; constant while nothing is due.
  public var wakeUps: Int { wakeUpCount.load(ordering: .relaxed) }

  /// Whether the calling thread is the loop's.
  public var isCurrent: Bool {
    threadIdentity.load(ordering: .relaxed) == CurrentThread.identity && !fork.isForked
  }

  /// Ends the loop and drops all work that has not begun. Idempotent; any thread.
  ///
  /// Returns when the thread has ended. On the loop's own thread it returns at once, and the thread
  /// ends after the present action.
  public func stop() {
    if fork.isForked { return }
    let (thread, dropped) = state.withLock { state in
      let dropped = state.stop()
      if state.isAsleep { poller.wake() }
      defer { state.thread = nil }
      return (state.thread, dropped)
    }
    // Released here, outside the lock: objects held by actions may call back.
    withExtendedLifetime(dropped) {}
    guard let thread else { return }
    if isCurrent { thread.detach() } else { thread.join() }
  }

  /// Runs `action` on the loop's thread at a moment, never early; at once if it is past.
  public func schedule(
    at moment: Moment, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    if fork.isForked { return Scheduled(loop: self, ticket: .none) }
    let ticket = state.withLock { state -> TimerHeap.Ticket in
      guard !state.isStopped else { return .none }
      let ticket = state.timers.add(at: moment.nanoseconds, action)
      // An awake loop checks its timers before it sleeps anyway.
      if state.isAsleep { rearm(&state) }
      return ticket
    }
    return Scheduled(loop: self, ticket: ticket)
  }

  /// Runs `job` on the loop's thread as soon as possible, in the order submitted.
  public func submit(_ job: @escaping @Sendable () -> Void) {
    if fork.isForked { return }
    let mustWake = state.withLock { state -> Bool in
      guard !state.isStopped else { return false }
      state.jobs.append(LoopAction(job))
      return state.isAsleep && state.jobs.count == 1
    }
    // Outside the lock, which the woken thread takes at once.
    if mustWake { poller.wake() }
  }

  /// Runs `ready` on the loop's thread whenever a descriptor has the epoll events wanted.
  ///
  /// Throws EOPNOTSUPP for a file that cannot be polled, EEXIST for a descriptor watched already
  /// and ECANCELED after `stop()`.
  public func watch(
    descriptor: Int32, events: UInt32, _ ready: @escaping @Sendable (UInt32) -> Void
  ) throws(SystemError) -> any Cancellable {
    let token = try state.withLock { state throws(SystemError) -> UInt64 in
      if state.isStopped { throw SystemError(ECANCELED, at: "event loop") }
      let token = state.nextToken
      try poller.add(descriptor, events: events, token: token)
      state.nextToken += 1
      state.watches[token] = ready
      return token
    }
    return Watch(loop: self, token: token, descriptor: descriptor)
  }

  private func rearm(_ state: inout LoopState) {
    guard state.timers.earliest != state.armed else { return }
    state.armed = state.timers.earliest
    poller.arm(state.armed)
  }

  fileprivate func cancel(_ ticket: TimerHeap.Ticket) {
    if fork.isForked { return }
    // The action is handed out of the lock before it is released.
    _ = state.withLock { state in
      let action = state.timers.remove(ticket)
      if state.isAsleep { rearm(&state) }
      return action
    }
  }

  fileprivate func cancelWatch(_ token: UInt64, of descriptor: Int32) {
    if fork.isForked { return }
    _ = state.withLock { state in
      let ready = state.watches.removeValue(forKey: token)
      if ready != nil { poller.remove(descriptor) }
      return ready
    }
  }
}

// MARK: - The thread

extension EventLoop {
  private func run() {
    threadIdentity.store(CurrentThread.identity, ordering: .relaxed)
    var ready = [clinux_ready](repeating: clinux_ready(), count: 64)
    while let onlyLook = fallAsleep() {
      let count = poller.wait(into: &ready, onlyLook: onlyLook)
      wakeUpCount.wrappingAdd(1, ordering: .relaxed)
      let timerFired = ready[..<count].contains { $0.token == Poller.timerToken }
      let (jobs, limit) = state.withLock { $0.wakeUp(timerFired: timerFired) }
      for job in jobs where !isStopped { job() }
      runTimers(addedBefore: limit)
      runWatches(ready[..<count])
    }
    threadIdentity.store(0, ordering: .relaxed)
  }

  /// Sets the timer; returns whether there is work already, or nil if the loop has been stopped.
  private func fallAsleep() -> Bool? {
    let now = LiveTime.boot
    return state.withLock { state in
      if state.isStopped { return nil }
      if !state.jobs.isEmpty { return true }
      if let earliest = state.timers.earliest, earliest <= now { return true }
      rearm(&state)
      state.isAsleep = true
      return false
    }
  }

  /// Runs all timers that are due. Timers that jobs or timers set for the past wait for the next
  /// round, after the descriptors.
  private func runTimers(addedBefore limit: UInt64) {
    let now = LiveTime.boot
    while let action = state.withLock({ $0.timers.takeDue(by: now, addedBefore: limit) }) {
      action()
    }
  }

  private func runWatches(_ all: ArraySlice<clinux_ready>) {
    for ready in all where ready.token >= Poller.firstFreeToken {
      // Looked up one by one: an earlier action may have cancelled a later one.
      let action = state.withLock { $0.watches[ready.token] }
      action?(ready.events)
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }
}

private struct LoopState {
  var timers = TimerHeap()
  var jobs: [LoopAction] = []
  var watches: [UInt64: @Sendable (UInt32) -> Void] = [:]
  var nextToken = Poller.firstFreeToken
  /// The moment the kernel's timer is set to.
  var armed: Int64?
  /// Whether the thread sleeps or is about to, so that a change has to wake it.
  var isAsleep = false
  var isStopped = false
  var thread: WorkerThread?

  /// Begins a round: returns its jobs and the sequence number below which timers belong to it.
  mutating func wakeUp(timerFired: Bool) -> ([LoopAction], UInt64) {
    isAsleep = false
    // A timer that has fired is no longer armed, whatever the clock shows.
    if timerFired { armed = nil }
    defer { jobs = [] }
    return (jobs, timers.nextSequence)
  }

  /// Marks the loop as stopped. Returns the work that will never run, to be released outside the
  /// lock.
  mutating func stop() -> LoopState {
    let dropped = self
    timers = TimerHeap()
    jobs = []
    watches = [:]
    isStopped = true
    return dropped
  }
}

private struct Scheduled: Cancellable {
  let loop: EventLoop
  let ticket: TimerHeap.Ticket

  func cancel() {
    loop.cancel(ticket)
  }
}

private struct Watch: Cancellable {
  let loop: EventLoop
  let token: UInt64
  let descriptor: Int32

  func cancel() {
    loop.cancelWatch(token, of: descriptor)
  }
}
