import Ground

/// Which part of a transaction an item tells of; a plain value is whole.
enum Part: Sendable {
  case whole, begin, change, end
}

/// Something with a place in the order of a stream.
struct Entry<Item: Sendable>: Sendable {
  enum Content: Sendable {
    case item(Item)
    case greeting(Subscription<Item>, @Sendable () -> Item?)
  }

  let place: UInt64
  /// The place of the value that began its cascade.
  let root: UInt64
  let part: Part
  let content: Content

  /// Whether it opens or closes a transaction.
  var isBound: Bool { part == .begin || part == .end }
}

/// The order of one stream: who listens from which place on, and what waits to be delivered.
///
/// It only decides; the hub guards it with its lock and carries out what it answers.
struct Lane<Item: Sendable>: Sendable {
  private(set) var roster = Roster<Item>()
  private(set) var waiting = FIFO<Entry<Item>>()
  /// How many of those that wait open or close a transaction.
  private var waitingBounds = 0
  private(set) var lastPlace: UInt64 = 0
  var cascades: Cascades
  /// The thread that drains, the cascade and the part it is delivering; stale while idle.
  private var drainer: UInt = 0
  private var currentRoot: UInt64 = 0
  private(set) var currentPart = Part.whole

  init(cascadeLimit: Int) {
    cascades = Cascades(limit: cascadeLimit)
  }

  mutating func takePlace() -> UInt64 {
    lastPlace &+= 1
    return lastPlace
  }

  /// Notes that the calling thread starts to drain.
  mutating func start() {
    drainer = CurrentThread.identity
    cascades.forgetAll()
  }

  /// Whether the caller, on a busy stream, is inside one of its sinks.
  func isInsideSink() -> Bool {
    drainer == CurrentThread.identity
  }

  /// Takes the entry's part and cascade for the present ones, its delivery being about to begin.
  mutating func enter(root: UInt64, part: Part) {
    currentRoot = root
    currentPart = part
  }

  /// Gives a value from inside a sink its share of the cascade, any other a cascade of its own;
  /// nil when the cascade is full.
  mutating func admit(inside: Bool) -> UInt64? {
    guard inside else { return lastPlace &+ 1 }
    if cascades.needsPurge { purgeCascades() }
    return cascades.grow(currentRoot) ? currentRoot : nil
  }

  /// The cascade of something that is not counted.
  func root(inside: Bool) -> UInt64 {
    inside ? currentRoot : lastPlace &+ 1
  }

  mutating func append(_ item: Item, root: UInt64, part: Part = .whole) -> UInt64 {
    let place = takePlace()
    append(Entry(place: place, root: root, part: part, content: .item(item)))
    return place
  }

  private mutating func append(_ entry: Entry<Item>) {
    waiting.append(entry)
    if entry.isBound { waitingBounds += 1 }
  }

  /// Adds a subscriber, which hears what takes its place from now on.
  mutating func join(_ subscription: Subscription<Item>) {
    roster.add(subscription, first: lastPlace &+ 1)
  }

  /// Adds a subscriber in the place of another in the list, or at its end.
  mutating func join(
    _ subscription: Subscription<Item>, replacing former: Subscription<Item>?
  ) {
    let first = lastPlace &+ 1
    if let former, roster.replace(former, by: subscription, first: first) { return }
    roster.add(subscription, first: first)
  }

  mutating func append(
    _ greeting: Greeting<Item>, of subscription: Subscription<Item>, root: UInt64
  ) {
    let content = Entry.Content.greeting(subscription, greeting.makeItem)
    append(Entry(place: takePlace(), root: root, part: greeting.part, content: content))
  }

  /// Takes out a subscriber; with the last one, returns what waits, to be freed by the caller.
  mutating func leave(_ subscription: Subscription<Item>) -> FIFO<Entry<Item>>? {
    guard roster.remove(subscription), roster.isEmpty, !waiting.isEmpty else { return nil }
    defer { forgetWaiting() }
    return waiting
  }

  /// Takes out the first entry if its place is not behind `place`.
  mutating func next(through place: UInt64) -> Entry<Item>? {
    guard let first = waiting.first, first.place <= place else { return nil }
    return next()
  }

  /// Takes out every subscriber and all that waits, for the caller to let go.
  mutating func takeEverything() -> (Roster<Item>, FIFO<Entry<Item>>) {
    defer {
      roster = Roster()
      forgetWaiting()
    }
    roster.markAllGone()
    return (roster, waiting)
  }

  mutating func next() -> Entry<Item>? {
    guard let entry = waiting.popFirst() else { return nil }
    if entry.isBound { waitingBounds -= 1 }
    enter(root: entry.root, part: entry.part)
    return entry
  }

  /// Takes out the begins and ends that wait, so that what is between them joins what is open.
  mutating func takeWaitingBounds() -> [Entry<Item>] {
    defer { waitingBounds = 0 }
    return waiting.removeNewest(waitingBounds, where: \.isBound)
  }

  private mutating func forgetWaiting() {
    waiting = FIFO()
    waitingBounds = 0
  }

  private mutating func purgeCascades() {
    var roots: Set<UInt64> = [currentRoot]
    waiting.forEach { roots.insert($0.root) }
    cascades.keepOnly(roots)
  }
}
