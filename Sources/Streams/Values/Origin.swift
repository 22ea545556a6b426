/// The internal interface between the observables of this module.
protocol Origin<Value>: ObservableValue {
  /// Where its transactions stand at this moment.
  var phase: TransactionPhase { get }

  /// Subscribes to `updates` and returns the value from which on they count.
  func follow(_ follower: Follower<Value>) -> (connection: Connection, value: Value)
}

/// Who follows the transactions of a value: a sink, or a node that may take them whole.
struct Follower<Value: Sendable>: Sendable {
  /// Receives the parts.
  let sink: Sink<TransactionEvent<ValueChange<Value>>>
  let hearing: Hearing
  /// Takes in a transaction of one change, to this value.
  let takeWhole: (@Sendable (Value) -> Void)?

  /// A sink.
  init(_ sink: Sink<TransactionEvent<ValueChange<Value>>>) {
    self.sink = sink
    hearing = .parts
    takeWhole = nil
  }

  /// A node.
  init(
    _ sink: Sink<TransactionEvent<ValueChange<Value>>>, as dependant: Dependant,
    _ takeWhole: @escaping @Sendable (Value) -> Void
  ) {
    self.sink = sink
    hearing = .either(dependant)
    self.takeWhole = takeWhole
  }
}

/// Where the transactions of a value stand.
struct TransactionPhase: Sendable {
  /// Whether a transaction is open: between the outermost begin and its end.
  var isOpen = false
  /// A thread is delivering a begin or a change to the sinks.
  var isTold = false
  /// The calling thread is delivering, inside such a sink: values it sets belong to the
  /// transaction.
  var isToldHere = false
  /// A delivery is running, so some subscribers may not have received every change yet.
  var isBusy = false

  /// The phase of two values as one.
  static func | (left: TransactionPhase, right: TransactionPhase) -> TransactionPhase {
    TransactionPhase(
      isOpen: left.isOpen || right.isOpen, isTold: left.isTold || right.isTold,
      isToldHere: left.isToldHere || right.isToldHere, isBusy: left.isBusy || right.isBusy)
  }
}

extension ObservableValue {
  /// Its phase; an observable from outside this module does not report one, and counts as closed.
  var presentPhase: TransactionPhase {
    (self as? any Origin)?.phase ?? TransactionPhase()
  }

  /// Subscribes to `updates` and returns the value from which on they count.
  func startFollowing(
    _ follower: Follower<Value>
  ) -> (connection: Connection, value: Value) {
    if let origin = self as? any Origin<Value> { return origin.follow(follower) }
    let connection = updates.subscribe(follower.sink)
    return (connection, value)
  }
}
