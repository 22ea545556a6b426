package import Ground
import Streams

/// A wait by a clock that a cancellation ends early.
package final class Pause: Sendable {
  private enum State: Sendable {
    case waiting(@Sendable (Bool) -> Void, [Connection])
    case over
  }

  private let state: Lock<State>

  /// Waits, and calls `then` once: with true when the time is up, with false when the caller told
  /// before that he no longer waits. No time at all is up at once, on this thread.
  package static func wait(
    _ duration: Duration, on clock: any Clock, _ cancellation: Cancellation?,
    then: @escaping @Sendable (Bool) -> Void
  ) {
    guard duration > .zero else { return then(cancellation?.isCancelled != true) }
    let pause = Pause(then)
    // The clock and the cancellation keep the pause, the pause their connections, until it is over.
    pause.hold(clock.alarm(at: clock.now + duration) { pause.end(true) })
    guard let cancellation else { return }
    pause.hold(Connection(onDisconnect: cancellation.onCancel { pause.end(false) }))
  }

  private init(_ then: @escaping @Sendable (Bool) -> Void) {
    state = Lock(.waiting(then, []))
  }

  private func hold(_ connection: Connection) {
    let isOver = state.withLock { state in
      guard case .waiting(let then, let connections) = state else { return true }
      state = .waiting(then, connections + [connection])
      return false
    }
    if isOver { connection.disconnect() }
  }

  private func end(_ isUp: Bool) {
    let former = state.withLock { state in
      defer { state = .over }
      return state
    }
    guard case .waiting(let then, let connections) = former else { return }
    for connection in connections { connection.disconnect() }
    then(isUp)
  }
}
