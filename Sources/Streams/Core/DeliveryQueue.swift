import Ground

/// Which part of a transaction an item tells of; a plain value is whole.
enum Part: Sendable {
  case whole, begin, change, end
}

/// Something with a place in the order of a stream.
struct Entry<Item: Sendable>: Sendable {
  enum Content: Sendable {
    case item(Item)
    case directed(Subscription<Item>, @Sendable () -> Item?)
  }

  let part: Part
  let content: Content

  /// Whether it opens or closes a transaction.
  var isBound: Bool { part == .begin || part == .end }
}

/// The order of one stream: who listens from which place on, and what waits to be delivered.
///
/// It only decides; the broadcaster guards it with its lock and carries out what it answers.
struct DeliveryQueue<Item: Sendable>: Sendable {
  private(set) var subscribers = SubscriberList<Item>()
  private var queue: SerialQueue<Entry<Item>>
  /// How many of those that wait open or close a transaction.
  private var waitingBounds = 0
  /// What part is being delivered; stale while idle.
  private(set) var currentPart = Part.whole

  init(cascadeLimit: Int) {
    queue = SerialQueue(cascadeLimit: cascadeLimit)
  }

  var cascadeLimit: Int {
    get { queue.cascadeLimit }
    set { queue.cascadeLimit = newValue }
  }

  /// Whether nothing waits.
  var isEmpty: Bool { queue.isEmpty }

  var lastPlace: UInt64 { queue.lastNumber }

  mutating func takePlace() -> UInt64 { queue.takeNumber() }

  /// Notes that the calling thread starts to drain.
  mutating func start() { queue.start() }

  /// Whether the caller, on a busy stream, is inside one of its sinks.
  func isInsideSink() -> Bool { queue.isInside }

  /// Takes a place for a whole value whose delivery is about to begin.
  mutating func enter() -> UInt64 {
    currentPart = .whole
    return queue.enter()
  }

  /// Gives a value from inside a sink its share of the cascade, any other a cascade of its own;
  /// nil when the cascade is full.
  mutating func admit(inside: Bool) -> UInt64? { queue.admit(isInside: inside) }

  /// The cascade of something that is not counted.
  func root(inside: Bool) -> UInt64 { queue.root(isInside: inside) }

  mutating func append(_ item: Item, root: UInt64, part: Part = .whole) -> UInt64 {
    append(Entry(part: part, content: .item(item)), root: root)
  }

  private mutating func append(_ entry: Entry<Item>, root: UInt64) -> UInt64 {
    if entry.isBound { waitingBounds += 1 }
    return queue.append(entry, root: root)
  }

  /// Adds a subscriber, which hears what takes its place from now on.
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
    let content = Entry.Content.directed(subscription, value.makeItem)
    _ = append(Entry(part: value.part, content: content), root: root)
  }

  /// Takes out a subscriber; with the last one, returns what waits, to be freed by the caller.
  mutating func leave(
    _ subscription: Subscription<Item>
  ) -> SerialQueue<Entry<Item>>.Waiting? {
    guard subscribers.remove(subscription), subscribers.isEmpty, !queue.isEmpty else { return nil }
    return takeWaiting()
  }

  /// Takes out every subscriber and all that waits, for the caller to let go.
  mutating func takeEverything() -> (SubscriberList<Item>, SerialQueue<Entry<Item>>.Waiting) {
    defer { subscribers = SubscriberList() }
    subscribers.markAllGone()
    return (subscribers, takeWaiting())
  }

  private mutating func takeWaiting() -> SerialQueue<Entry<Item>>.Waiting {
    waitingBounds = 0
    return queue.takeAll()
  }

  /// Takes out the entry that has waited longest, its delivery being about to begin.
  mutating func next() -> (entry: Entry<Item>, place: UInt64)? { begun(queue.next()) }

  /// The same, if its place is not behind `place`.
  mutating func next(through place: UInt64) -> (entry: Entry<Item>, place: UInt64)? {
    begun(queue.next(through: place))
  }

  private mutating func begun(
    _ next: SerialQueue<Entry<Item>>.Entry?
  ) -> (entry: Entry<Item>, place: UInt64)? {
    guard let next else { return nil }
    if next.element.isBound { waitingBounds -= 1 }
    currentPart = next.element.part
    return (next.element, next.number)
  }

  /// Takes out the begins and ends that wait, so that what is between them joins what is open.
  mutating func takeWaitingBounds() -> [Entry<Item>] {
    defer { waitingBounds = 0 }
    return queue.removeNewest(waitingBounds, where: \.isBound)
  }
}
