import Gathering
import Ground
import Streams
import Values

/// The port of a child, accessed through the graph that offers it.
///
/// It is the child's own port, but wires and subscriptions made through the graph end when the
/// graph withdraws it, and its publink keeps the graph as well.
final class OfferedPort: PublinkRoute {
  typealias Value = Sample

  let graph: Patch
  let offer: Offer
  let port: Port
  /// The same port by way of an inner graph, if it is offered there first.
  private let inner: OfferedPort?

  init(of graph: Patch, _ offer: Offer, port: Port, inner: OfferedPort?) {
    self.graph = graph
    self.offer = offer
    self.port = port
    self.inner = inner
  }

  /// Whether the graph, or one inside it, offers it no more.
  var isWithdrawn: Bool { offer.subscriptions.isWithdrawn || inner?.isWithdrawn == true }

  /// How long a cascade on the loop may be.
  var cascadeLimit: Int {
    get { port.cascadeLimit }
    set { port.cascadeLimit = newValue }
  }

  /// Sets an input or publishes on an output, while it is offered.
  func publish(_ sample: Sample) -> Delivery {
    isWithdrawn ? .refused(.closed) : port.publish(sample)
  }

  func placeInitialValue(_ take: () -> UInt64?) { port.placeInitialValue(take) }
  func deliver() { port.deliver() }
  func observationChanged() { port.observationChanged() }

  func opened(_ subscription: any Closable) {
    offer.subscriptions.add(subscription)
    if let inner { inner.opened(subscription) } else { port.opened(subscription) }
  }
}

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
