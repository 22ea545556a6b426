import Glibc
import Ground

/// The wait of a database for other processes, which can be cancelled.
///
/// SQLite's own time-out cannot be ended early.
final class DatabaseWait: Sendable {
  private let patience: Int64
  private let cancellation: Cancellation?
  /// When the present wait is over, on CLOCK_MONOTONIC in nanoseconds.
  private let limit = Monitor<Int64>(0)

  /// Makes a wait of at most `milliseconds`.
  init(_ milliseconds: Int32, _ cancellation: Cancellation?) {
    patience = Int64(max(milliseconds, 0)) * 1_000_000
    self.cancellation = cancellation
  }

  var isInterrupted: Bool { cancellation?.isCancelled == true }

  /// The pointer by which `waitForOthers` finds this object while it lives.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Sleeps briefly; returns false if no time is left. `count` is 0 at the beginning of a wait.
  fileprivate func waits(_ count: Int32) -> Bool {
    if isInterrupted { return false }
    let now = Monitor<Int64>.moment(after: 0)
    let limit = limit.withLock { limit in
      if count == 0 { limit = now + patience }
      return limit
    }
    let left = limit - now
    guard left > 0 else { return false }
    // Short at first, as others are mostly quick, and never long: a cancellation is to be seen.
    usleep(UInt32(min(left / 1_000, Int64(min(count + 1, 20)) * 500)))
    return true
  }
}

/// SQLite's busy handler of a connection, whose context is its `DatabaseWait`.
func waitForOthers(_ context: UnsafeMutableRawPointer?, _ count: Int32) -> Int32 {
  guard let context else { return 0 }
  // The database keeps it, and lives longer than any of its calls.
  return Unmanaged<DatabaseWait>.fromOpaque(context).takeUnretainedValue().waits(count) ? 1 : 0
}
