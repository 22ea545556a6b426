import CGatheredKit
import Gathering
import Machine

/// A bounded queue of readings, filled as they are gathered, whether or not the context is
/// dispatched.
final class ReaderObject: HandleObject, UpdateTap, @unchecked Sendable {
  // Safe: everything mutable is in monitors.
  enum Overflow { case dropOldest, dropNewest, block }

  /// One reading of one source.
  struct Row {
    let source: UInt32
    var samples: [Sample]
    /// How many of its samples were taken already.
    var taken = 0
  }

  struct State {
    var rows: [Row] = []
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
    let wasEmpty = state.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      var samples = samples
      if state.gaps.remove(session) != nil {
        for index in samples.indices { samples[index].flags.insert(.gap) }
      }
      let wasEmpty = state.queued == 0
      if overflow == .dropNewest, state.queued + samples.count > capacity, !wasEmpty {
        state.dropped += UInt64(samples.count)
        state.gaps.insert(session)
        return false
      }
      if overflow == .dropNewest, samples.count > capacity {
        state.dropped += UInt64(samples.count - capacity)
        samples.removeLast(samples.count - capacity)
      }
      state.rows.append(Row(source: session, samples: samples))
      state.queued += samples.count
      if overflow == .dropOldest { state.dropOldest(until: capacity) }
      return wasEmpty
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

  var hasRoom: Bool { reader?.hasRoom ?? true }
}

extension ReaderObject.State {
  /// A sample on its way out, with its place in the reading.
  typealias Taken = (sample: Sample, property: Int, source: UInt32)

  /// Takes up to a number of samples; nil if there are none.
  fileprivate mutating func takeSamples(_ capacity: Int) -> [Taken]? {
    guard queued > 0 else { return nil }
    var taken: [Taken] = []
    var used = 0
    while used < rows.count && taken.count < capacity {
      while rows[used].taken < rows[used].samples.count && taken.count < capacity {
        let index = rows[used].taken
        taken.append((rows[used].samples[index], index, rows[used].source))
        rows[used].taken += 1
      }
      if rows[used].taken == rows[used].samples.count { used += 1 }
    }
    rows.removeFirst(used)
    queued -= taken.count
    delivered += UInt64(taken.count)
    return taken
  }

  /// Takes all whole readings of one source (nil: of the oldest); nil if there are none.
  mutating func takeRows(of wanted: UInt32?) -> (source: UInt32, rows: [[Sample]])? {
    let source = wanted ?? rows.first { $0.taken == 0 }?.source
    guard let source else { return nil }
    let whole = rows.filter { $0.source == source && $0.taken == 0 }.map(\.samples)
    guard !whole.isEmpty else { return nil }
    rows.removeAll { $0.source == source && $0.taken == 0 }
    let count = whole.reduce(0) { $0 + $1.count }
    queued -= count
    delivered += UInt64(count)
    return (source, whole)
  }

  /// Drops the oldest readings until no more than a number of samples are queued; the newest stays.
  fileprivate mutating func dropOldest(until capacity: Int) {
    var used = 0
    while queued > capacity && used < rows.count - 1 {
      let rest = rows[used].samples.count - rows[used].taken
      queued -= rest
      dropped += UInt64(rest)
      gaps.insert(rows[used].source)
      used += 1
    }
    rows.removeFirst(used)
    // A reading larger than the whole queue keeps its end.
    let excess = queued - capacity
    if excess > 0, !rows.isEmpty {
      rows[0].taken += excess
      queued -= excess
      dropped += UInt64(excess)
      gaps.insert(rows[0].source)
    }
    for index in rows.indices where gaps.remove(rows[index].source) != nil {
      for sample in rows[index].samples.indices {
        rows[index].samples[sample].flags.insert(.gap)
      }
    }
  }
}
