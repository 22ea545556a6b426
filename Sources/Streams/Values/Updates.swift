import Synchronization

/// The transactions of a held value, step by step.
struct Updates<Owner: HeldValue>: ValueStream {
  typealias Value = TransactionEvent<ValueChange<Owner.Value>>

  let owner: Owner

  func subscribe(_ sink: Sink<Value>) -> Connection {
    owner.joinUpdates(Follower(sink), StartingPoint())
  }
}

extension HeldValue {
  /// Adds a sink for the parts of transactions; `start` learns the value they start from.
  func joinUpdates(_ follower: Follower<Value>, _ start: StartingPoint<Value>) -> Connection {
    let (sink, bracket) = (follower.sink, UpdateBracket())
    let takeWhole = follower.takeWhole
    let callbacks = SubscriberCallbacks<Step<Value>>(
      sendFinalValue: finalEnd(of: sink, bracket)
    ) { step in
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
    return join(callbacks, follower.hearing, start) { transaction in
      guard let transaction else { return DirectedValue(part: .whole) { nil } }
      return transaction.depth > 0 ? DirectedValue(part: .begin) { .begin } : nil
    }
  }

  private func finalEnd(
    of sink: Sink<TransactionEvent<ValueChange<Value>>>, _ bracket: UpdateBracket
  ) -> (@Sendable () -> Void)? {
    guard sink.wantsFinalValue else { return nil }
    return { if bracket.ends() { sink.receive(.end) } }
  }
}

/// Records whether a subscriber has received a begin without its end.
private final class UpdateBracket: Sendable {
  private let isOpen = Atomic<Bool>(false)

  /// True when this begin is news to it.
  func begins() -> Bool {
    !isOpen.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Returns true if it had received the begin.
  func ends() -> Bool {
    isOpen.exchange(false, ordering: .acquiringAndReleasing)
  }
}
