/// How the subscribers of a held value receive its steps.
///
/// Made where the type of the value is known, since code that learns it at run time looks up the
/// types made of it, at every step anew. So every held value is made with one.
struct Receivers<Value: Sendable>: Sendable {
  /// For the newest value of every transaction, after the initial one if there is any.
  let values: @Sendable (Sink<Value>, StartingPoint<Value>) -> SubscriberCallbacks<Step<Value>>
  /// For the transactions.
  let transactions:
    @Sendable (Follower<Value>, StartingPoint<Value>) -> SubscriberCallbacks<Step<Value>>

  @inline(__always)
  init() {
    values = { sink, start in
      SubscriberCallbacks<Step<Value>> { step in
        switch step {
        case .initial(let value): (sink.receiveInitial ?? sink.receive)(value)
        case .begin, .change: break
        // Its last change may lie before the subscription, in the initial value.
        case .end(let latest, let changedAt): if start.misses(changedAt) { sink.receive(latest) }
        }
      }
    }
    transactions = { follower, start in
      let (sink, takeWhole, bracket) = (follower.sink, follower.takeWhole, UpdateBracket())
      let sayEnd = { @Sendable in
        if bracket.ends() { sink.receive(.end) }
      }
      let goodbye = sink.wantsFinalValue ? sayEnd : nil
      return SubscriberCallbacks<Step<Value>>(sendFinalValue: goodbye) { step in
        switch step {
        case .initial: break
        case .begin: if bracket.begins() { sink.receive(.begin) }
        case .change(let change):
          // It joined between transactions that a sink has since made one.
          if bracket.begins() { sink.receive(.begin) }
          sink.receive(.change(change))
        case .end(let latest, let changedAt):
          if bracket.ends() {
            sink.receive(.end)
          } else if let takeWhole, changedAt > 0, start.misses(changedAt) {
            // No part of it was told: it is told as a whole.
            takeWhole(latest)
          }
        }
      }
    }
  }
}
