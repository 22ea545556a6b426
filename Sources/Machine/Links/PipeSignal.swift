import Glibc
import Ground

/// Keeps SIGPIPE away from a host whose thread writes to a closed connection.
enum PipeSignal {
  /// Runs `body`; a SIGPIPE it causes on this thread is taken back, and its writes answer EPIPE.
  static func withheld<Output>(
    _ body: () throws(SystemError) -> Output
  ) throws(SystemError) -> Output {
    var signals = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer {
      var none = timespec()
      // Taken away only if it is ours: the host may be waiting for its own.
      if !wasPending { while sigtimedwait(&signals, nil, &none) == SIGPIPE {} }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return try body()
  }
}
