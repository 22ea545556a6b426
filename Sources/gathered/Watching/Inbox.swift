import Ground

/// A queue from callbacks to the loop of a command, in order.
final class Inbox<Item: Sendable>: Sendable {
  private let items = Lock<[Item]>([])

  /// Any thread; called by callbacks.
  func put(_ item: Item) { items.withLock { $0.append(item) } }

  /// Everything since the last call.
  func takeAll() -> [Item] {
    items.withLock { items in
      defer { items = [] }
      return items
    }
  }
}
