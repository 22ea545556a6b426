import Ground

/// The part of a transaction an item represents; a plain value is whole.
enum Part: Sendable {
  case whole, begin, change, end
}

/// Something with a place in the order of a stream.
struct Entry<Item: Sendable>: SerialEntry {
  enum Content: Sendable {
    case item(Item)
    case directed(Subscription<Item>, @Sendable () -> Item?)
  }

  let place: UInt64
  /// The place of the value that began its cascade.
  let root: UInt64
  let part: Part
  let content: Content

  /// Whether it opens or closes a transaction.
  var isBound: Bool { part == .begin || part == .end }
}

/// The order of one stream: its subscribers with their first places, and the queued items.
///
/// It only makes decisions; the broadcaster guards it with its lock and carries them out.
struct DeliveryQueue<Item: Sendable>: Sendable {
  private(set) var subscribers = SubscriberList<Item>()
  private var queue: SerialQueue<Entry<Item>>
  /// The number of queued items that open or close a transaction.
  private var waitingBounds = 0
  /// The part being delivered; stale while idle.
  private(set) var currentPart = Part.whole

  init(cascadeLimit: Int) {
    queue = SerialQueue(cascadeLimit: cascadeLimit)
  }

  var cascadeLimit: Int {
    get { queue.cascadeLimit }
    set { queue.cascadeLimit = newValue }
  }

  /// Whether nothing waits.
  @inline(__always)
  var isEmpty: Bool { queue.isEmpty }

  @inline(__always)
  var lastPlace: UInt64 { queue.lastNumber }

  @inline(__always)
  mutating func takePlace() -> UInt64 { queue.takeNumber() }

  /// Notes that the calling thread starts to drain.
  @inline(__always)
  mutating func start() { queue.start() }

  /// Whether the caller, on a busy stream, is inside one of its sinks.
  @inline(__always)
  func isInsideSink() -> Bool { queue.isInside }

  /// Takes a place for a whole value whose delivery is about to begin.
  @inline(__always)
  mutating func enter() -> UInt64 {
    currentPart = .whole
    return queue.enter()
  }

  /// Gives a value from inside a sink its share of the cascade, any other a cascade of its own;
  /// nil when the cascade is full.
  @inline(__always)
  mutating func admit(inside: Bool) -> UInt64? { queue.admit(isInside: inside) }

  /// The cascade of something that is not counted.
  @inline(__always)
  func root(inside: Bool) -> UInt64 { queue.root(isInside: inside) }

  mutating func append(_ item: Item, root: UInt64, part: Part = .whole) -> UInt64 {
    append(.item(item), root: root, part: part)
  }

  private mutating func append(
    _ content: Entry<Item>.Content, root: UInt64, part: Part
  ) -> UInt64 {
    let entry = Entry(place: takePlace(), root: root, part: part, content: content)
    queue.append(entry)
    if entry.isBound { waitingBounds += 1 }
    return entry.place
  }

  /// Adds a subscriber, which receives items placed from now on.
  mutating func join(_ subscription: Subscription<Item>) {
    subscribers.add(subscription, first: lastPlace &+ 1)
  }

  /// Adds a subscriber in the place of another in the list, or at its end.
  mutating func join(
    _ subscription: Subscription<Item>, replacing former: Subscription<Item>?
  ) {
    let first = lastPlace &+ 1
    if let former, subscribers.replace(former, by: subscription, first: first) { return }
    subscribers.add(subscription, first: first)
  }

  mutating func append(
    _ value: DirectedValue<Item>, of subscription: Subscription<Item>, root: UInt64
  ) {
    _ = append(.directed(subscription, value.makeItem), root: root, part: value.part)
  }

  /// Removes a subscriber; with the last one, returns the queued items, to be freed by the caller.
  mutating func leave(_ subscription: Subscription<Item>) -> FIFO<Entry<Item>>? {
    guard subscribers.remove(subscription), subscribers.isEmpty, !queue.isEmpty else { return nil }
    return takeWaiting()
  }

  /// Removes every subscriber and all queued items, for the caller to release.
  mutating func takeEverything() -> (SubscriberList<Item>, FIFO<Entry<Item>>) {
    defer { subscribers = SubscriberList() }
    subscribers.markAllGone()
    return (subscribers, takeWaiting())
  }

  private mutating func takeWaiting() -> FIFO<Entry<Item>> {
    waitingBounds = 0
    return queue.takeAll()
  }

  /// Takes out the entry that has waited longest, its delivery being about to begin.
  mutating func next() -> Entry<Item>? {
    guard let entry = queue.next() else { return nil }
    if entry.isBound { waitingBounds -= 1 }
    currentPart = entry.part
    return entry
  }

  /// The same, if its place is not behind `place`.
  mutating func next(through place: UInt64) -> Entry<Item>? {
    guard let first = queue.first, first.place <= place else { return nil }
    return next()
  }

  /// Removes the queued begins and ends, so that the items between them join the open transaction.
  mutating func takeWaitingBounds() -> [Entry<Item>] {
    defer { waitingBounds = 0 }
    return queue.removeNewest(waitingBounds, where: \.isBound)
  }
}
