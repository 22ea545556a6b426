/// The ends of the transactions of an observable.
struct Ticks<Change: Sendable>: ValueStream {
  let updates: any ValueStream<TransactionEvent<Change>>

  func subscribe(_ sink: Sink<Void>) -> Connection {
    updates.subscribe(
      Sink(wantsFinalValue: false) { update in
        if case .end = update { sink.receive(()) }
      })
  }
}
