/// A first-in, first-out queue: a ring, which keeps its room and moves no element.
public struct FIFO<Element: Sendable>: Sendable {
  /// As many as a power of two, or none.
  @usableFromInline var slots: ContiguousArray<Element?> = []
  /// Where the oldest element is.
  @usableFromInline var head = 0
  /// How many elements there are.
  @usableFromInline var count = 0

  /// Makes an empty queue.
  @inlinable
  public init() {}

  /// Whether the queue is empty.
  @inlinable @inline(__always)
  public var isEmpty: Bool { count == 0 }
  /// The element that has waited longest.
  @inlinable @inline(__always)
  public var first: Element? { isEmpty ? nil : slots[head] }

  /// Where the element is that has so many before it.
  @inlinable @inline(__always)
  func slot(_ offset: Int) -> Int { (head &+ offset) & (slots.count &- 1) }

  /// Adds an element at the end.
  @inlinable @inline(__always)
  public mutating func append(_ element: consuming Element) {
    if count == slots.count { grow() }
    slots[slot(count)] = element
    count &+= 1
  }

  /// Removes the oldest element.
  @inlinable @inline(__always)
  public mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head].take()
    head = slot(1)
    count &-= 1
    if count == 0, slots.count > Self.keptRoom { shrink() }
    return element
  }

  @inlinable
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count &-= 1
    return slots[slot(count)].take()
  }

  /// Removes up to `count` of the newest elements that are not wanted and returns them, so that the
  /// caller frees them elsewhere. Does not examine elements older than all of those.
  @inlinable
  public mutating func removeNewest(
    _ count: Int, where isUnwanted: (Element) -> Bool
  ) -> [Element] {
    var taken: [Element] = []
    var kept: [Element] = []
    while taken.count < count, let element = popLast() {
      if isUnwanted(element) { taken.append(element) } else { kept.append(element) }
    }
    for element in kept.reversed() { append(element) }
    return taken.reversed()
  }

  /// Calls a body with each element in order.
  @inlinable
  public func forEach(_ body: (Element) -> Void) {
    for offset in 0..<count {
      if let element = slots[slot(offset)] { body(element) }
    }
  }

  // MARK: Its room

  /// How much room an empty queue keeps.
  @usableFromInline static var keptRoom: Int { 64 }

  /// Doubles the room; all of it is taken.
  @usableFromInline
  mutating func grow() {
    var wider: ContiguousArray<Element?> = []
    wider.reserveCapacity(Swift.max(4, slots.count * 2))
    for offset in 0..<count { wider.append(slots[slot(offset)].take()) }
    for _ in count..<Swift.max(4, slots.count * 2) { wider.append(nil) }
    slots = wider
    head = 0
  }

  /// Gives the room back, of which nothing is taken.
  @usableFromInline
  mutating func shrink() {
    slots = []
    head = 0
  }
}
