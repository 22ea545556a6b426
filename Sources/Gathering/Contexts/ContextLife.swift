import Ground
import Synchronization
import Values

/// The part of a context that most calls need: whether it is open, its clock, its turn.
///
/// Weak references to a context make each retain of it slow. There are none to this object.
package final class ContextLife: Sendable {
  /// In a forked child nothing of the context may be used.
  let fork = ForkGuard()
  let dispatcher: Dispatcher
  private let clock: any TimeSource
  /// Set with `CoreState.isClosed`, for those that only look.
  private let closed = Atomic<Bool>(false)

  init(_ dispatcher: Dispatcher, clock: any TimeSource) {
    self.dispatcher = dispatcher
    self.clock = clock
  }

  /// Whether the context was closed, or belongs to the parent of a forked process.
  package var isClosed: Bool { fork.isForked || closed.load(ordering: .acquiring) }

  /// The present instant on the clock samples carry.
  var now: Instant { clock.now }

  /// Refuses calls in a fork's child and after `close` (sources C6, T8).
  func check() throws(SourceError) {
    if fork.isForked { throw .forked }
    if closed.load(ordering: .acquiring) { throw .closed }
  }

  /// The context closes.
  func end() { closed.store(true, ordering: .releasing) }

  /// A payload at the present moment.
  func stamped(_ value: Value, flags: SampleFlags = .isNew) -> Sample {
    stamped(Sample(value, flags: flags))
  }

  /// A sample with the times of the present moment.
  @inline(__always)
  func stamped(_ sample: Sample) -> Sample {
    let now = now
    var stamped = sample
    stamped.stamp(time: now.boot, realtime: now.realtime)
    return stamped
  }
}
