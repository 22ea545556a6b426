/// A set at a moment, and how it came about.
public struct SetMoment<Element: Hashable & Sendable>: Sendable {
  /// An element and where it is in the order of insertion.
  struct Item: Sendable {
    let element: Element
    let hash: Int
    let age: UInt64
  }

  /// In the order of insertion.
  private(set) var items = SharedList<Item>()
  /// In the order of their hashes.
  private var byHash = SharedList<Item>()
  private var nextAge: UInt64 = 0
  /// How it came from the moment before.
  private(set) var change = SetChange<Element>()
  /// Its number, and that of the moment before it; 0 if there is none.
  private(set) var number = MomentNumbers.next()
  private(set) var former: UInt64 = 0
  /// When it began; zero if the set has no clock.
  package private(set) var stamp: MomentStamp

  /// A first moment.
  init(_ elements: [Element], at stamp: MomentStamp = MomentStamp()) {
    self.stamp = stamp
    var known: Set<Element> = []
    let items = elements.filter { known.insert($0).inserted }.enumerated().map { age, element in
      Item(element: element, hash: element.hashValue, age: UInt64(age))
    }
    self.items = SharedList(items)
    byHash = SharedList(items.sorted { $0.hash < $1.hash })
    nextAge = UInt64(items.count)
  }

  var count: Int { items.count }

  /// All elements, in the order of insertion.
  package var elements: [Element] { items.elements.map { $0.element } }

  func contains(_ element: Element) -> Bool { place(of: element) != nil }

  /// An element with its age.
  func item(of element: Element) -> Item? { place(of: element).map { byHash[$0] } }

  private func place(of element: Element) -> Int? {
    let hash = element.hashValue
    var index = byHash.firstIndex { $0.hash < hash }
    while index < byHash.count, byHash[index].hash == hash {
      if byHash[index].element == element { return index }
      index += 1
    }
    return nil
  }

  /// The moment after a change, of which what does not fit is left out.
  func changed(by change: SetChange<Element>, at stamp: MomentStamp) -> SetMoment {
    var new = self
    new.stamp = stamp
    let fitting = SetChange(
      removed: change.removed.filter(contains),
      inserted: change.inserted.filter { !contains($0) })
    for element in fitting.removed { new.remove(element) }
    for element in fitting.inserted { new.insert(element) }
    (new.change, new.former, new.number) = (fitting, number, MomentNumbers.next())
    return new
  }

  private mutating func remove(_ element: Element) {
    guard let place = place(of: element) else { return }
    let age = byHash[place].age
    byHash.replace(place..<(place + 1), with: [])
    let index = items.firstIndex { $0.age < age }
    items.replace(index..<(index + 1), with: [])
  }

  private mutating func insert(_ element: Element) {
    let item = Item(element: element, hash: element.hashValue, age: nextAge)
    nextAge += 1
    items.replace(items.count..<items.count, with: [item])
    let place = byHash.firstIndex { $0.hash < item.hash }
    byHash.replace(place..<place, with: [item])
  }

  /// The change from another moment to this one. It is the stored change if `other` is the moment
  /// before, and otherwise the difference of the two.
  func change(since other: SetMoment) -> SetChange<Element> {
    if former == other.number { return change }
    if number == other.number { return SetChange() }
    return SetChange(
      removed: other.elements.filter { !contains($0) },
      inserted: elements.filter { !other.contains($0) })
  }
}
