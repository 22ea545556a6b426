/// An observable that keeps its value, or a copy of it, beside a hub that tells of transactions.
protocol HeldValue<Value>: HubOwner, Origin where Item == Step<Value> {
  /// The value and the transaction it is in; nil while nothing is held.
  static func transaction(in held: Held) -> Transaction<Value>?
}

extension HeldValue {
  /// Adds a subscriber; `greeting` is asked under the lock, with what is held at that place.
  ///
  /// Where nothing is held without an observer, a greeting must be placed all the same: it
  /// makes the caller the drainer, so that nothing is delivered before the inputs are attached.
  func join(
    _ receiver: Receiver<Item>, hearsParts: Bool, _ joining: Joining<Value>,
    greeting: (Transaction<Value>?) -> Greeting<Item>?
  ) -> Connection {
    let subscription = Subscription(receiver, hearsParts: hearsParts, owner: self)
    hub.join(subscription) { state in
      let transaction = Self.transaction(in: state.held)
      if let transaction { joining.settle(transaction.value, before: state.lane) }
      return greeting(transaction)
    } joined: {
      observationChanged()
      settle(joining)
    }
    return Connection(closing: subscription)
  }

  /// Adds a sink for the present value and then the newest of every transaction.
  func joinValues(
    _ sink: Sink<Value>, greeting makeGreeting: (@Sendable () -> Value)? = nil
  ) -> Connection {
    // A transaction whose last change lies before the subscription is in the greeting already.
    let joining = Joining<Value>()
    let receiver = Receiver<Step<Value>> { step in
      switch step {
      case .greeting(let value): (sink.greet ?? sink.receive)(value)
      case .begin, .change: break
      case .end(let latest, let changedAt): if joining.misses(changedAt) { sink.receive(latest) }
      }
    }
    return join(receiver, hearsParts: false, joining) { _ in
      Greeting(part: .whole) { .greeting(makeGreeting?() ?? self.greet(joining)) }
    }
  }

  /// Adds a sink for the newest value of every transaction.
  func joinFutureValues(_ sink: Sink<Value>) -> Connection {
    let joining = Joining<Value>()
    let receiver = Receiver<Step<Value>> { step in
      if case .end(let latest, let changedAt) = step, joining.misses(changedAt) {
        sink.receive(latest)
      }
    }
    let subscription = Subscription(receiver, hearsParts: false, owner: self)
    hub.join(subscription) { state in
      joining.settle(nil, before: state.lane)
      return Self.transaction(in: state.held) == nil ? Greeting(part: .whole) { nil } : nil
    } joined: {
      observationChanged()
    }
    return Connection(closing: subscription)
  }

  func follow(
    _ sink: Sink<Update<ValueChange<Value>>>
  ) -> (connection: Connection, value: Value) {
    let joining = Joining<Value>()
    let connection = joinUpdates(sink, joining)
    return (connection, joining.take() ?? value)
  }

  /// Where the transactions of this value stand, by what its own hub knows.
  var ownPhase: TransactionPhase {
    hub.inspect { state, isBusy in
      let part = state.lane.currentPart
      let isTold = isBusy && (part == .begin || part == .change)
      return TransactionPhase(
        isOpen: (Self.transaction(in: state.held)?.depth ?? 0) > 0, isTold: isTold,
        isToldHere: isTold && state.lane.isInsideSink(), isBusy: isBusy)
    }
  }

  var phase: TransactionPhase { ownPhase }

  private func settle(_ joining: Joining<Value>) {
    hub.inspect { state, _ in
      guard let transaction = Self.transaction(in: state.held) else { return }
      joining.settle(transaction.value, before: state.lane)
    }
  }

  private func greet(_ joining: Joining<Value>) -> Value {
    settle(joining)
    if let value = joining.take() { return value }
    // Another thread is still attaching the inputs: what they hold now is the newest there is.
    hub.inspect { state, _ in joining.settle(nil, before: state.lane) }
    return value
  }
}
