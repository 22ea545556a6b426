import Glibc

/// The signals that end the server, or have it read the token again.
///
/// They are blocked in all threads and waited for on one, so that nothing runs inside a handler.
struct EndingSignals: Sendable {
  /// Blocks the signals; to be called before other threads are made.
  static func block() {
    // A closed connection is an error of write.
    signal(SIGPIPE, SIG_IGN)
    var signals = set
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the next one.
  static func wait() -> Int32 {
    var signals = set
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
    return number
  }

  private static var set: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    return signals
  }
}
