/// What waits to be delivered to a session's listeners, in order, each with its number.
struct Outbox {
  enum Item {
    case update(Block)
    /// Rows of a stream.
    case rows(WaitingRows)
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

  /// Takes the update out if it is all that waits.
  mutating func takeOnlyUpdate() -> Block? {
    guard items.count == 1, case .update(let block) = items[0].item else { return nil }
    items.removeLast()
    return block
  }

  /// Appends rows to the queued ones; beyond a limit the oldest are dropped (sources L18). The
  /// number of the item, and how many rows were dropped.
  mutating func append(_ slice: RowSlice, limit: Int) -> (serial: UInt64, dropped: Int) {
    guard let last = items.indices.last, case .rows(var rows) = items[last].item else {
      return (append(.rows(WaitingRows(slice))), 0)
    }
    // Out of the item while they grow, so that nothing is copied.
    items[last].item = .rows(WaitingRows())
    let excess = rows.append(slice, limit: limit)
    items[last].item = .rows(rows)
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

/// Rows of a stream that wait, one slice behind the other.
struct WaitingRows {
  /// The slices, of which the first ones may be gone.
  private var all: [RowSlice] = []
  private var gone = 0
  private var count = 0
  /// Makes the last slice longer, up to so many rows, which are copied now and then as it grows.
  private var joiner = RowJoiner()
  private static let joinedLimit = 1024

  init() {}

  init(_ slice: RowSlice) {
    all = [slice]
    count = slice.rowCount
  }

  /// The slices that wait, the oldest first.
  var slices: [RowSlice] { gone == 0 ? all : Array(all[gone...]) }

  /// The last row that waits.
  var latest: Block? { joiner.last ?? all.last?.latest }

  /// Appends a slice; how many of the oldest rows were dropped, so that no more wait than a number.
  mutating func append(_ slice: RowSlice, limit: Int) -> Int {
    if gone < all.count,
      let joined = joiner.join(slice, behind: all[all.count - 1], upTo: Self.joinedLimit)
    {
      all[all.count - 1] = joined
    } else {
      all.append(slice)
      joiner = RowJoiner()
    }
    count += slice.rowCount
    let excess = max(count - limit, 0)
    var rest = excess
    while rest > 0, rest >= all[gone].rowCount {
      rest -= all[gone].rowCount
      gone += 1
    }
    if excess > 0 { all[gone] = all[gone].dropping(rest) }
    // Moved up now and then, so that each slice is moved once in the mean.
    if gone > all.count / 2 {
      all.removeFirst(gone)
      gone = 0
    }
    count -= excess
    return excess
  }
}
