import Ground
import Synchronization

/// Replaced lists of listeners, kept until no delivery uses them any more.
final class RetiredLists: Sendable {
  private let lists = Lock<[ListenerList]>([])
  private let isUsed = Atomic<Bool>(false)

  var isEmpty: Bool { !isUsed.load(ordering: .sequentiallyConsistent) }

  func add(_ list: ListenerList) {
    lists.withLock { $0.append(list) }
    isUsed.store(true, ordering: .sequentiallyConsistent)
  }

  /// Lets go of a list, which the caller keeps.
  func remove(_ list: ListenerList) {
    lists.withLock { $0.removeAll { $0 === list } }
  }

  /// Lets go of all of them. For the thread that has the turn, outside of deliveries.
  @inline(__always)
  func sweep() {
    if !isEmpty { letGo() }
  }

  private func letGo() {
    isUsed.store(false, ordering: .sequentiallyConsistent)
    let former = lists.withLock { lists in
      defer { lists = [] }
      return lists
    }
    // As inside a callback: the functions that run when a list is released must not wait for one.
    CallbackDepth.enter()
    withExtendedLifetime(former) {}
    CallbackDepth.leave()
  }
}
