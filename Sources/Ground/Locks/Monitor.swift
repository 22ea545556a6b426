import Glibc

/// State behind a lock, and a way to wait until it has changed.
///
/// The rules of `Lock` and of `Condition` apply.
public final class Monitor<State>: Sendable {
  @usableFromInline let guarded: Lock<State>
  @usableFromInline let changed: Condition

  /// Makes a monitor of an initial state, which nothing else refers to.
  @inlinable
  public init(_ state: sending State, rank: LockRank = .leaf) {
    guarded = Lock(state, rank: rank)
    changed = Condition()
  }

  /// The moment a number of nanoseconds from now, for `wait(until:)`, on CLOCK_MONOTONIC.
  public static func moment(after nanoseconds: Int64) -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    let (sum, overflow) = now.addingReportingOverflow(nanoseconds)
    return overflow ? .max : sum
  }

  /// Reads and changes the state. The body must not call out to host code.
  @inlinable @inline(__always)
  public func withLock<Answer, Failure: Error>(
    file: StaticString = #fileID, line: UInt32 = #line,
    _ body: (inout State) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try guarded.withLock(file: file, line: line, body)
  }

  /// Waits until the body returns a value. Calls the body at once and after every `signalAll`.
  ///
  /// Returns nil when the moment, on CLOCK_MONOTONIC in nanoseconds, has passed without one; a
  /// moment of nil never passes.
  @inlinable
  public func wait<Answer>(
    until moment: Int64? = nil, file: StaticString = #fileID, line: UInt32 = #line,
    for body: (inout State) -> Answer?
  ) -> Answer? {
    changed.wait(with: guarded, until: moment, file: file, line: line, for: body)
  }

  /// Wakes all waiting threads, which call their bodies again. Called after a change of the state,
  /// without the lock.
  public func signalAll() {
    changed.signalAll()
  }
}
