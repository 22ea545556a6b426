import Gathering
import Ground
import Values

/// The content of a graph.
struct GraphContent: Sendable {
  /// In the order they were added.
  var children = ChildList()
  /// In the order they were made.
  var offers = OfferList()
}

/// The children of a graph in the order they were added; lookup takes constant time.
struct ChildList: Sendable {
  struct Child: Sendable {
    let name: String
    let patch: Patch
  }

  /// With gaps, which removed ones have left.
  private var slots: [Child?] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private var names: [ExactText: Int] = [:]
  /// Of the types that have named children, from which number on one may be free.
  private var firstFree: [ExactText: Int] = [:]

  /// All of them, in order.
  var all: [Child] { slots.compactMap { $0 } }

  /// Their patches, in order.
  var patches: [Patch] { slots.compactMap { $0?.patch } }

  subscript(name: String) -> Patch? { names[ExactText(name)].flatMap { slots[$0]?.patch } }

  /// The name of a child; nil if it is none.
  func name(of patch: Patch) -> String? {
    places[ObjectIdentifier(patch)].flatMap { slots[$0]?.name }
  }

  /// Adds a child whose name is valid and not taken.
  mutating func append(_ child: Child) {
    places[ObjectIdentifier(child.patch)] = slots.count
    names[ExactText(child.name)] = slots.count
    slots.append(child)
  }

  /// Removes a child; the caller releases it.
  mutating func remove(_ name: String) -> Child? {
    guard let place = names.removeValue(forKey: ExactText(name)), let child = slots[place].take()
    else { return nil }
    places[ObjectIdentifier(child.patch)] = nil
    for (type, first) in firstFree where name.utf8.starts(with: type.text.utf8) {
      let number = Int(String(decoding: name.utf8.dropFirst(type.text.utf8.count), as: UTF8.self))
      if let number, (2..<first).contains(number) { firstFree[type] = number }
    }
    if slots.count > 8, slots.count > 2 * names.count { close() }
    return child
  }

  /// The name a child gets: the one given, else its type, with 2, 3, … behind it when taken.
  mutating func name(for type: String, given: String?) throws(PatchError) -> String {
    if let given {
      guard given.isChildName else { throw .badName(given) }
      if self[given] != nil { throw .duplicateName(given) }
      return given
    }
    guard type.isChildName else { throw .badName(type) }
    if self[type] == nil { return type }
    var number = firstFree[ExactText(type)] ?? 2
    while self["\(type)\(number)"] != nil { number += 1 }
    firstFree[ExactText(type)] = number
    return "\(type)\(number)"
  }

  /// Closes the gaps.
  private mutating func close() {
    slots = slots.filter { $0 != nil }
    for (place, slot) in slots.enumerated() {
      guard let slot else { continue }
      places[ObjectIdentifier(slot.patch)] = place
      names[ExactText(slot.name)] = place
    }
  }
}

/// The offered ports of a graph in the order made; lookup takes constant time.
struct OfferList: Sendable {
  private struct Key: Hashable {
    let name: ExactText
    let direction: Port.Direction
  }

  private(set) var all: [Offer] = []
  private var places: [Key: Int] = [:]

  func offer(named name: String, _ direction: Port.Direction) -> Offer? {
    places[Key(name: ExactText(name), direction: direction)].map { all[$0] }
  }

  /// Adds an offer, replacing one of the same name; the caller releases that.
  mutating func append(_ offer: Offer) -> [Offer] {
    let isTaken = self.offer(named: offer.name, offer.direction) != nil
    let former = isTaken ? remove { $0.isSame(offer) } : []
    places[Key(name: ExactText(offer.name), direction: offer.direction)] = all.count
    all.append(offer)
    return former
  }

  /// Removes the offers that match; the caller releases them.
  mutating func remove(where isMeant: (Offer) -> Bool) -> [Offer] {
    let former = all.filter(isMeant)
    guard !former.isEmpty else { return [] }
    all.removeAll(where: isMeant)
    places = [:]
    for (place, offer) in all.enumerated() {
      places[Key(name: ExactText(offer.name), direction: offer.direction)] = place
    }
    return former
  }
}

/// A port of a child that a graph offers as its own.
struct Offer: Sendable {
  let name: String
  let direction: Port.Direction
  let child: Patch
  let port: String
  /// The subscriptions made through the graph.
  let subscriptions = OfferedSubscriptions()

  /// Whether both stand for one port of the graph.
  func isSame(_ other: Offer) -> Bool {
    direction == other.direction && name.isSpelt(other.name)
  }
}

/// The content of a graph that is being freed.
final class SpentGraph: Spent {
  private let content: Lock<GraphContent?>

  init(_ content: GraphContent) {
    self.content = Lock(content)
  }

  func letGo() {
    let former = content.withLock { $0.take() }
    withExtendedLifetime(former) {}
  }
}

extension String {
  /// Whether it matches `[A-Za-z][A-Za-z0-9_-]*`.
  var isChildName: Bool {
    guard let first = utf8.first, first.isLatinLetter else { return false }
    return utf8.allSatisfy {
      $0.isLatinLetter || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
        || $0 == UInt8(ascii: "-")
    }
  }

  /// A port reference split at its first dot; nil if there is none.
  var asReference: (child: String, port: String)? {
    guard let dot = utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    return (String(self[..<dot]), String(self[utf8.index(after: dot)...]))
  }
}

extension UInt8 {
  fileprivate var isLatinLetter: Bool {
    (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}
