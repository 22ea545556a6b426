public import CLinux

/// A way to wait until the state behind a lock has changed.
///
/// It belongs to one lock. A waiting thread holds no other lock.
@frozen
public struct Condition: ~Copyable, Sendable {
  @usableFromInline let waiting: Cell<clinux_waiting>

  /// Makes a condition that no thread waits for.
  @inlinable
  public init() {
    waiting = Cell(clinux_waiting())
  }

  /// Waits until the body returns a value. Calls the body under the lock, at once and after every
  /// `signalAll`.
  ///
  /// Returns nil when the moment, on CLOCK_MONOTONIC in nanoseconds, has passed without one; a
  /// moment of nil never passes.
  @inlinable
  public borrowing func wait<State, Answer>(
    with lock: borrowing Lock<State>, until moment: Int64? = nil, file: StaticString = #fileID,
    line: UInt32 = #line, for body: (inout State) -> Answer?
  ) -> Answer? {
    lock.lock(file, line)
    let state = lock.state.address
    var answer = body(&state.pointee)
    while answer == nil {
      let isInTime = sleep(with: lock, until: moment, file, line)
      answer = body(&state.pointee)
      if !isInTime { break }
    }
    lock.unlock()
    return answer
  }

  /// Sleeps, without the lock, until the state may have changed; false when the moment has passed.
  @inlinable
  borrowing func sleep<State>(
    with lock: borrowing Lock<State>, until moment: Int64?, _ file: StaticString, _ line: UInt32
  ) -> Bool {
    let word = lock.word.address
    #if DEBUG
      // Only a reading or a discovery waits for input and output; nothing else does.
      clinux_check_no_lock(word, LockRank.reading.rawValue, "waits")
      clinux_forget_lock(word)
      defer { lock.note(file, line) }
    #endif
    return clinux_wait(waiting.address, word, moment.map { max($0, 0) } ?? -1)
  }

  /// Wakes all waiting threads, which call their bodies again. Called after a change of the state,
  /// without the lock.
  @inlinable
  public borrowing func signalAll() {
    clinux_wake(waiting.address)
  }

  /// The same for one of many changes: inside `Wakes.together` the threads are woken with those of
  /// the other changes.
  @inlinable
  public borrowing func signalTogether() {
    clinux_wake_together(waiting.address)
  }
}
