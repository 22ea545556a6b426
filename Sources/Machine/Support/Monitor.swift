import Glibc

/// State behind a lock, and a way to wait until it has changed.
///
/// `Synchronization.Mutex` is not used beside it: it remembers the thread's number, which a fork
/// changes, and the thread sanitizer does not see it. Not to be used in a fork's child
/// or entered again by the thread that is inside.
public final class Monitor<State>: @unchecked Sendable {
  // Safe: `state` is touched between lock and unlock of `lock` only; the lock and the condition
  // live at fixed addresses from init to deinit.
  private var state: State
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  /// A monitor of a first state, which nobody else holds.
  public init(_ state: sending State) {
    self.state = state
    lock = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // The default clock is the wall clock, which may step and so stretch or cut a wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// The moment a number of nanoseconds from now, for `wait(until:)`, on CLOCK_MONOTONIC.
  public static func moment(after nanoseconds: Int64) -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    let (sum, overflow) = now.addingReportingOverflow(nanoseconds)
    return overflow ? .max : sum
  }

  /// Looks at the state and changes it. The body must not call out to foreign code.
  public func withLock<Answer, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&state)
  }

  /// Waits until the body has an answer, asking it at once and after every `signalAll`.
  ///
  /// Returns nil when the moment, on CLOCK_MONOTONIC in nanoseconds, has passed without one; a
  /// moment of nil never passes.
  public func wait<Answer>(
    until moment: Int64? = nil, for body: (inout State) -> Answer?
  ) -> Answer? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&state) { return answer }
      guard let moment else {
        pthread_cond_wait(changed, lock)
        continue
      }
      var limit = timespec(
        tv_sec: Int(max(moment, 0) / 1_000_000_000), tv_nsec: Int(max(moment, 0) % 1_000_000_000))
      if pthread_cond_timedwait(changed, lock, &limit) == ETIMEDOUT { return body(&state) }
    }
  }

  /// Wakes all who wait, to ask again.
  public func signalAll() {
    pthread_cond_broadcast(changed)
  }
}
