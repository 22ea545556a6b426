import Gathering
import Synchronization

/// What callbacks leave for the loop of a watch, in order.
final class Inbox: Sendable {
  /// Something a source or the context told.
  enum Item: Sendable {
    case update(session: UInt32, Update)
    case event(session: UInt32, SourceEvent)
    /// An instance came or went.
    case instance(SourceEvent)
  }

  private let items = Mutex<[Item]>([])

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
