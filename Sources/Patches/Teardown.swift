import Ground
import Streams

/// Releases the content of patches, one object after the other.
///
/// A chain is freed link by link from its end. If each link were released where the one before it
/// ends, releases would nest as deep as the chain is long and overflow the stack.
final class Teardown: Sendable {
  /// An object that a patch held.
  enum Item: Sendable {
    case port(Port)
    case graph(SpentGraph)
  }

  /// The objects to release, by the thread that releases them.
  private let waiting = Lock<[UInt: [Item]]>([:])

  /// Releases all items before it returns. A nested call on the same thread only queues its items.
  func letGo(_ items: [Item]) {
    let thread = CurrentThread.identity
    let isFirst = waiting.withLock { waiting in
      let isFirst = waiting[thread] == nil
      waiting[thread, default: []].append(contentsOf: items.reversed())
      return isFirst
    }
    guard isFirst else { return }
    while let item = next(on: thread) {
      switch item {
      case .port(let port): port.remove()
      case .graph(let graph): graph.letGo()
      }
    }
  }

  private func next(on thread: UInt) -> Item? {
    waiting.withLock { waiting in
      if let item = waiting[thread]?.popLast() { return item }
      waiting[thread] = nil
      return nil
    }
  }
}

/// The content of a graph that is being freed.
final class SpentGraph: Sendable {
  private let content: Lock<GraphContent?>

  init(_ content: GraphContent) {
    self.content = Lock(content)
  }

  func letGo() {
    let former = content.withLock { $0.take() }
    withExtendedLifetime(former) {}
  }
}
