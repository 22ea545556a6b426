/// First in, first out, without moving what waits.
@usableFromInline
package struct FIFO<Element: Sendable>: Sendable {
  private var elements: ContiguousArray<Element?> = []
  private var head = 0

  /// Makes an empty one.
  @usableFromInline
  package init() {}

  /// Whether nothing waits.
  @usableFromInline
  package var isEmpty: Bool { head == elements.count }
  var first: Element? { isEmpty ? nil : elements[head] }
  var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  /// Adds an element at the end.
  @usableFromInline
  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  /// Takes out the element that has waited longest.
  @usableFromInline
  package mutating func popFirst() -> Element? {
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

  mutating func popLast() -> Element? {
    isEmpty ? nil : elements.removeLast()
  }

  /// Takes out what is not wanted and hands it to the caller, who may let it go elsewhere.
  mutating func remove(where isUnwanted: (Element) -> Bool) -> [Element] {
    let waiting = elements[head...].compactMap { $0 }
    elements = ContiguousArray(waiting.filter { !isUnwanted($0) })
    head = 0
    return waiting.filter(isUnwanted)
  }

  /// Looks at all that waits, in order.
  @usableFromInline
  package func forEach(_ body: (Element) -> Void) {
    for case let element? in elements[head...] { body(element) }
  }
}
