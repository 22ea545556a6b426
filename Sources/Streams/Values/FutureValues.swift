import Ground

/// The new side of the changes of each transaction, without an initial value.
struct FutureValues<Origin: ObservableValue>: ValueStream {
  typealias Value = Origin.Value

  let origin: Origin

  func subscribe(_ sink: Sink<Value>) -> Connection {
    // If the end of a transaction carries everything, the sink need not receive its parts.
    if let held = origin as? any HeldValue<Value> { return held.joinFutureValues(sink) }
    let updates = origin.updates
    let latest = Pending<Value>()
    return updates.subscribe(
      Sink(wantsFinalValue: false) { update in
        switch update {
        case .begin: latest.clear()
        case .change(let change): latest.merge(change.new) { _, new in new }
        case .end: if let value = latest.take() { sink.receive(value) }
        }
      })
  }
}

/// The part that one subscriber has received of a transaction that has not ended yet.
final class Pending<Content: Sendable>: Sendable {
  private let content = Lock<Content?>(nil)

  func clear() { _ = take() }

  func take() -> Content? {
    content.withLock { $0.take() }
  }

  func merge(_ new: Content, _ join: (Content, Content) -> Content) {
    // Only the drain calls this, so nothing is lost between the two locks; replaced values are
    // released outside them.
    let merged = take().map { join($0, new) } ?? new
    content.withLock { $0 = merged }
  }
}
