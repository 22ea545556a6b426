/// What a graph holds.
struct GraphContent: Sendable {
  struct Child: Sendable {
    let name: String
    let patch: Patch
  }

  /// In the order they were added.
  var children: [Child] = []
  /// In the order they were made.
  var offers: [Offer] = []

  func child(named name: String) -> Patch? {
    children.first { $0.name.isSpelt(name) }?.patch
  }

  func name(of patch: Patch) -> String? {
    children.first { $0.patch === patch }?.name
  }

  func offer(named name: String, _ direction: Port.Direction) -> Offer? {
    offers.first { $0.direction == direction && $0.name.isSpelt(name) }
  }

  mutating func letGo() {
    children = []
    offers = []
  }

  /// The name a child gets: the one given, else its type, with 2, 3, … behind it when taken.
  func name(for type: String, given: String?) throws(PatchError) -> String {
    if let given {
      guard given.isChildName else { throw .badName(given) }
      if child(named: given) != nil { throw .duplicateName(given) }
      return given
    }
    guard type.isChildName else { throw .badName(type) }
    if child(named: type) == nil { return type }
    var number = 2
    while child(named: "\(type)\(number)") != nil { number += 1 }
    return "\(type)\(number)"
  }
}

/// A port of a child that a graph offers as its own.
struct Offer: Sendable {
  let name: String
  let direction: Port.Direction
  let child: Patch
  let port: String
  /// Who subscribed by way of the graph.
  let guests = Guests()
}

extension String {
  /// Whether it matches `[A-Za-z][A-Za-z0-9_-]*`.
  var isChildName: Bool {
    guard let first = utf8.first, first.isLetter else { return false }
    return utf8.allSatisfy {
      $0.isLetter || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
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
  fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
