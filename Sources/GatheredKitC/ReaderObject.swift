import CGatheredKit
import Gathering
import Ground

/// A bounded queue of readings, filled as they are gathered, whether or not the context is
/// dispatched.
///
/// It keeps its sources; their sessions keep only its queue, so that gathering never lets go of a
/// reader.
final class ReaderObject: HandleObject, @unchecked Sendable {
  // Safe: everything mutable is in monitors.
  /// The most samples one may hold.
  static let capacityLimit = 1 << 24

  let queue: ReaderQueue
  let owner: ContextObject
  private let kept = Monitor<[SourceObject]>([])
  /// What the last read lent.
  private let lent = Monitor(Arena())

  init(of owner: ContextObject, capacity: Int, overflow: ReaderQueue.Overflow) throws {
    self.owner = owner
    do {
      queue = try ReaderQueue(capacity: capacity, overflow: overflow)
    } catch {
      throw Failure(Status.io, "no descriptor for a reader", errno: error.code)
    }
    super.init(.reader)
    owner.add(self)
  }

  deinit {
    LockRank.expectNoLock("lets go of a reader")
    close()
  }

  override var keeper: ContextObject? { owner }

  override var summary: String {
    "reader of \(sources.count) sources, \(queue.state.withLock { $0.queued }) samples queued"
  }

  /// The sources it reads.
  var sources: [SourceObject] { kept.withLock { $0 } }

  /// Readable while samples are queued.
  var descriptor: Int32 { queue.wake.number }

  /// Adds a source, which the reader keeps; false if it is in already.
  func add(_ source: SourceObject) -> Bool {
    let isNew = kept.withLock { sources in
      if sources.contains(where: { $0 === source }) { return false }
      sources.append(source)
      return true
    }
    if isNew { source.source.add(queue) }
    return isNew
  }

  /// Takes no more, wakes who waits, and lets the sources go.
  func close() {
    let sources = kept.withLock { sources in
      defer { sources = [] }
      return sources
    }
    for source in sources { source.source.removeTaps { $0 === queue } }
    queue.close()
  }

  /// Fills an array of the host with samples, oldest first; payloads live until the next read.
  func read(
    into out: UnsafeMutablePointer<gkit_sample>, capacity: Int, timeout: Int64
  ) throws -> Int {
    let queued = queue.state.withLock { $0.queued }
    if !Room.has(2 * min(capacity, queued) * MemoryLayout<ReaderQueue.State.Taken>.stride) {
      throw Failure.noMemory
    }
    let taken = try queue.take(timeout: timeout) { state in state.takeSamples(capacity) }
    guard let taken else { return 0 }
    let arena = Arena()
    for (index, item) in taken.enumerated() {
      out[index] = arena.sample(item.sample, property: item.property, source: item.source)
    }
    // What the former one lent is let go outside the lock.
    let former = lent.withLock { lent in
      defer { lent = arena }
      return lent
    }
    withExtendedLifetime(former) {}
    return taken.count
  }

  /// Takes all whole readings of one source (nil: of the oldest); nil when the time is up.
  func takeBatches(
    of wanted: SourceObject?, timeout: Int64
  ) throws -> (batches: [ReaderQueue.Batch], source: SourceObject)? {
    let taken = try queue.take(timeout: timeout) { $0.takeBatches(of: wanted?.source.number) }
    guard let taken else { return nil }
    return sources.first { $0.source.number == taken.source }.map { (taken.batches, $0) }
  }
}
