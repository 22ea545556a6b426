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
  /// Adds a follower; `start` learns the value it starts from.
  func joinUpdates(_ follower: Follower<Value>, _ start: StartingPoint<Value>) -> Connection {
    join(receivers.transactions(follower, start), follower.hearing, start) { transaction in
      guard let transaction else { return DirectedValue(part: .whole) { nil } }
      return transaction.depth > 0 ? DirectedValue(part: .begin) { .begin } : nil
    }
  }
}

/// Records whether a subscriber has received a begin without its end.
final class UpdateBracket: Sendable {
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
