/// Weakly referenced objects, which may be freed at any time, in the order they were added.
///
/// Reading a weak reference makes a strong one for a moment, which may become the last. So none is
/// read under the lock; the caller releases the strong references.
public final class WeakList<Object: AnyObject & Sendable>: Sendable {
  private struct Place: Sendable {
    let number: UInt64
    weak let object: Object?
  }

  private struct State: Sendable {
    var places: [Place] = []
    var lastNumber: UInt64 = 0
    /// The number of places at which vacant ones are removed.
    var limit = 8
  }

  private let state = Lock(State())

  /// An empty list.
  public init() {}

  /// Adds an object at the end.
  public func add(_ object: Object) {
    let crowd = state.withLock { state -> [Place] in
      state.lastNumber += 1
      state.places.append(Place(number: state.lastNumber, object: object))
      return state.places.count > state.limit ? state.places : []
    }
    if !crowd.isEmpty { forget(crowd.filter { $0.object == nil }) }
  }

  /// How many places there are, vacant ones included.
  package var count: Int { state.withLock { $0.places.count } }

  /// The objects that are still alive.
  public var objects: [Object] { state.withLock { $0.places }.compactMap(\.object) }

  private func forget(_ vacant: [Place]) {
    let numbers = Set(vacant.map(\.number))
    state.withLock { state in
      state.places.removeAll { numbers.contains($0.number) }
      state.limit = max(8, state.places.count * 2)
    }
  }
}
