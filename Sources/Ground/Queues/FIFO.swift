/// A first-in, first-out queue that does not move its elements.
public struct FIFO<Element: Sendable>: Sendable {
  @usableFromInline var elements: ContiguousArray<Element?> = []
  @usableFromInline var head = 0

  /// Makes an empty queue.
  @inlinable
  public init() {}

  /// Whether the queue is empty.
  @inlinable @inline(__always)
  public var isEmpty: Bool { head == elements.count }
  /// The element that has waited longest.
  @inlinable @inline(__always)
  public var first: Element? { isEmpty ? nil : elements[head] }

  /// Adds an element at the end.
  @inlinable @inline(__always)
  public mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Removes the oldest element.
  @inlinable @inline(__always)
  public mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity <= 64)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  @inlinable
  mutating func popLast() -> Element? {
    isEmpty ? nil : elements.removeLast()
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
    for case let element? in elements[head...] { body(element) }
  }
}
