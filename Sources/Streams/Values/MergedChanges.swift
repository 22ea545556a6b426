/// One change per transaction, from the first old value to the last new one.
struct MergedChanges<Value: Sendable>: ValueStream {
  let updates: any ValueStream<TransactionEvent<ValueChange<Value>>>

  func subscribe(_ sink: Sink<ValueChange<Value>>) -> Connection {
    let merged = Pending<ValueChange<Value>>()
    return updates.subscribe(
      Sink(wantsFinalValue: sink.wantsFinalValue) { update in
        switch update {
        case .begin: merged.clear()
        case .change(let change):
          merged.merge(change) { ValueChange(old: $0.old, new: $1.new) }
        case .end: if let change = merged.take() { sink.receive(change) }
        }
      })
  }
}
