import Gathering

extension ReaderObject.Batch {
  /// How many samples a reading has.
  var width: Int {
    switch content {
    case .reading(let samples): samples.count
    case .rows(let slice): slice.propertyCount
    }
  }

  /// How many readings there are.
  var rowCount: Int {
    switch content {
    case .reading: 1
    case .rows(let slice): slice.rowCount
    }
  }

  /// How many samples there are, those taken included.
  var count: Int { width * rowCount }

  /// How many samples are left.
  var rest: Int { count - taken }

  /// The sample at a place, reading after reading.
  func sample(at place: Int) -> (sample: Sample, property: Int) {
    let (row, property) = place.quotientAndRemainder(dividingBy: width)
    var sample: Sample
    switch content {
    case .reading(let samples): sample = samples[property]
    case .rows(let slice): sample = slice.sample(row: row, property: property)
    }
    if hasGap && row == 0 { sample.flags.insert(.gap) }
    return (sample, property)
  }
}

/// What a reader decides about its queue, under its lock.
extension ReaderObject.State {
  /// A sample on its way out, with its place in the reading.
  typealias Taken = (sample: Sample, property: Int, source: UInt32)

  /// Queues a batch; whether the queue was empty before.
  mutating func store(
    _ new: ReaderObject.Batch, capacity: Int, overflow: ReaderObject.Overflow
  ) -> Bool {
    guard new.count > 0 else { return false }
    var batch = new
    if gaps.remove(batch.source) != nil { batch.hasGap = true }
    let wasEmpty = queued == 0
    if overflow == .dropNewest, queued + batch.count > capacity, !wasEmpty {
      dropped += UInt64(batch.count)
      gaps.insert(batch.source)
      return false
    }
    if overflow == .dropNewest, batch.count > capacity {
      dropped += UInt64(batch.cutEnd(to: capacity))
      gaps.insert(batch.source)
    }
    queued += batch.count
    batches.append(batch)
    if overflow == .dropOldest { dropOldest(until: capacity) }
    return wasEmpty
  }

  /// Takes up to a number of samples; nil if there are none.
  mutating func takeSamples(_ capacity: Int) -> [Taken]? {
    guard queued > 0 else { return nil }
    var taken: [Taken] = []
    taken.reserveCapacity(min(capacity, queued))
    var used = 0
    while used < batches.count && taken.count < capacity {
      let batch = batches[used]
      let end = min(batch.count, batch.taken + capacity - taken.count)
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
    return taken
  }

  /// Takes all whole batches of one source (nil: of the oldest); nil if there are none.
  mutating func takeBatches(
    of wanted: UInt32?
  ) -> (source: UInt32, batches: [ReaderObject.Batch])? {
    let source = wanted ?? batches.first { $0.taken == 0 }?.source
    guard let source else { return nil }
    let whole = batches.filter { $0.source == source && $0.taken == 0 }
    guard !whole.isEmpty else { return nil }
    batches.removeAll { $0.source == source && $0.taken == 0 }
    let count = whole.reduce(0) { $0 + $1.count }
    queued -= count
    delivered += UInt64(count)
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

extension ReaderObject.Batch {
  /// A number of samples rounded up to the end of a reading.
  fileprivate func wholeReadings(of count: Int) -> Int {
    let inside = (taken + count) % width
    return min(rest, inside == 0 ? count : count + width - inside)
  }

  /// Lets go of what is more than a capacity; the number of samples that was. Of rows of a stream
  /// at least one is kept, whole.
  fileprivate mutating func cutEnd(to capacity: Int) -> Int {
    let before = count
    switch content {
    case .reading(let samples): content = .reading(Array(samples.prefix(capacity)))
    case .rows(let slice): content = .rows(slice.prefix(max(capacity / width, 1)))
    }
    return before - count
  }

  /// Lets go of whole rows that were dropped, so that what is left is whole again.
  fileprivate mutating func cut() {
    guard case .rows(let slice) = content, taken > 0, taken % width == 0, rest > 0 else { return }
    content = .rows(slice.dropping(taken / width))
    taken = 0
  }
}
