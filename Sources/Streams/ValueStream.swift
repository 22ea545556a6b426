/// Values that arrive over time, for anyone who subscribes.
///
/// A stream keeps one total order of sends and subscriptions and runs one sink at a time, in the
/// order of subscription. Any thread may subscribe, inside sinks too.
public protocol ValueStream<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Sendable

  /// Adds a sink, which receives every value placed after this call until it is disconnected.
  ///
  /// The connection owns the subscription: releasing its last reference disconnects it.
  func subscribe(_ sink: Sink<Value>) -> Connection
}

extension ValueStream {
  /// Adds a closure, which receives every value placed after this call until it is disconnected.
  public func subscribe(_ receive: @escaping @Sendable (Value) -> Void) -> Connection {
    subscribe(Sink(receive))
  }
}
