/// Weakly referenced objects, which may be freed at any time, in the order they were added.
///
/// Reading a weak reference makes a strong one for a moment, which may become the last. So none is
/// read under the lock; the caller releases the strong references.
public final class WeakList<Object: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    let number: UInt64
    weak let object: Object?
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var lastNumber: UInt64 = 0
    /// The number of entries at which vacant ones are removed.
    var limit = 8
  }

  private let state = Lock(State())

  /// An empty list.
  public init() {}

  /// Adds an object at the end.
  public func add(_ object: Object) {
    let crowd = state.withLock { state -> [Entry] in
      state.lastNumber += 1
      state.entries.append(Entry(number: state.lastNumber, object: object))
      return state.entries.count > state.limit ? state.entries : []
    }
    if !crowd.isEmpty { forget(crowd.filter { $0.object == nil }) }
  }

  /// How many entries there are, vacant ones included.
  package var count: Int { state.withLock { $0.entries.count } }

  /// The objects that are still alive.
  public var objects: [Object] { state.withLock { $0.entries }.compactMap { $0.object } }

  private func forget(_ vacant: [Entry]) {
    let numbers = Set(vacant.map { $0.number })
    state.withLock { state in
      state.entries.removeAll { numbers.contains($0.number) }
      state.limit = max(8, state.entries.count * 2)
    }
  }
}
