import Ground

extension ObservableValue {
  /// This value, silent during a transaction, its `value` included.
  ///
  /// When a transaction has changed something, one of its own with the merged change follows. It
  /// works from its creation on, observed or not, until it is released.
  public func buffered() -> any ObservableValue<Value> { BufferedValue(self) }
}

/// A copy of a value that changes only between the transactions of its input.
final class BufferedValue<Value: Sendable>: ObservableValue {
  let broadcaster: Broadcaster<Step<Value>, Transaction<Value>>
  let receivers = Receivers<Value>()
  private let origin: any ObservableValue<Value>
  private let input = Lock<Connection?>(nil)

  init(_ origin: any ObservableValue<Value>) {
    broadcaster = Broadcaster(cascadeLimit: 100_000, held: Transaction(origin.value))
    self.origin = origin
    let latest = Pending<Value>()
    let sink = Sink<TransactionEvent<ValueChange<Value>>>(wantsFinalValue: false) {
      [weak self] update in
      switch update {
      case .begin: latest.clear()
      case .change(let change): latest.merge(change.new) { $1 }
      case .end: if let new = latest.take() { self?.report(new) }
      }
    }
    let following = origin.startFollowing(Follower(sink))
    input.withLock { $0 = following.connection }
  }

  var value: Value { broadcaster.read { $0.value } }

  var updates: any ValueStream<TransactionEvent<ValueChange<Value>>> { Updates(owner: self) }

  func subscribe(_ sink: Sink<Value>) -> Connection { joinValues(sink) }

  private func report(_ new: Value) {
    _ = broadcaster.place { state, isInside in
      state.held.report(new, in: &state.queue, isInside: isInside)
    }
  }
}

extension BufferedValue: HeldValue {
  typealias Item = Step<Value>
  typealias Held = Transaction<Value>

  static func transaction(in held: Transaction<Value>) -> Transaction<Value>? { held }
}
