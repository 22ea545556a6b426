import NIOCore
import Synchronization

/// Ends a server that systemd has started for a client, when no client has asked for some time
/// (serve W4).
final class IdleExit: Sendable {
  private let time: TimeAmount
  private let onExit: @Sendable () -> Void
  /// Counts the moments at which clients came or went.
  private let moves = Atomic(0)
  private let loop = Mutex<(any EventLoop)?>(nil)

  init(after seconds: Double, _ onExit: @escaping @Sendable () -> Void) {
    time = .nanoseconds(Int64(seconds * 1e9))
    self.onExit = onExit
  }

  func begin(on loop: any EventLoop) {
    self.loop.withLock { $0 = loop }
    isBusy(false)
  }

  /// Clients came, or the last one went.
  func isBusy(_ isBusy: Bool) {
    let number = moves.add(1, ordering: .relaxed).newValue
    if isBusy { return }
    loop.withLock { $0 }?.scheduleTask(in: time) { [self] in
      if moves.load(ordering: .relaxed) == number { onExit() }
    }
  }
}
