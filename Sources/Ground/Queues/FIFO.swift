/// First in, first out, without moving what waits.
public struct FIFO<Element: Sendable>: Sendable {
  @usableFromInline var elements: ContiguousArray<Element?> = []
  @usableFromInline var head = 0

  /// Makes an empty one.
  @inlinable
  public init() {}

  /// Whether nothing waits.
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

  /// Takes out the element that has waited longest.
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

  /// Takes out the newest elements that are not wanted, as many as `count`, and hands them to the
  /// caller, who lets them go elsewhere. What is older than all of them is not looked at.
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

  /// Looks at all that waits, in order.
  @inlinable
  public func forEach(_ body: (Element) -> Void) {
    for case let element? in elements[head...] { body(element) }
  }
}
