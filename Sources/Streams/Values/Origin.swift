/// What the observables of this module tell each other beyond their public interface.
protocol Origin<Value>: ObservableValue {
  /// Where its transactions stand at this moment.
  var phase: TransactionPhase { get }

  /// Subscribes to `updates` and returns the value from which on they count.
  func follow(
    _ sink: Sink<TransactionEvent<ValueChange<Value>>>
  ) -> (connection: Connection, value: Value)
}

/// Where the transactions of a value stand.
struct TransactionPhase: Sendable {
  /// Between the call of an outermost begin and that of its end.
  var isOpen = false
  /// Some thread is telling the sinks of a begin or a change.
  var isTold = false
  /// It is the calling thread, inside such a sink: what it sets belongs to the transaction.
  var isToldHere = false
  /// Something is being told, so some subscribers may not have heard of every change yet.
  var isBusy = false

  /// The phase of two values as one.
  static func | (left: TransactionPhase, right: TransactionPhase) -> TransactionPhase {
    TransactionPhase(
      isOpen: left.isOpen || right.isOpen, isTold: left.isTold || right.isTold,
      isToldHere: left.isToldHere || right.isToldHere, isBusy: left.isBusy || right.isBusy)
  }
}

extension ObservableValue {
  /// Its phase; an observable from elsewhere never tells, and counts as closed.
  var presentPhase: TransactionPhase {
    (self as? any Origin)?.phase ?? TransactionPhase()
  }

  /// Subscribes to `updates` and returns the value from which on they count.
  func startFollowing(
    _ sink: Sink<TransactionEvent<ValueChange<Value>>>
  ) -> (connection: Connection, value: Value) {
    if let origin = self as? any Origin<Value> { return origin.follow(sink) }
    let connection = updates.subscribe(sink)
    return (connection, value)
  }
}
