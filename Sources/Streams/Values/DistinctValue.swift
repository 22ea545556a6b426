extension ObservableValue {
  /// This value, telling of a transaction only if it led to another value.
  ///
  /// Begin and end pass as they come; the merged change comes just before end, if its sides are
  /// not equivalent. `equivalent` must be pure.
  public func distinct(
    by equivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> any ObservableValue<Value> {
    DistinctValue(origin: self, equivalent: equivalent)
  }
}

extension ObservableValue where Value: Equatable {
  /// This value, telling of a transaction only if it led to another value.
  public func distinct() -> any ObservableValue<Value> { distinct(by: ==) }
}

extension UpdatableValue {
  /// This value, telling of a transaction only if it led to another value; writing passes through.
  public func distinct(
    by equivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> any UpdatableValue<Value> {
    let view = DistinctValue(origin: self, equivalent: equivalent)
    return WrittenThrough(view, origins: Origins([self])) { self.set($0) }
  }
}

extension UpdatableValue where Value: Equatable {
  /// This value, telling of a transaction only if it led to another value; writing passes through.
  public func distinct() -> any UpdatableValue<Value> { distinct(by: ==) }
}

/// A value without the transactions that lead nowhere; each subscriber decides for itself.
struct DistinctValue<Value: Sendable>: ObservableValue, Origin {
  let origin: any ObservableValue<Value>
  let equivalent: @Sendable (Value, Value) -> Bool

  var value: Value { origin.value }

  var updates: any ValueStream<TransactionEvent<ValueChange<Value>>> {
    DistinctUpdates(updates: origin.updates, equivalent: equivalent)
  }

  var phase: TransactionPhase { origin.presentPhase }

  func subscribe(_ sink: Sink<Value>) -> Connection {
    let last = Pending<Value>()
    let receiveInitial = { @Sendable (value: Value) in
      last.merge(value) { $1 }
      (sink.receiveInitial ?? sink.receive)(value)
    }
    return origin.subscribe(
      Sink(wantsFinalValue: sink.wantsFinalValue, receiveInitial: receiveInitial) { value in
        // The value before this one is where the transaction began.
        let isNew = last.take().map { !equivalent($0, value) } ?? true
        last.merge(value) { $1 }
        if isNew { sink.receive(value) }
      })
  }

  func follow(_ follower: Follower<Value>) -> (connection: Connection, value: Value) {
    origin.startFollowing(Follower(DistinctUpdates.filtering(follower.sink, by: equivalent)))
  }
}

/// The transactions of an observable, each with its merged change if that leads somewhere.
private struct DistinctUpdates<Value: Sendable>: ValueStream {
  let updates: any ValueStream<TransactionEvent<ValueChange<Value>>>
  let equivalent: @Sendable (Value, Value) -> Bool

  func subscribe(_ sink: Sink<TransactionEvent<ValueChange<Value>>>) -> Connection {
    updates.subscribe(Self.filtering(sink, by: equivalent))
  }

  static func filtering(
    _ sink: Sink<TransactionEvent<ValueChange<Value>>>,
    by equivalent: @escaping @Sendable (Value, Value) -> Bool
  ) -> Sink<TransactionEvent<ValueChange<Value>>> {
    let merged = Pending<ValueChange<Value>>()
    return Sink(wantsFinalValue: sink.wantsFinalValue) { update in
      switch update {
      case .begin:
        merged.clear()
        sink.receive(.begin)
      case .change(let change):
        merged.merge(change) { ValueChange(old: $0.old, new: $1.new) }
      case .end:
        if let change = merged.take(), !equivalent(change.old, change.new) {
          sink.receive(.change(change))
        }
        sink.receive(.end)
      }
    }
  }
}
