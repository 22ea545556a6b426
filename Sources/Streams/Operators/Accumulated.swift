extension ValueStream {
  /// The running result of combining all values, as an observable.
  ///
  /// It subscribes when it is created and works unobserved until it is released; `combine` is
  /// called once per value, on the thread that delivers.
  public func accumulated<Result: Sendable>(
    _ start: Result, _ combine: @escaping @Sendable (Result, Value) -> Result
  ) -> any ObservableValue<Result> {
    Accumulated(start, of: self, combine)
  }

  /// The number of values so far, as an observable.
  ///
  /// It subscribes when it is created and counts unobserved until it is released.
  public func counted() -> any ObservableValue<Int> {
    accumulated(0) { count, _ in count &+ 1 }
  }
}

private final class Accumulated<Result: Sendable>: ObservableValue, OrderedStream {
  private let result: Variable<Result>
  private let connection: Connection

  init<Value>(
    _ start: Result, of stream: any ValueStream<Value>,
    _ combine: @escaping @Sendable (Result, Value) -> Result
  ) {
    let result = Variable(start)
    self.result = result
    connection = stream.subscribe { result.set(combine(result.value, $0)) }
  }

  var value: Result { result.value }

  var subscriberCount: Int { result.subscriberCount }

  var cascadeLimit: Int {
    get { result.cascadeLimit }
    set { result.cascadeLimit = newValue }
  }

  var updates: any ValueStream<TransactionEvent<ValueChange<Result>>> {
    OwnedView(stream: result.updates, owner: self)
  }

  func subscribe(_ sink: Sink<Result>) -> Connection {
    OwnedView(stream: result, owner: self).subscribe(sink)
  }
}

/// A view whose subscriptions keep its owner active.
private struct OwnedView<Value: Sendable, Owner: AnyObject & Sendable>: ValueStream {
  let stream: any ValueStream<Value>
  let owner: Owner

  func subscribe(_ sink: Sink<Value>) -> Connection {
    stream.subscribe(
      Sink(wantsFinalValue: sink.wantsFinalValue, receiveInitial: sink.receiveInitial) {
        [owner] value in
        withExtendedLifetime(owner) { sink.receive(value) }
      })
  }
}
