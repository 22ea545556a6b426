import Gathering
import Ground
import Streams

/// Which loop belongs to which work queue.
///
/// A work queue that is no object has no identity: each patch made on it has a loop of its own.
enum LoopRegister {
  private struct Place: Sendable {
    weak var loop: PatchLoop?
  }

  private static let places = Lock<[ObjectIdentifier: Place]>([:])

  /// The loop of a queue, made when it has none.
  static func loop(of queue: any WorkQueue, clock: any Clock) -> PatchLoop {
    let key = key(of: queue)
    let new = PatchLoop(queue: queue, clock: clock)
    let loop = places.withLock { places in
      if let loop = places[key]?.loop { return loop }
      places[key] = Place(loop: new)
      return new
    }
    if loop === new, let contextQueue = new.contextQueue { new.closeWith(contextQueue) }
    return loop
  }

  /// Removes a loop that is being freed, unless another has replaced it.
  static func forget(_ queue: any WorkQueue) {
    let key = key(of: queue)
    // Another queue's loop must not be released under the lock.
    let other = places.withLock { places in
      let other = places[key]?.loop
      if other == nil { places[key] = nil }
      return other
    }
    withExtendedLifetime(other) {}
  }

  private static func key(of queue: any WorkQueue) -> ObjectIdentifier {
    ObjectIdentifier(queue as AnyObject)
  }
}
