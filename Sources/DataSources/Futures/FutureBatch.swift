import Ground
import Streams

extension Future {
  /// The results in the order given, once all are there; the first failure as soon as there is one.
  public static func batch(_ futures: [Future]) -> Future<[Value]> {
    let gathering = Gathering<Value>(count: futures.count)
    let promise = Promise<[Value]>(onCancel: {
      for (future, number) in gathering.takeRegistrations() { future.object?.leave(number) }
    })
    let whole = promise.future
    if futures.isEmpty { promise.resolve(.success([])) }
    for (place, future) in futures.enumerated() {
      let number = future.attach { outcome in
        switch outcome {
        case .failure(let error): promise.resolve(.failure(error))
        case .success(let value):
          if let values = gathering.put(value, at: place) { promise.resolve(.success(values)) }
        }
      }
      gathering.register(WeakFuture(object: future), number)
    }
    return whole
  }
}

/// Both results, once both are there; the first failure as soon as there is one.
public func zip<A: Sendable, B: Sendable>(
  _ first: Future<A>, _ second: Future<B>
) -> Future<(A, B)> {
  let parts: [Future<any Sendable>] = [first.map { $0 }, second.map { $0 }]
  return Future.batch(parts).map { values in
    guard let first = values[0] as? A, let second = values[1] as? B else {
      throw DataSourceError(.unknown)
    }
    return (first, second)
  }
}

/// Three results, once all are there.
public func zip<A: Sendable, B: Sendable, C: Sendable>(
  _ first: Future<A>, _ second: Future<B>, _ third: Future<C>
) -> Future<(A, B, C)> {
  zip(zip(first, second), third).map { ($0.0, $0.1, $1) }
}

/// Four results, once all are there.
public func zip<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
  _ first: Future<A>, _ second: Future<B>, _ third: Future<C>, _ fourth: Future<D>
) -> Future<(A, B, C, D)> {
  zip(zip(first, second), zip(third, fourth)).map { ($0.0, $0.1, $1.0, $1.1) }
}

private struct WeakFuture<Value: Sendable>: Sendable {
  weak let object: Future<Value>?
}

/// The values of a batch as they arrive, and its registrations with the futures.
private final class Gathering<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value?]
    var missing: Int
    var registrations: [(WeakFuture<Value>, Int)] = []
  }

  private let state: Lock<State>

  init(count: Int) {
    state = Lock(State(values: Array(repeating: nil, count: count), missing: count))
  }

  func register(_ future: WeakFuture<Value>, _ number: Int) {
    state.withLock { $0.registrations.append((future, number)) }
  }

  func takeRegistrations() -> [(WeakFuture<Value>, Int)] {
    state.withLock { state in
      defer { state.registrations = [] }
      return state.registrations
    }
  }

  /// All values, when this was the last one missing.
  func put(_ value: Value, at place: Int) -> [Value]? {
    state.withLock { state in
      state.values[place] = value
      state.missing -= 1
      return state.missing == 0 ? state.values.compactMap { $0 } : nil
    }
  }
}
