import NIOCore
import Synchronization

/// Ends a server that systemd has started for a client, when no client has asked for some time
/// (serve W4).
final class IdleExit: Sendable {
  private let time: TimeAmount
  private let onExit: @Sendable () -> Void
  /// Counts the moments at which clients came or went.
  private let moves = Atomic(0)

  init(after nanoseconds: Int64, _ onExit: @escaping @Sendable () -> Void) {
    time = .nanoseconds(nanoseconds)
    self.onExit = onExit
  }

  /// A client has come.
  func clientCame() { moves.add(1, ordering: .relaxed) }

  /// There are no clients, or none any more.
  func isAlone(on loop: any EventLoop) {
    let number = moves.add(1, ordering: .relaxed).newValue
    loop.scheduleTask(in: time) { [self] in
      if moves.load(ordering: .relaxed) == number { onExit() }
    }
  }
}
