import Ground
import Synchronization

/// The starting point of a new subscriber: the value at its place, and the first place that is new
/// to it.
///
/// It is set once, under the lock of the broadcaster.
final class StartingPoint<Value: Sendable>: Sendable {
  private let firstPlace = Atomic<UInt64>(0)
  private let value = Lock<Value?>(nil)

  func settle<Item>(_ present: Value?, before queue: DeliveryQueue<Item>) {
    guard firstPlace.load(ordering: .relaxed) == 0 else { return }
    firstPlace.store(queue.lastPlace &+ 1, ordering: .relaxed)
    value.withLock { $0 = present }
  }

  /// Hands over the value found; nil when it was not settled, or taken before.
  func take() -> Value? {
    value.withLock { $0.take() }
  }

  /// Whether a change at this place is not part of its initial value; no change has the place 0.
  func misses(_ place: UInt64) -> Bool {
    place >= firstPlace.load(ordering: .relaxed)
  }
}
