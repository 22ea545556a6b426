import CLinux

/// The wakes of many changes that a thread makes at a stroke.
///
/// A thread that is woken by the first of them would else run, and sleep again, before the second
/// is made.
public enum Wakes {
  /// Runs a body; what it signals by `signalTogether` is told to other threads at its end, or
  /// before this thread sleeps. The body calls nothing that could wait for one of them in another
  /// way: where it might, `send` comes first.
  public static func together(_ body: () -> Void) {
    clinux_gather_wakes()
    body()
    clinux_end_wakes()
  }

  /// Wakes now whom the calling thread was to wake later.
  public static func send() { clinux_send_wakes() }
}
