import Ground
public import Streams

/// Keeps what a stream sends, for a test to look at.
public final class CollectingSink<Value: Sendable>: Sendable {
  private let collected = Lock<[Value]>([])

  /// Makes an empty one.
  public init() {}

  /// What has arrived so far, oldest first.
  public var values: [Value] { collected.withLock { $0 } }

  /// A sink that collects here and keeps this object alive.
  public var sink: Sink<Value> {
    Sink { value in self.collected.withLock { $0.append(value) } }
  }

  /// Hands over what has arrived and starts anew.
  public func take() -> [Value] {
    collected.withLock { values in
      defer { values = [] }
      return values
    }
  }
}

extension ValueStream {
  /// Subscribes a collecting sink.
  public func collect(into collector: CollectingSink<Value>) -> Connection {
    subscribe(collector.sink)
  }
}
