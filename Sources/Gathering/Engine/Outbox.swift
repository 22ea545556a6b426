/// What waits to be delivered to a session's listeners, in order, each with its number.
struct Outbox {
  enum Item {
    case update(Block)
    /// Rows of a stream, one block after the other.
    case rows([RowSlice])
    indirect case event(SourceEvent, [Listener])

    /// Whether it is a delivery of values.
    var isUpdate: Bool {
      switch self {
      case .update, .rows: true
      case .event: false
      }
    }
  }

  private var items: [(serial: UInt64, item: Item)] = []
  private(set) var lastSerial: UInt64 = 0

  var isEmpty: Bool { items.isEmpty }

  /// Whether the oldest is a delivery of values.
  var beginsWithUpdate: Bool { items.first?.item.isUpdate == true }

  /// Appends an item and gives its number.
  mutating func append(_ item: Item) -> UInt64 {
    lastSerial += 1
    items.append((lastSerial, item))
    return lastSerial
  }

  /// Takes the next item up to a number.
  mutating func take(through serial: UInt64) -> Item? {
    guard let first = items.first, first.serial <= serial else { return nil }
    return items.removeFirst().item
  }

  /// Appends rows to the queued ones; beyond a limit the oldest are dropped (sources L18). The
  /// number of the item, and how many rows were dropped.
  mutating func append(_ slice: RowSlice, limit: Int) -> (serial: UInt64, dropped: Int) {
    guard let last = items.indices.last, case .rows(var slices) = items[last].item else {
      return (append(.rows([slice])), 0)
    }
    // Out of the item while it grows, so that nothing is copied.
    items[last].item = .rows([])
    slices.append(slice)
    let excess = max(slices.reduce(0) { $0 + $1.rowCount } - limit, 0)
    items[last].item = .rows(excess > 0 ? slices.dropping(excess) : slices)
    return (items[last].serial, excess)
  }

  /// Takes the undelivered update out, if there is one: a session holds at most one (sources L18).
  mutating func takeUpdate() -> Block? {
    for index in items.indices {
      if case .update(let block) = items[index].item {
        items.remove(at: index)
        return block
      }
    }
    return nil
  }

  /// Drops all but events; whether there was anything.
  mutating func dropUpdates() -> Bool {
    let waiting = items.count
    items.removeAll { $0.item.isUpdate }
    return items.count < waiting
  }

  /// Drops rows of streams.
  mutating func dropRows() {
    items.removeAll { if case .rows = $0.item { true } else { false } }
  }

  /// Replaces each undelivered update.
  mutating func replaceUpdates(_ change: (Block) -> Block) {
    for index in items.indices {
      if case .update(let block) = items[index].item { items[index].item = .update(change(block)) }
    }
  }

  /// Takes everything out, for the caller to release.
  mutating func takeAll() -> [Item] {
    defer { items = [] }
    return items.map(\.item)
  }
}

extension [RowSlice] {
  /// The same rows without the first ones, which were lost.
  func dropping(_ count: Int) -> [RowSlice] {
    var rest = self
    var excess = count
    while let first = rest.first, excess >= first.rowCount {
      excess -= first.rowCount
      rest.removeFirst()
    }
    if let first = rest.first { rest[0] = first.dropping(excess) }
    return rest
  }
}
