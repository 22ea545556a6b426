import CLinux

/// Wakes other threads once for many changes.
///
/// Without it, a thread that the first change wakes runs, and sleeps again, before the second is
/// made.
public enum Wakes {
  /// Runs a body. Threads that it signals by `signalTogether` are woken when it ends, or before
  /// this thread sleeps. The body calls `send` before it waits for one of them in any other way.
  public static func together(_ body: () -> Void) {
    clinux_gather_wakes()
    body()
    clinux_end_wakes()
  }

  /// Wakes the threads that the calling thread has signalled so far.
  public static func send() { clinux_send_wakes() }
}
