import Glibc
import Synchronization

/// A clock that stands still until it is moved.
public final class VirtualTime: TimeSource {
  /// The wall-clock time at boot time 0: 1 700 000 000 s after 1970.
  public static let realtimeAtBoot: Int64 = 1_700_000_000_000_000_000

  private let boot: Atomic<Int64>
  private let slept = Atomic<Int64>(0)
  private let realtimeAtBoot: Int64

  /// A clock standing at a boot time in nanoseconds.
  public init(at boot: Int64 = 0) {
    self.boot = Atomic(boot)
    realtimeAtBoot = Self.realtimeAtBoot
  }

  /// A clock standing at a moment of another clock.
  public init(at moment: Instant) {
    boot = Atomic(moment.boot)
    realtimeAtBoot = moment.realtime &- moment.boot
  }

  /// The moment it stands at; the wall clock goes along with boot time.
  public var now: Instant {
    let boot = boot.load(ordering: .acquiring)
    return Instant(boot: boot, realtime: realtimeAtBoot &+ boot)
  }

  /// How long the machine has slept, as it was told.
  public var asleep: Int64 { slept.load(ordering: .acquiring) }

  /// The machine has slept for so long, in nanoseconds, of the time that went by.
  public func noteSleep(of duration: Int64) {
    slept.add(duration, ordering: .acquiringAndReleasing)
  }

  /// Moves it forwards; a moment in the past changes nothing.
  public func advance(to moment: Int64) {
    boot.max(moment, ordering: .acquiringAndReleasing)
  }

  /// Sets the clock to a moment, which may be past.
  fileprivate func put(to moment: Int64) {
    boot.store(moment, ordering: .releasing)
  }
}

/// The loop of a manual clock. It has no thread, and its time advances only when its owner moves
/// it.
///
/// One thread at a time may move it; any thread may schedule, submit and cancel.
public final class VirtualLoop: Loop {
  /// The clock the loop moves.
  public var clock: any TimeSource { virtualTime }

  private let virtualTime: VirtualTime
  private let state = Monitor(VirtualLoopState())
  private let threadIdentity = Atomic<UInt>(0)
  private let onNews: (@Sendable () -> Void)?

  /// Makes a loop that moves a clock. `onNews` is called on any thread when work was added that may
  /// be due before all other work.
  public init(clock: VirtualTime = VirtualTime(), onNews: (@Sendable () -> Void)? = nil) {
    virtualTime = clock
    self.onNews = onNews
  }

  /// Whether the calling thread is the one running an action of the loop.
  public var isCurrent: Bool {
    threadIdentity.load(ordering: .relaxed) == CurrentThread.identity
  }

  /// When the next action is due: the present moment for submitted jobs, nil if there is no action.
  public var nextDue: Int64? {
    let now = virtualTime.now.boot
    return state.withLock { state in
      state.jobs.isEmpty ? state.timers.earliest.map { max($0, now) } : now
    }
  }

  /// Moves the clock to the next moment at which an action is due, if that is not after `limit`,
  /// and runs exactly one action; returns whether there was one.
  public func runNext(upTo limit: Int64) -> Bool {
    guard let moment = nextDue, moment <= limit else { return false }
    virtualTime.advance(to: moment)
    guard let action = state.withLock({ $0.takeNext(by: moment) }) else { return false }
    let outer = threadIdentity.exchange(CurrentThread.identity, ordering: .relaxed)
    action()
    threadIdentity.store(outer, ordering: .relaxed)
    return true
  }

  /// Moves the clock to a moment. Runs all actions due on the way in order, and `afterEach` after
  /// every action, while the clock still stands at its moment.
  public func advance(to moment: Int64, afterEach: () -> Void = {}) {
    while runNext(upTo: moment) { afterEach() }
    virtualTime.advance(to: moment)
  }

  /// Runs `action` when the clock is moved to a moment or past it.
  public func schedule(
    at moment: Moment, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let ticket = state.withLock { $0.timers.add(LoopAction(action), at: moment.nanoseconds) }
    onNews?()
    return VirtualTimer(loop: self, ticket: ticket)
  }

  /// Runs `job` when the clock is next moved, before anything scheduled.
  public func submit(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.jobs.append(LoopAction(job)) }
    onNews?()
  }

  /// Moves the clock towards a moment, up to the next due action.
  public func drift(to moment: Int64) {
    virtualTime.advance(to: min(moment, nextDue ?? moment))
  }

  /// Sets the clock to a moment, past or future, without running the actions in between: scheduled
  /// actions keep their distance from the clock.
  public func jump(to moment: Int64) {
    state.withLock { state in
      state.timers.shift(by: moment &- virtualTime.now.boot)
      virtualTime.put(to: moment)
    }
  }

  /// Throws ENOSYS: the kernel keeps real time.
  public func watch(
    descriptor: Int32, events: UInt32, _ ready: @escaping @Sendable (UInt32) -> Void
  ) throws(SystemError) -> any Cancellable {
    throw SystemError(ENOSYS, at: "descriptor \(descriptor) under a manual clock")
  }

  fileprivate func cancel(_ ticket: MomentHeap<LoopAction>.Ticket) {
    // The action is handed out of the lock before it is released.
    _ = state.withLock { $0.timers.remove(ticket) }
  }
}

private struct VirtualLoopState {
  var timers = MomentHeap<LoopAction>()
  var jobs: ArraySlice<LoopAction> = []

  mutating func takeNext(by moment: Int64) -> LoopAction? {
    jobs.popFirst() ?? timers.takeDue(by: moment)
  }
}

private struct VirtualTimer: Cancellable {
  let loop: VirtualLoop
  let ticket: MomentHeap<LoopAction>.Ticket

  func cancel() {
    loop.cancel(ticket)
  }
}
