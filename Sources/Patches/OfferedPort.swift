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

  /// The last value of the port.
  var last: Sample? { port.last }

  func placeInitialValue(_ take: (Sample?) -> UInt64?) { port.placeInitialValue(take) }
  func deliver() { port.deliver() }
  func observationChanged() { port.observationChanged() }

  func opened(_ subscription: any Closable) {
    offer.subscriptions.add(subscription)
    if let inner { inner.opened(subscription) } else { port.opened(subscription) }
  }
}
