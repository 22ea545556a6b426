import Synchronization

/// An element, and its place among others.
final class PlacedItem<Element: Sendable>: Sendable {
  let element: Element
  /// Rises along the list; which number it is does not matter.
  fileprivate let label: Atomic<Int64>

  fileprivate init(_ element: Element, _ label: Int64) {
    self.element = element
    self.label = Atomic(label)
  }

  func isBefore(_ other: PlacedItem) -> Bool {
    label.load(ordering: .relaxed) < other.label.load(ordering: .relaxed)
  }
}

/// A list whose elements know which of two is before the other.
///
/// Each has a number between those of its neighbours. Where there is none left, all are numbered
/// anew: after forty elements put in at one place, and for a thousand million at the ends never.
struct PlacedList<Element: Sendable>: Sendable {
  private(set) var items = SharedList<PlacedItem<Element>>()

  private static var gap: Int64 { 1 << 32 }

  init(_ elements: [Element] = []) {
    items = SharedList(
      elements.enumerated().map { PlacedItem($1, Int64($0) * Self.gap) })
  }

  /// Where an item of it is.
  func index(of item: PlacedItem<Element>) -> Int { items.firstIndex { $0.isBefore(item) } }

  /// Puts other elements in the place of a range; answers with those that are new.
  mutating func replace(
    _ range: Range<Int>, with elements: [Element]
  ) -> [PlacedItem<Element>] {
    let new = elements.map { PlacedItem($0, 0) }
    let before = range.lowerBound > 0 ? items[range.lowerBound - 1] : nil
    let after = range.upperBound < items.count ? items[range.upperBound] : nil
    items.replace(range, with: new)
    let hasRoom = number(new, between: before, after)
    if !hasRoom {
      for (index, item) in items.elements.enumerated() {
        item.label.store(Int64(index) * Self.gap, ordering: .relaxed)
      }
    }
    return new
  }

  /// False where there are too few numbers.
  private func number(
    _ new: [PlacedItem<Element>], between before: PlacedItem<Element>?,
    _ after: PlacedItem<Element>?
  ) -> Bool {
    let (low, high) = (
      before?.label.load(ordering: .relaxed), after?.label.load(ordering: .relaxed)
    )
    let count = Int64(new.count)
    let (first, step): (Int64, Int64)
    switch (low, high) {
    case (let low?, let high?):
      step = (high - low) / (count + 1)
      first = low + step
    case (let low?, nil): (first, step) = (low + Self.gap, Self.gap)
    case (nil, let high?): (first, step) = (high - count * Self.gap, Self.gap)
    case (nil, nil): (first, step) = (0, Self.gap)
    }
    guard step > 0, abs(first) < Int64.max / 4 else { return false }
    for (index, item) in new.enumerated() {
      item.label.store(first + Int64(index) * step, ordering: .relaxed)
    }
    return true
  }
}
