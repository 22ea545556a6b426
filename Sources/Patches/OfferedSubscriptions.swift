import Ground
import Streams

/// The subscriptions that were made through an offered port.
final class OfferedSubscriptions: Sendable {
  private struct WeakSubscription: Sendable {
    weak var subscription: (any Closable)?
  }

  private struct State: Sendable {
    var subscriptions: [WeakSubscription] = []
    /// The number at which freed entries are removed.
    var limit = 8
    var isWithdrawn = false
  }

  private let state = Lock(State())

  /// Whether the port is offered no more.
  var isWithdrawn: Bool { state.withLock { $0.isWithdrawn } }

  /// Remembers a subscription, which is not kept; it is closed if the port is withdrawn already.
  func add(_ subscription: any Closable) {
    // Other threads may release an object that is examined here: its last reference must not end
    // under the lock.
    let (isLate, seen) = state.withLock { state -> (Bool, [any Closable]) in
      if state.isWithdrawn { return (true, []) }
      var seen: [any Closable] = []
      if state.subscriptions.count >= state.limit {
        seen = state.subscriptions.compactMap(\.subscription)
        state.subscriptions = seen.map { WeakSubscription(subscription: $0) }
        state.limit = max(8, seen.count * 2)
      }
      state.subscriptions.append(WeakSubscription(subscription: subscription))
      return (false, seen)
    }
    withExtendedLifetime(seen) {}
    if isLate { subscription.close() }
  }

  /// Closes all there are; and, if the port is withdrawn, all that will come.
  func closeAll(isWithdrawn: Bool) {
    let ended = state.withLock { state in
      state.isWithdrawn = state.isWithdrawn || isWithdrawn
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for entry in ended { entry.subscription?.close() }
  }
}
