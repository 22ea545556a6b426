import CGatheredKit
import Gathering
import Machine

/// A bounded queue of readings, filled as they are gathered, whether or not the context is
/// dispatched.
final class ReaderObject: HandleObject, UpdateTap, @unchecked Sendable {
  // Safe: everything mutable is in monitors.
  enum Overflow { case dropOldest, dropNewest, block }

  /// One delivery of one source: a reading, or rows of a stream.
  struct Batch {
    enum Content: Sendable {
      case reading([Sample])
      case rows(RowSlice)
    }
    let source: UInt32
    var content: Content
    /// Whether something before it was lost in this reader.
    var hasGap = false
    /// How many of its samples were taken or dropped already.
    var taken = 0
  }

  struct State {
    var batches: [Batch] = []
    var queued = 0
    var delivered: UInt64 = 0
    var dropped: UInt64 = 0
    var isClosed = false
    /// Sources whose next reading comes after a gap.
    var gaps: Set<UInt32> = []
    var sources: [SourceObject] = []
  }

  let state = Monitor(State())
  let owner: ContextObject
  private let capacity: Int
  private let overflow: Overflow
  private let wake: WakeDescriptor
  /// What the last read lent.
  private let lent = Monitor(Arena())

  init(of owner: ContextObject, capacity: Int, overflow: Overflow) throws {
    self.owner = owner
    self.capacity = capacity
    self.overflow = overflow
    do {
      wake = try WakeDescriptor()
    } catch {
      throw Failure(Status.io, "no descriptor for a reader", errno: error.code)
    }
    super.init(.reader)
    owner.add(self)
  }

  deinit { close() }

  override var summary: String {
    let (count, queued) = state.withLock { ($0.sources.count, $0.queued) }
    return "reader of \(count) sources, \(queued) samples queued"
  }

  /// Readable while samples are queued.
  var descriptor: Int32 { wake.number }

  /// Adds a source, which the reader keeps; false if it is in already.
  func add(_ source: SourceObject) -> Bool {
    let isNew = state.withLock { state in
      if state.sources.contains(where: { $0 === source }) { return false }
      state.sources.append(source)
      return true
    }
    if isNew { source.source.add(ReaderTap(self)) }
    return isNew
  }

  /// Takes no more, wakes who waits, and lets the sources go.
  func close() {
    let sources = state.withLock { state in
      state.isClosed = true
      defer { state.sources = [] }
      return state.sources
    }
    for source in sources { source.source.removeTaps { ($0 as? ReaderTap)?.reader === self } }
    wake.signal()
    state.signalAll()
  }

  // MARK: Filling: called under the context's lock

  var hasRoom: Bool {
    overflow != .block || state.withLock { $0.queued == 0 || $0.queued < capacity }
  }

  func store(_ samples: [Sample], from session: UInt32) {
    store(Batch(source: session, content: .reading(samples)))
  }

  func store(_ rows: RowSlice, from session: UInt32) {
    store(Batch(source: session, content: .rows(rows)))
  }

  private func store(_ batch: Batch) {
    let wasEmpty = state.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      return state.store(batch, capacity: capacity, overflow: overflow)
    }
    if wasEmpty { wake.signal() }
    state.signalAll()
  }

  // MARK: Taking

  /// Waits until something is queued (by `isWanted`) and takes it; nil when the time is up.
  func take<Answer>(timeout: Int64, _ body: (inout State) -> Answer?) throws -> Answer? {
    let moment = timeout < 0 ? nil : Monitor<State>.moment(after: timeout)
    let outcome = state.wait(until: moment) { state -> Result<Answer, SourceError>? in
      state.isClosed ? .failure(.closed) : body(&state).map(Result.success)
    }
    guard let answer = try outcome?.get() else { return nil }
    settleDescriptor()
    return answer
  }

  /// Fills an array of the host with samples, oldest first; payloads live until the next read.
  func read(
    into out: UnsafeMutablePointer<gkit_sample>, capacity: Int, timeout: Int64
  ) throws -> Int {
    let taken = try take(timeout: timeout) { state in state.takeSamples(capacity) }
    guard let taken else { return 0 }
    let arena = Arena()
    for (index, item) in taken.enumerated() {
      out[index] = arena.sample(item.sample, property: item.property, source: item.source)
    }
    lent.withLock { lent in lent = arena }
    return taken.count
  }

  private func settleDescriptor() {
    wake.drain()
    if state.withLock({ $0.queued > 0 }) { wake.signal() }
  }
}

/// Passes a session's updates to a reader without keeping it.
final class ReaderTap: UpdateTap, @unchecked Sendable {
  // Safe: the reference is set once, here, and otherwise only falls to nil.
  private(set) weak var reader: ReaderObject?

  init(_ reader: ReaderObject) { self.reader = reader }

  func store(_ samples: [Sample], from session: UInt32) {
    reader?.store(samples, from: session)
  }

  func store(_ rows: RowSlice, from session: UInt32) {
    reader?.store(rows, from: session)
  }

  var hasRoom: Bool { reader?.hasRoom ?? true }
}
