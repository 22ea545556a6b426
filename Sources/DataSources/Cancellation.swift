import Ground
package import Streams

/// By which a caller tells those who work for him that he no longer waits.
@usableFromInline package final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var actions: [Int: @Sendable () -> Void] = [:]
    var next = 0
  }

  private let state = Lock(State())

  package init() {}

  /// Whether the caller has told so.
  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Tells so: the actions run, once, on this thread.
  package func cancel() {
    let actions = state.withLock { state in
      defer { state.actions = [:] }
      state.isCancelled = true
      return state.actions.sorted { $0.key < $1.key }.map(\.value)
    }
    for action in actions { action() }
  }

  /// Calls an action when the caller tells so, at once if he has; closing the connection calls it
  /// off.
  package func onCancel(_ action: @escaping @Sendable () -> Void) -> Connection {
    let number = state.withLock { state -> Int? in
      if state.isCancelled { return nil }
      state.next += 1
      state.actions[state.next] = action
      return state.next
    }
    guard let number else {
      action()
      return Connection {}
    }
    return Connection { [weak self] in self?.forget(number) }
  }

  private func forget(_ number: Int) {
    // Released after the lock: what it captured may have a deinitialiser.
    let action = state.withLock { $0.actions.removeValue(forKey: number) }
    _ = action
  }
}
