/// A loop that runs work in time order on one thread: the gathering thread, or, under a manual
/// clock, the thread that moves the clock. Its moments are boot time.
public protocol Loop: Clock, WorkQueue {
  /// The clock of its timers.
  var clock: any TimeSource { get }
  /// Runs `ready` on the loop whenever a descriptor has the epoll events wanted (EPOLLIN,
  /// EPOLLPRI …). The caller keeps the descriptor open until the watch is cancelled.
  func watch(
    descriptor: Int32, events: UInt32, _ ready: @escaping @Sendable (UInt32) -> Void
  ) throws(SystemError) -> any Cancellable
}

extension Loop {
  /// The present moment of boot time.
  public var now: Moment { clock.now.moment }
}
