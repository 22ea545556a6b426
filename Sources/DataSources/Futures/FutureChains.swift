public import Ground
import Streams

/// Futures made of others. A value or error that a step does not apply to passes through; what a
/// step throws is the result of the steps after it. They keep the queue of their origin.
extension Future {
  /// What `transform` makes of the value.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> New
  ) -> Future<New> {
    derived { outcome, promise, _ in
      promise.resolve(Future<New>.outcome { try transform(try outcome.get()) })
    }
  }

  /// The result of the future that `transform` makes of the value.
  public func flatMap<New: Sendable>(
    _ transform: @escaping @Sendable (Value) throws -> Future<New>
  ) -> Future<New> {
    derived { outcome, promise, registration in
      switch Future<Future<New>>.outcome({ try transform(try outcome.get()) }) {
      case .success(let next):
        registration.move(to: next, next.attach { promise.resolve($0) })
      case .failure(let error): promise.resolve(.failure(error))
      }
    }
  }

  /// The value if it is wanted, else `notValid`.
  public func filter(
    _ isWanted: @escaping @Sendable (Value) throws -> Bool
  ) -> Future<Value> {
    map { value in
      if try isWanted(value) { return value }
      throw DataSourceError(.notValid, "the value was filtered out")
    }
  }

  /// The error that `transform` makes of the error.
  public func mapError(
    _ transform: @escaping @Sendable (DataSourceError) throws -> DataSourceError
  ) -> Future<Value> { recover { throw try transform($0) } }

  /// What `rescue` makes of the error; with a code, of errors of that code only.
  public func recover(
    from code: DataSourceError.Code? = nil,
    _ rescue: @escaping @Sendable (DataSourceError) throws -> Value
  ) -> Future<Value> {
    derived { outcome, promise, _ in
      guard case .failure(let error) = outcome, code == nil || code == error.code else {
        promise.resolve(outcome)
        return
      }
      promise.resolve(Self.outcome { try rescue(error) })
    }
  }

  /// The same result, not earlier than `duration` after it was there; zero is at once.
  public func delayed(by duration: Duration, clock: any Clock) -> Future<Value> {
    derived { outcome, promise, _ in
      Pause.wait(duration, on: clock, nil) { _ in promise.resolve(outcome) }
    }
  }

  /// The same result, whose consumers run on a queue.
  public func on(_ queue: any WorkQueue) -> Future<Value> {
    derived(on: queue) { outcome, promise, _ in promise.resolve(outcome) }
  }

  /// A future that a step resolves when there is a result here; cancelling it leaves this one.
  private func derived<New: Sendable>(
    on queue: (any WorkQueue)? = nil,
    _ step: @escaping @Sendable (Outcome, Promise<New>, Registration) -> Void
  ) -> Future<New> {
    let registration = Registration()
    let promise = Promise<New>(on: queue ?? self.queue, onCancel: { registration.cancel() })
    let future = promise.future
    let number = attach { outcome in step(outcome, promise, registration) }
    registration.move(to: self, number, isFirst: true)
    return future
  }

  /// The outcome of a function, what it throws as a `DataSourceError`.
  static func outcome(_ function: () throws -> Value) -> Outcome {
    do {
      return .success(try function())
    } catch {
      return .failure(DataSourceError(error))
    }
  }
}

/// The registration of a derived future with the one it waits for at present, as a consumer of it.
private final class Registration: Sendable {
  private let cancelling = Lock<(@Sendable () -> Void)?>(nil)

  /// Registers with a future; with the first no more when the step has already found the next.
  func move<Value: Sendable>(to future: Future<Value>, _ number: Int, isFirst: Bool = false) {
    cancelling.withLock { cancelling in
      if isFirst && cancelling != nil { return }
      // Weak: its producer keeps the future; without any reference it is to be freed (L60).
      cancelling = { [weak future] in future?.leave(number) }
    }
  }

  func cancel() {
    let cancel = cancelling.withLock { $0.take() }
    cancel?()
  }
}
