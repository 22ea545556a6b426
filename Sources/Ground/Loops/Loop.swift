/// A loop that runs work in time order on one thread: the gathering thread, or, under a manual
/// clock, the thread that moves the clock.
public protocol Loop: Sendable {
  /// The clock the loop's timers follow.
  var clock: any MachineClock { get }
  /// Runs `action` on the loop at a boot time, never early; at once if it is past. Timers of one
  /// moment run in the order armed.
  func schedule(at bootTime: Int64, _ action: @escaping @Sendable () -> Void) -> any Cancellable
  /// Runs `job` on the loop as soon as possible, in the order submitted.
  func submit(_ job: @escaping @Sendable () -> Void)
  /// Runs `ready` on the loop whenever a descriptor has the epoll events wanted (EPOLLIN,
  /// EPOLLPRI …). The caller keeps the descriptor open until the watch is cancelled.
  func watch(
    descriptor: Int32, events: UInt32, _ ready: @escaping @Sendable (UInt32) -> Void
  ) throws(SystemError) -> any Cancellable
  /// Whether the calling thread is the loop's.
  var isCurrent: Bool { get }
}

/// Something that can be called off; once `cancel` has returned, the action does not start.
public protocol Cancellable: Sendable {
  /// Calls it off. Idempotent; any thread; never waits for a running action.
  func cancel()
}
