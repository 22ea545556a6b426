import Ground
public import Streams

/// A publink of results that keep coming (data sources L63).
///
/// A new subscriber receives the newest result, value or error, at once, and then every later one.
/// An error ends nothing.
public final class ResultPublink<Content: Sendable>: ValueStream {
  /// A value, or why there is none.
  public typealias Value = Result<Content, DataSourceError>

  private let publink = Publink<Value>()

  /// Makes a publink without a result.
  public init() {}

  /// The newest result; nil while there is none.
  public var newest: Value? { publink.last }

  /// Sends a result to everyone.
  @discardableResult
  public func publish(_ result: Value) -> Delivery { publink.publish(result) }

  /// Adds a sink, which receives the newest result, if there is one, and then every later one.
  public func subscribe(_ sink: Sink<Value>) -> Connection { publink.subscribe(sink) }
}

extension ValueStream {
  /// The n-th result, counted from 0, a replayed one included.
  ///
  /// Errors are counted, and the one in this place is the result; with `ignoringErrors` they are
  /// passed over. The first error before it resolves the future.
  public func future<Content: Sendable>(
    at index: Int, ignoringErrors: Bool = false
  ) -> Future<Content> where Value == Result<Content, DataSourceError> {
    let heard = Lock(0)
    return future(ignoringErrors: ignoringErrors) { _ in
      heard.withLock { heard in
        defer { heard += 1 }
        return heard == index
      }
    }
  }

  /// The first value that passes; the first error, unless errors are ignored.
  public func future<Content: Sendable>(
    where passes: @escaping @Sendable (Content) -> Bool, ignoringErrors: Bool = false
  ) -> Future<Content> where Value == Result<Content, DataSourceError> {
    future(ignoringErrors: ignoringErrors, passes)
  }

  private func future<Content: Sendable>(
    ignoringErrors: Bool, _ takes: @escaping @Sendable (Content) -> Bool
  ) -> Future<Content> where Value == Result<Content, DataSourceError> {
    let subscription = Listening()
    // Until it is resolved the future keeps the subscription, whose sink does not keep the future:
    // when either ends, so does the other.
    let future = Future<Content>(onCancel: { subscription.end() })
    let connection = subscribe(
      Sink(weak: future) { future, result in
        switch result {
        case .success(let value):
          if takes(value) { future.resolve(result) }
        case .failure: if !ignoringErrors { future.resolve(result) }
        }
      })
    subscription.begin(connection)
    return future
  }
}

/// The subscription of a future, which ends with it.
private final class Listening: Sendable {
  private let connection = Lock<Connection?>(nil)

  func begin(_ connection: Connection) { self.connection.withLock { $0 = connection } }

  func end() {
    let connection = connection.withLock { $0.take() }
    connection?.disconnect()
  }
}
