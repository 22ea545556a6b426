import Gathering
import Ground
import Streams

/// The values of a loop behind their lock.
///
/// Ports and kinds refer to it, and not to the loop, which is referred to weakly: that makes every
/// reference dear.
final class LoopValues: Sendable {
  private let queue = Lock(PatchQueue(), rank: .node)
  private let contextQueue: ContextQueue?
  private let clock: any Clock

  init(contextQueue: ContextQueue?, clock: any Clock) {
    self.contextQueue = contextQueue
    self.clock = clock
  }

  /// Decides something; by the rules of locks.
  @inline(__always)
  func withLock<Answer>(_ body: (inout PatchQueue) -> Answer) -> Answer { queue.withLock(body) }

  /// The present for samples published from outside.
  var instant: (time: Int64, realtime: Int64) {
    if let contextQueue { return contextQueue.instant }
    let now = clock.now.nanoseconds
    return (now, now)
  }

  /// Makes a sample the last one of a port and queues it, if the port has a listener.
  func publish(_ sample: inout Sample, on port: PortKey) -> PatchQueue.Placing {
    let placing = queue.withLock { $0.place(&sample, on: port) }
    guard case .untimed = placing else { return placing }
    let instant = instant
    sample.stamp(time: instant.time, realtime: instant.realtime)
    return queue.withLock { $0.place(&sample, on: port) }
  }
}
