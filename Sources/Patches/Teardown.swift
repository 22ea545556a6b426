import Ground
import Streams

/// Lets go of what patches held, one thing after the other.
///
/// A chain is freed link by link from its end. Were each link let go where the one before it ends,
/// that would nest as deep as the chain is long, and fill the stack.
final class Teardown: Sendable {
  /// What a patch held.
  enum Item: Sendable {
    case port(Port)
    case graph(SpentGraph)
  }

  /// What waits, by the thread that is at it.
  private let waiting = Lock<[UInt: [Item]]>([:])

  /// Lets go of all before it returns; called by what is let go of on this thread, only notes it.
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

/// What a graph held that is no more.
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
