import Synchronization

/// The transactions of a held value, step by step.
struct Updates<Owner: HeldValue>: ValueStream {
  typealias Value = Update<ValueChange<Owner.Value>>

  let owner: Owner

  func subscribe(_ sink: Sink<Value>) -> Connection {
    owner.joinUpdates(sink, Joining())
  }
}

extension HeldValue {
  /// Adds a sink for the parts of transactions; `joining` learns the value they start from.
  func joinUpdates(
    _ sink: Sink<Update<ValueChange<Value>>>, _ joining: Joining<Value>
  ) -> Connection {
    let hearing = Hearing()
    let receiver = Receiver<Step<Value>>(farewell: farewell(of: sink, hearing)) { step in
      switch step {
      case .greeting: break
      case .begin: if hearing.begins() { sink.receive(.begin) }
      case .change(let change):
        // It joined between transactions that a sink has since made one.
        if hearing.begins() { sink.receive(.begin) }
        sink.receive(.change(change))
      case .end: if hearing.ends() { sink.receive(.end) }
      }
    }
    return join(receiver, hearsParts: true, joining) { transaction in
      guard let transaction else { return Greeting(part: .whole) { nil } }
      return transaction.depth > 0 ? Greeting(part: .begin) { .begin } : nil
    }
  }

  private func farewell(
    of sink: Sink<Update<ValueChange<Value>>>, _ hearing: Hearing
  ) -> (@Sendable () -> Void)? {
    guard sink.hearsFarewell else { return nil }
    return { if hearing.ends() { sink.receive(.end) } }
  }
}

/// Whether a subscriber has heard a begin without its end.
private final class Hearing: Sendable {
  private let isOpen = Atomic<Bool>(false)

  /// True when this begin is news to it.
  func begins() -> Bool {
    !isOpen.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// True when it had heard the begin.
  func ends() -> Bool {
    isOpen.exchange(false, ordering: .acquiringAndReleasing)
  }
}
