/// An observable that stores its value, or a copy of it, next to a broadcaster that delivers its
/// transactions.
protocol HeldValue<Value>: BroadcasterOwner, Origin where Item == Step<Value> {
  /// How its subscribers receive its steps.
  var receivers: Receivers<Value> { get }
  /// The value and the transaction it is in; nil while nothing is held.
  static func transaction(in held: Held) -> Transaction<Value>?
}

extension HeldValue {
  /// Adds a subscriber; `initialValue` is called under the lock, with the value held at that place.
  ///
  /// If no value is held without an observer, an initial value must still be placed: it makes the
  /// caller the drainer, so that nothing is delivered before the inputs are subscribed.
  func join(
    _ callbacks: SubscriberCallbacks<Item>, _ hearing: Hearing, _ start: StartingPoint<Value>,
    initialValue: (Transaction<Value>?) -> DirectedValue<Item>?
  ) -> Connection {
    let subscription = Subscription(callbacks, hearing: hearing, owner: self)
    broadcaster.join(subscription) { state in
      let transaction = Self.transaction(in: state.held)
      if let transaction { start.settle(transaction.value, before: state.queue) }
      return initialValue(transaction)
    } joined: {
      observationChanged()
      settle(start)
    }
    return Connection(closing: subscription)
  }

  /// Adds a sink for the present value and then the newest of every transaction.
  func joinValues(
    _ sink: Sink<Value>, initialValue makeInitialValue: (@Sendable () -> Value)? = nil
  ) -> Connection {
    let start = StartingPoint<Value>()
    return join(receivers.values(sink, start), .ends, start) { _ in
      DirectedValue(part: .whole) {
        .initial(makeInitialValue?() ?? self.initialValue(for: start))
      }
    }
  }

  /// Adds a sink for the newest value of every transaction.
  func joinFutureValues(_ sink: Sink<Value>) -> Connection {
    let start = StartingPoint<Value>()
    let callbacks = receivers.values(sink, start)
    let subscription = Subscription(callbacks, hearing: .ends, owner: self)
    broadcaster.join(subscription) { state in
      start.settle(nil, before: state.queue)
      return Self.transaction(in: state.held) == nil
        ? DirectedValue(part: .whole) { nil } : nil
    } joined: {
      observationChanged()
    }
    return Connection(closing: subscription)
  }

  func follow(_ follower: Follower<Value>) -> (connection: Connection, value: Value) {
    let start = StartingPoint<Value>()
    let connection = joinUpdates(follower, start)
    return (connection, start.take() ?? value)
  }

  /// The phase of this value's transactions, as known to its own broadcaster.
  var ownPhase: TransactionPhase {
    broadcaster.inspect { state, isBusy in
      let part = state.queue.currentPart
      let isTold = isBusy && (part == .begin || part == .change)
      return TransactionPhase(
        isOpen: (Self.transaction(in: state.held)?.depth ?? 0) > 0, isTold: isTold,
        isToldHere: isTold && state.queue.isInsideSink(), isBusy: isBusy)
    }
  }

  var phase: TransactionPhase { ownPhase }

  private func settle(_ start: StartingPoint<Value>) {
    broadcaster.inspect { state, _ in
      guard let transaction = Self.transaction(in: state.held) else { return }
      start.settle(transaction.value, before: state.queue)
    }
  }

  private func initialValue(for start: StartingPoint<Value>) -> Value {
    settle(start)
    if let value = start.take() { return value }
    // Another thread is still subscribing to the inputs: their present values are the newest.
    broadcaster.inspect { state, _ in start.settle(nil, before: state.queue) }
    return value
  }
}
