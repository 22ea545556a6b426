import Gathering
import Ground

/// The samples of a reader, in the order they came, as many as it holds.
final class ReaderQueue: UpdateTap {
  enum Overflow { case dropOldest, dropNewest, block }

  struct State {
    fileprivate let capacity: Int
    fileprivate let overflow: Overflow
    private var batches: [Batch] = []
    /// How many samples wait to be read; what waits behind a reader that blocks is not among them.
    private(set) var queued = 0
    private(set) var delivered: UInt64 = 0
    private(set) var dropped: UInt64 = 0
    fileprivate var isClosed = false
    /// Sources whose next reading comes after a gap.
    private var gaps: Set<UInt32> = []
    /// What waits behind a full reader that blocks, by source, and how many there were.
    private var behind: [UInt32: ReaderBacklog] = [:]
    private var serial: UInt64 = 0

    fileprivate init(capacity: Int, overflow: Overflow) {
      self.capacity = capacity
      self.overflow = overflow
    }
  }

  let state: Monitor<State>
  /// Readable while samples are queued.
  let wake: WakeDescriptor

  init(capacity: Int, overflow: Overflow) throws(SystemError) {
    wake = try WakeDescriptor()
    state = Monitor(State(capacity: capacity, overflow: overflow))
  }

  /// Takes no more, and wakes who waits.
  func close() {
    state.withLock { $0.isClosed = true }
    wake.signal()
    state.signalAll()
  }

  // MARK: Filling: called under the context's lock

  func store(_ samples: [Sample], from session: UInt32) {
    store(Batch(source: session, content: .reading(samples)))
  }

  func store(_ rows: RowSlice, from session: UInt32) {
    store(Batch(source: session, content: .rows(rows)))
  }

  private func store(_ batch: Batch) {
    let isFirst = state.withLock { state -> Bool in
      guard !state.isClosed, batch.count > 0 else { return false }
      let wasEmpty = state.queued == 0
      state.store(batch)
      return wasEmpty && state.queued > 0
    }
    if isFirst { wake.signal() }
    state.signalAll()
  }

  // MARK: Taking

  /// Waits until something is queued (by `body`) and takes it; nil when the time is up.
  func take<Answer>(timeout: Int64, _ body: (inout State) -> Answer?) throws -> Answer? {
    let moment = timeout < 0 ? nil : Monitor<State>.moment(after: timeout)
    let outcome = state.wait(until: moment) { state -> Result<Answer, SourceError>? in
      state.isClosed ? .failure(.closed) : body(&state).map(Result.success)
    }
    guard let answer = try outcome?.get() else { return nil }
    wake.drain()
    if state.withLock({ $0.queued > 0 }) { wake.signal() }
    return answer
  }
}

extension ReaderQueue {
  /// Counts samples of a source that were taken as lost: they cannot be handed out.
  func lose(_ count: Int, of source: UInt32) {
    state.withLock { $0.lose(count, of: source) }
  }
}

/// What a reader decides about its queue, under its lock.
extension ReaderQueue.State {
  /// A sample on its way out, with its place in the reading.
  typealias Taken = (sample: Sample, property: Int, source: UInt32)

  /// Takes a batch in, or what there is room for.
  fileprivate mutating func store(_ batch: ReaderQueue.Batch) {
    switch overflow {
    case .dropOldest:
      enter(batch)
      dropOldest(until: capacity)
    case .dropNewest:
      let fitting = batch.fitting(into: capacity - queued, isEmpty: queued == 0)
      enter(batch, cutTo: fitting)
    case .block:
      if behind.isEmpty && batch.count <= capacity - queued { return enter(batch) }
      serial += 1
      var last = batch
      last.serial = serial
      dropped += UInt64(behind[batch.source, default: ReaderBacklog()].append(last))
      refill()
    }
  }

  /// Queues a batch, or its first samples; those that do not fit are lost.
  private mutating func enter(_ new: ReaderQueue.Batch, cutTo fitting: Int? = nil) {
    var batch = new
    let lost = fitting == 0 ? batch.count : fitting.map { batch.cutEnd(to: $0) } ?? 0
    if fitting != 0 {
      if gaps.remove(batch.source) != nil { batch.hasGap = true }
      queued += batch.count
      batches.append(batch)
    }
    guard lost > 0 else { return }
    dropped += UInt64(lost)
    gaps.insert(batch.source)
  }

  /// Lets in what waits behind, the oldest first, as far as there is room.
  private mutating func refill() {
    while let next = behind.values.compactMap(\.first).min(by: { $0.serial < $1.serial }) {
      let fitting = next.fitting(into: capacity - queued, isEmpty: queued == 0)
      guard fitting > 0, let batch = behind[next.source]?.takeFirst(rows: fitting / next.width)
      else { return }
      if behind[next.source]?.first == nil { behind[next.source] = nil }
      enter(batch, cutTo: min(fitting, batch.count))
    }
  }

  /// Takes up to a number of samples; nil if there are none.
  mutating func takeSamples(_ number: Int) -> [Taken]? {
    guard queued > 0 else { return nil }
    var taken: [Taken] = []
    taken.reserveCapacity(min(number, queued))
    var used = 0
    while used < batches.count && taken.count < number {
      let batch = batches[used]
      let end = min(batch.count, batch.taken + number - taken.count)
      for place in batch.taken..<end {
        let (sample, property) = batch.sample(at: place)
        taken.append((sample, property, batch.source))
      }
      batches[used].taken = end
      if end == batch.count { used += 1 }
    }
    batches.removeFirst(used)
    queued -= taken.count
    delivered += UInt64(taken.count)
    refill()
    return taken
  }

  /// Moves samples that were taken from those delivered to those dropped.
  fileprivate mutating func lose(_ count: Int, of source: UInt32) {
    delivered -= UInt64(count)
    dropped += UInt64(count)
    gaps.insert(source)
  }

  /// Takes all whole batches of one source (nil: of the oldest); nil if there are none.
  mutating func takeBatches(
    of wanted: UInt32?
  ) -> (source: UInt32, batches: [ReaderQueue.Batch])? {
    let source = wanted ?? batches.first(where: \.isWhole)?.source
    guard let source else { return nil }
    let whole = batches.filter { $0.source == source && $0.isWhole }
    guard !whole.isEmpty else { return nil }
    batches.removeAll { $0.source == source && $0.isWhole }
    let count = whole.reduce(0) { $0 + $1.count }
    queued -= count
    delivered += UInt64(count)
    refill()
    return (source, whole)
  }

  /// Drops the oldest samples until no more than a number are queued: whole readings, except of
  /// one that alone is larger than the queue.
  private mutating func dropOldest(until capacity: Int) {
    var used = 0
    while queued > capacity && used < batches.count - 1 {
      let excess = queued - capacity
      let batch = batches[used]
      let lost = excess >= batch.rest ? batch.rest : batch.wholeReadings(of: excess)
      drop(lost, of: used)
      if batches[used].rest == 0 { used += 1 }
    }
    batches.removeFirst(used)
    let excess = queued - capacity
    if excess > 0, let batch = batches.first {
      drop(batch.rowCount > 1 ? batch.wholeReadings(of: excess) : excess, of: 0)
    }
    guard !gaps.isEmpty else { return }
    for index in batches.indices where gaps.remove(batches[index].source) != nil {
      batches[index].hasGap = true
    }
  }

  private mutating func drop(_ count: Int, of place: Int) {
    queued -= count
    dropped += UInt64(count)
    gaps.insert(batches[place].source)
    batches[place].taken += count
    batches[place].cut()
  }
}
