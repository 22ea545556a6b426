import Gathering
import Glibc
import Ground

/// The signals of a watch, taken by a thread of their own: no handler ever interrupts anything.
final class SignalInbox: Sendable {
  /// Readable while a signal waits.
  let wake: WakeDescriptor
  private let arrived = Lock<[Int32]>([])
  private let isHeeded = Monitor(true)
  /// What is done before a second signal ends the process.
  private let lastAct = Lock<(@Sendable () -> Void)?>(nil)

  /// The signals that end a watch.
  static let ending = [SIGINT, SIGTERM, SIGHUP]

  /// Blocks the signals for all threads to come and begins to wait for them. Throws a failure.
  ///
  /// With a terminal, resizing and suspending are taken too. Call it before any other thread is
  /// there.
  static func open(withTerminal: Bool) throws(CommandFailure) -> SignalInbox {
    do throws(SystemError) {
      return try SignalInbox(withTerminal: withTerminal)
    } catch {
      throw CommandFailure(.io(errno: error.code, place: error.place))
    }
  }

  /// An inbox that no signal of the process reaches, but what is put into it.
  init() throws(SystemError) { wake = try WakeDescriptor() }

  private convenience init(withTerminal: Bool) throws(SystemError) {
    try self.init()
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in Self.ending + (withTerminal ? [SIGWINCH, SIGTSTP] : []) {
      sigaddset(&signals, number)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let thread = try WorkerThread(named: "gathered-signal") { [signals, self] in
      wait(for: signals)
    }
    thread.detach()
  }

  /// Runs work that may take long and needs no cleanup: an ending signal ends the process
  /// meanwhile.
  func interrupting<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
    isHeeded.withLock { $0 = false }
    defer { isHeeded.withLock { $0 = true } }
    return try work()
  }

  /// Sets what is done before the process ends at once, on another thread: nothing that waits.
  func setLastAct(_ act: (@Sendable () -> Void)?) {
    _ = lastAct.withLock { former in
      defer { former = act }
      return former
    }
  }

  /// Puts a signal in, on any thread.
  func put(_ number: Int32) {
    arrived.withLock { $0.append(number) }
    wake.signal()
  }

  /// The signals since the last call, in order.
  func takeAll() -> [Int32] {
    wake.drain()
    return arrived.withLock { signals in
      defer { signals = [] }
      return signals
    }
  }

  private func wait(for signals: sigset_t) {
    var signals = signals
    var hasEnded = false
    while true {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { continue }
      if Self.ending.contains(number) {
        // A second signal ends the process at once: writing may be blocked by the reader of the
        // output.
        if hasEnded || !isHeeded.withLock({ $0 }) {
          lastAct.withLock { $0 }?()
          _exit(128 + number)
        }
        hasEnded = true
      }
      put(number)
    }
  }
}
