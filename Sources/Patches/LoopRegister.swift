import Gathering
import Ground
import Streams

/// Which loop belongs to which work queue.
///
/// A work queue that is no object has no identity: each patch made on it has a loop of its own.
enum LoopRegister {
  private struct WeakLoop: Sendable {
    weak var loop: PatchLoop?
  }

  private static let loops = Lock<[ObjectIdentifier: WeakLoop]>([:])

  /// The loop of a queue, made when it has none.
  static func loop(of queue: any WorkQueue, clock: any Clock) -> PatchLoop {
    let key = key(of: queue)
    let new = PatchLoop(queue: queue, clock: clock)
    let loop = loops.withLock { loops in
      if let loop = loops[key]?.loop { return loop }
      loops[key] = WeakLoop(loop: new)
      return new
    }
    if loop === new, let contextQueue = new.contextQueue { new.closeWith(contextQueue) }
    return loop
  }

  /// Removes a loop that is being freed, unless another has replaced it.
  static func forget(_ queue: any WorkQueue) {
    let key = key(of: queue)
    // Another queue's loop must not be released under the lock.
    let other = loops.withLock { loops in
      let other = loops[key]?.loop
      if other == nil { loops[key] = nil }
      return other
    }
    withExtendedLifetime(other) {}
  }

  private static func key(of queue: any WorkQueue) -> ObjectIdentifier {
    ObjectIdentifier(queue as AnyObject)
  }
}
