import Ground

/// The samples of a reader, in the order they came, as many as it holds.
final class ReaderQueue: UpdateTap {
  struct State {
    fileprivate let capacity: Int
    fileprivate let overflow: Reader.Overflow
    private var batches: [ReaderBatch] = []
    private(set) var statistics = Reader.Statistics()
    fileprivate var isClosed = false
    /// Sources whose next reading comes after a gap.
    private var gaps: Set<UInt32> = []
    /// What waits behind a full reader that blocks, by source, and how many there were.
    private var behind: [UInt32: ReaderBacklog] = [:]
    private var serial: UInt64 = 0

    fileprivate init(capacity: Int, overflow: Reader.Overflow) {
      self.capacity = capacity
      self.overflow = overflow
    }
  }

  private let state: Monitor<State>
  /// Readable while samples are queued.
  let wake: WakeDescriptor

  init(capacity: Int, overflow: Reader.Overflow) throws(SystemError) {
    wake = try WakeDescriptor()
    state = Monitor(State(capacity: capacity, overflow: overflow))
  }

  /// What went through it so far.
  var statistics: Reader.Statistics { state.withLock { $0.statistics } }

  /// How many more samples there is room for.
  var room: Int { state.withLock { $0.isClosed ? .max : $0.freeRoom } }

  /// Takes no more, and ends all waiting.
  func close() {
    state.withLock { $0.isClosed = true }
    wake.signal()
    state.signalAll()
  }

  // MARK: Filling: called under the context's lock

  func store(_ block: Block, from session: UInt32) {
    store(ReaderBatch(source: session, payload: .reading(block)))
  }

  func store(_ rows: RowSlice, from session: UInt32) {
    store(ReaderBatch(source: session, payload: .rows(rows)))
  }

  private func store(_ batch: ReaderBatch) {
    let isFirst = state.withLock { state -> Bool in
      guard !state.isClosed, batch.count > 0 else { return false }
      let wasEmpty = state.isEmpty
      state.store(batch)
      return wasEmpty && !state.isEmpty
    }
    if isFirst { wake.signal() }
    state.signalAll()
  }

  // MARK: Taking

  /// Waits until `body` takes something, and gives that; nil when the moment has passed.
  func take<Taken>(
    until moment: Int64?, _ body: (inout State) -> Taken?
  ) throws(SourceError) -> Taken? {
    let outcome = state.wait(until: moment) { state -> Result<Taken, SourceError>? in
      state.isClosed ? .failure(.closed) : body(&state).map(Result.success)
    }
    guard let taken = try outcome?.get() else { return nil }
    wake.drain()
    if state.withLock({ !$0.isEmpty }) { wake.signal() }
    return taken
  }

  /// Counts samples of a source that were taken as lost: they cannot be handed out.
  func lose(_ count: Int, of source: UInt32) {
    state.withLock { $0.lose(count, of: source) }
  }
}

/// What a reader decides about its queue, under its lock.
extension ReaderQueue.State {
  /// Whether no sample waits to be read.
  fileprivate var isEmpty: Bool { statistics.queued == 0 }

  /// How many samples more it holds.
  private var room: Int { capacity - statistics.queued }

  /// The same, for what would not have to wait behind others.
  fileprivate var freeRoom: Int { behind.isEmpty ? room : 0 }

  /// Takes a batch in, or what there is room for.
  fileprivate mutating func store(_ batch: ReaderBatch) {
    switch overflow {
    case .dropOldest:
      enter(batch)
      dropOldest(until: capacity)
    case .dropNewest:
      let fitting = batch.fitting(into: room, isEmpty: isEmpty)
      enter(batch, cutTo: fitting)
    case .block:
      if behind.isEmpty && batch.count <= room { return enter(batch) }
      serial += 1
      var last = batch
      last.serial = serial
      statistics.dropped += UInt64(behind[batch.source, default: ReaderBacklog()].append(last))
      refill()
    }
  }

  /// How many rows are joined at most: a small part of what the reader holds, since a full one
  /// drops them bit by bit, and no more than are copied in microseconds.
  private func joinLimit(_ batch: ReaderBatch) -> Int { min(1024, capacity / (16 * batch.width)) }

  /// Queues a batch, or its first samples; those that do not fit are lost.
  private mutating func enter(_ new: ReaderBatch, cutTo fitting: Int? = nil) {
    var batch = new
    let lost = fitting == 0 ? batch.count : fitting.map { batch.cutEnd(to: $0) } ?? 0
    if fitting != 0 {
      if gaps.remove(batch.source) != nil { batch.hasGap = true }
      statistics.queued += batch.count
      if batches.isEmpty || !batches[batches.count - 1].join(batch, upTo: joinLimit(batch)) {
        batches.append(batch)
      }
    }
    guard lost > 0 else { return }
    statistics.dropped += UInt64(lost)
    gaps.insert(batch.source)
  }

  /// Lets in what waits behind, the oldest first, as far as there is room.
  private mutating func refill() {
    while let next = behind.values.compactMap(\.first).min(by: { $0.serial < $1.serial }) {
      let fitting = next.fitting(into: room, isEmpty: isEmpty)
      guard fitting > 0, let batch = behind[next.source]?.takeFirst(rows: fitting / next.width)
      else { return }
      if behind[next.source]?.first == nil { behind[next.source] = nil }
      enter(batch, cutTo: min(fitting, batch.count))
    }
  }

  /// Takes up to a number of samples; nil if there are none.
  mutating func takeSamples(_ number: Int) -> [Reader.Item]? {
    guard statistics.queued > 0 else { return nil }
    var taken: [Reader.Item] = []
    taken.reserveCapacity(min(number, statistics.queued))
    var used = 0
    while used < batches.count && taken.count < number {
      let batch = batches[used]
      let end = batch.taken + min(batch.rest, number - taken.count)
      for place in batch.taken..<end {
        let (sample, property) = batch.sample(at: place)
        taken.append(Reader.Item(sample: sample, property: property, source: batch.source))
      }
      batches[used].taken = end
      if end == batch.count { used += 1 }
    }
    batches.removeFirst(used)
    statistics.queued -= taken.count
    statistics.delivered += UInt64(taken.count)
    refill()
    return taken
  }

  /// Moves samples that were taken from those delivered to those dropped.
  fileprivate mutating func lose(_ count: Int, of source: UInt32) {
    statistics.delivered -= UInt64(count)
    statistics.dropped += UInt64(count)
    gaps.insert(source)
  }

  /// Takes all whole batches of one source (nil: of the oldest); nil if there are none.
  mutating func takeBatches(
    of wanted: UInt32?
  ) -> (source: UInt32, batches: [ReaderBatch])? {
    let source = wanted ?? batches.first(where: \.isWhole)?.source
    guard let source else { return nil }
    let whole = batches.filter { $0.source == source && $0.isWhole }
    guard !whole.isEmpty else { return nil }
    batches.removeAll { $0.source == source && $0.isWhole }
    let count = whole.reduce(0) { $0 + $1.count }
    statistics.queued -= count
    statistics.delivered += UInt64(count)
    refill()
    return (source, whole)
  }

  /// Drops the oldest samples until no more than a number are queued: whole readings, except of
  /// one that alone is larger than the queue.
  private mutating func dropOldest(until capacity: Int) {
    var used = 0
    while statistics.queued > capacity && used < batches.count - 1 {
      let excess = statistics.queued - capacity
      let batch = batches[used]
      let lost = excess >= batch.rest ? batch.rest : batch.wholeReadings(of: excess)
      drop(lost, of: used)
      if batches[used].rest == 0 { used += 1 }
    }
    batches.removeFirst(used)
    let excess = statistics.queued - capacity
    if excess > 0, let batch = batches.first {
      drop(batch.rowCount > 1 ? batch.wholeReadings(of: excess) : excess, of: 0)
    }
    guard !gaps.isEmpty else { return }
    for index in batches.indices where gaps.remove(batches[index].source) != nil {
      batches[index].hasGap = true
    }
  }

  private mutating func drop(_ count: Int, of place: Int) {
    statistics.queued -= count
    statistics.dropped += UInt64(count)
    gaps.insert(batches[place].source)
    batches[place].taken += count
    batches[place].cut()
  }
}
