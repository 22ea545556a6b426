extension ObservableArray {
  /// The elements in another order; those of which neither is before the other keep theirs.
  ///
  /// `isBefore` must be a strict weak order; the order is another one where it is not.
  public func sorted(
    by isBefore: @escaping @Sendable (Element, Element) -> Bool
  ) -> ArrayView<Element> {
    ArraySorted(isBefore: isBefore).following(moments)
  }
}

extension ObservableArray where Element: Comparable {
  /// The elements in ascending order; equal ones keep theirs.
  public func sorted() -> ArrayView<Element> { sorted { $0 < $1 } }
}

private struct ArraySorted<Element: Sendable>: ArrayFollowing {
  let isBefore: @Sendable (Element, Element) -> Bool
  private var origin = PlacedList<Element>()
  private var items = SharedList<PlacedItem<Element>>()

  init(isBefore: @escaping @Sendable (Element, Element) -> Bool) {
    self.isBefore = isBefore
  }

  mutating func start(from input: SharedList<Element>) -> [Element] {
    origin = PlacedList(input.elements)
    let sorted = origin.items.elements.sorted(by: precedes)
    items = SharedList(sorted)
    return sorted.map { $0.element }
  }

  private func precedes(
    _ left: PlacedItem<Element>, _ right: PlacedItem<Element>
  ) -> Bool {
    if isBefore(left.element, right.element) { return true }
    return !isBefore(right.element, left.element) && left.isBefore(right)
  }

  mutating func follow(
    _ change: ArrayChange<Element>, _ output: SharedList<Element>
  ) -> ArrayChange<Element>? {
    let touched = change.modifications.reduce(0) { $0 + $1.old.count + $1.new.count }
    if touched > 64, touched > output.count / 4 { return nil }
    var steps: [ArrayModification<Element>] = []
    for modification in change.modifications {
      for item in origin.items[modification.formerRange] {
        let index = place(of: item)
        // A comparison that is no order may not lead there.
        guard index < items.count, items[index] === item else { return nil }
        items.replace(index..<(index + 1), with: [])
        steps.append(ArrayModification(at: index, old: [item.element]))
      }
      for item in origin.replace(modification.formerRange, with: modification.new) {
        let index = place(of: item)
        items.replace(index..<index, with: [item])
        steps.append(ArrayModification(at: index, new: [item.element]))
      }
    }
    return .merged(count: output.count, steps[...])
  }

  private func place(of item: PlacedItem<Element>) -> Int {
    items.firstIndex { precedes($0, item) }
  }
}
