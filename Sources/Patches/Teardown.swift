import Ground
import Streams

/// An object that a patch held, and that is let go with it.
protocol Spent: AnyObject, Sendable {
  /// Releases what it holds.
  func letGo()
}

/// Releases the content of patches, one object after the other.
///
/// A chain is freed link by link from its end. If each link were released where the one before it
/// ends, releases would nest as deep as the chain is long and overflow the stack.
final class Teardown: Sendable {
  /// The objects to release, by the thread that releases them.
  private let waiting = Lock<[UInt: [any Spent]]>([:])

  /// Releases all items before it returns. A nested call on the same thread only queues its items.
  func letGo(_ items: [any Spent]) {
    let thread = CurrentThread.identity
    let isFirst = waiting.withLock { waiting in
      let isFirst = waiting[thread] == nil
      waiting[thread, default: []].append(contentsOf: items.reversed())
      return isFirst
    }
    guard isFirst else { return }
    while let item = next(on: thread) { item.letGo() }
  }

  private func next(on thread: UInt) -> (any Spent)? {
    waiting.withLock { waiting in
      if let item = waiting[thread]?.popLast() { return item }
      waiting[thread] = nil
      return nil
    }
  }
}
