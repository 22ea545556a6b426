import CLinux
import Glibc
import Synchronization

/// The loop of a live context: one thread, asleep until a timer, a job or a descriptor is due.
///
/// A loop with a partner has a second thread: while that one sleeps, it runs the timers that become
/// due. Only one of the two runs work at a time.
///
/// The thread keeps the loop alive until `stop()`. In a forked child the loop does nothing.
public final class EventLoop: Loop {
  /// CLOCK_BOOTTIME and CLOCK_REALTIME of this computer.
  public let clock: any TimeSource = LiveTime()

  private let poller: Poller
  private let partnersPoller: Poller?
  private let state = Monitor(LoopState())
  /// The thread that runs work at present; 0 while none does. Changed under the lock.
  private let runner = Atomic<UInt>(0)
  private let wakeUpCount = Atomic<Int>(0)
  private let fork = ForkGuard()

  /// Starts a loop. Throws EMFILE or EAGAIN when descriptors or threads have run out.
  public init(
    threadName: String = "gkit-gather", hasPartner: Bool = false
  ) throws(SystemError) {
    partnersPoller = hasPartner ? try Poller() : nil
    poller = if let partnersPoller { try Poller(behind: partnersPoller) } else { try Poller() }
    let thread = try WorkerThread(named: threadName) { [self] in run() }
    state.withLock { $0.thread = thread }
  }

  /// The place of its second thread; nil without one.
  public var partner: LoopPartner? { partnersPoller.map { LoopPartner(loop: self, poller: $0) } }

  /// The number of wake-ups of its threads for work; constant while nothing is due.
  public var wakeUps: Int { wakeUpCount.load(ordering: .relaxed) }

  /// Whether the calling thread runs work of the loop.
  public var isCurrent: Bool {
    runner.load(ordering: .relaxed) == CurrentThread.identity && !fork.isForked
  }

  /// Ends the loop and drops all work that has not begun. Idempotent; any thread.
  ///
  /// Returns when its thread has ended and no work runs. Inside work it returns at once, and the
  /// thread ends after that.
  public func stop() {
    if fork.isForked { return }
    let (thread, dropped) = state.withLock { state in
      let dropped = state.stop()
      if state.isAsleep { poller.wake() }
      defer { state.thread = nil }
      return (state.thread, dropped)
    }
    state.signalAll()
    // Released here, outside the lock: objects held by actions may call back.
    withExtendedLifetime(dropped) {}
    if isCurrent {
      thread?.detach()
    } else {
      thread?.join()
      state.wait { _ in runner.load(ordering: .relaxed) == 0 ? () : nil }
    }
  }

  /// Runs `action` on the loop's thread at a moment, never early; at once if it is past.
  public func schedule(
    at moment: Moment, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    if fork.isForked { return Scheduled(loop: self, ticket: .none) }
    let ticket = state.withLock { state -> LoopState.Ticket in
      guard !state.isStopped else { return .none }
      let ticket = state.timers.add(LoopAction(action), at: moment.nanoseconds)
      // An awake thread checks the timers before it sleeps anyway.
      if !state.isAwake { rearm(&state) }
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

  fileprivate func cancel(_ ticket: LoopState.Ticket) {
    if fork.isForked { return }
    // The action is handed out of the lock before it is released.
    _ = state.withLock { state in
      let action = state.timers.remove(ticket)
      if !state.isAwake { rearm(&state) }
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

// MARK: - The threads

extension EventLoop {
  private func run() {
    var ready = [clinux_ready](repeating: clinux_ready(), count: 64)
    while let onlyLook = fallAsleep() {
      let count = poller.wait(into: &ready, onlyLook: onlyLook)
      let isTimer = ready[..<count].contains { $0.token == Poller.timerToken }
      let round = begin(takingJobs: true) { state in
        state.isAsleep = false
        if isTimer { state.armed = nil }
      }
      guard let round else { continue }
      for job in round.jobs where !isStopped { job() }
      runTimers(of: round)
      runWatches(ready[..<count])
    }
  }

  /// Ends a round and sets the timer; returns whether there is work already, or nil if the loop has
  /// been stopped.
  private func fallAsleep() -> Bool? {
    let now = LiveTime.boot
    let onlyLook = state.withLock { state -> Bool? in
      endRound()
      if state.isStopped { return nil }
      if !state.jobs.isEmpty { return true }
      if let earliest = state.timers.earliest, earliest <= now { return true }
      rearm(&state)
      state.isAsleep = true
      return false
    }
    state.signalAll()
    return onlyLook
  }

  /// Runs the timers that have become due, on the partner's thread, which the timer has woken.
  func runTimersAsPartner() {
    let round = begin(takingJobs: false) { state in
      state.isPartnerAwake = true
      state.armed = nil
    }
    guard let round else { return }
    runTimers(of: round)
    state.withLock { state in
      endRound()
      state.isPartnerAwake = false
      // A timer that is due by now wakes the loop's own thread.
      if !state.isStopped { rearm(&state) }
    }
    state.signalAll()
  }

  /// Begins a round of work on the calling thread, once no other thread runs work; nil if the loop
  /// has been stopped. `wake` notes that the thread is awake.
  private func begin(
    takingJobs: Bool, _ wake: (inout LoopState) -> Void
  ) -> LoopState.Round? {
    wakeUpCount.wrappingAdd(1, ordering: .relaxed)
    let here = CurrentThread.identity
    return state.wait { state -> LoopState.Round?? in
      wake(&state)
      if state.isStopped { return .some(nil) }
      guard runner.load(ordering: .relaxed) == 0 else { return nil }
      runner.store(here, ordering: .relaxed)
      return state.beginRound(takingJobs: takingJobs)
    } ?? nil
  }

  /// Lets the other thread run work, if this one did. Called under the lock.
  private func endRound() {
    if runner.load(ordering: .relaxed) == CurrentThread.identity {
      runner.store(0, ordering: .relaxed)
    }
  }

  /// Runs all timers that are due. Timers that jobs or timers set for the past wait for the next
  /// round, after the descriptors.
  private func runTimers(of round: LoopState.Round) {
    let (now, limit) = (LiveTime.boot, round.timerLimit)
    var isMoreDue = true
    while isMoreDue {
      let action = state.withLock { state in
        let action = state.timers.takeDue(by: now, addedBefore: limit)
        isMoreDue = state.timers.isDue(by: now, addedBefore: limit)
        return action
      }
      action?()
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

private struct Scheduled: Cancellable {
  let loop: EventLoop
  let ticket: LoopState.Ticket

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
