/// How a set has changed: what has gone, and what has come; nothing is in both.
public struct SetChange<Element: Hashable & Sendable>: Sendable {
  /// The elements that have gone.
  public let removed: [Element]
  /// The elements that have come, in this order.
  public let inserted: [Element]

  /// Makes a change; an element that goes and comes is left out, and so is one given twice.
  public init(removed: [Element] = [], inserted: [Element] = []) {
    let (going, coming) = (Set(removed), Set(inserted))
    self.removed = Self.unique(removed, but: coming)
    self.inserted = Self.unique(inserted, but: going)
  }

  private static func unique(_ elements: [Element], but others: Set<Element>) -> [Element] {
    var known = others
    return elements.filter { known.insert($0).inserted }
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty }

  /// The change that leads back.
  public func reversed() -> SetChange { SetChange(removed: inserted, inserted: removed) }

  /// This change and the one after it, as one: what came and went, or went and came, is in neither.
  public func merged(with later: SetChange) -> SetChange {
    let (gone, come) = (Set(removed), Set(inserted))
    let (goneLater, comeLater) = (Set(later.removed), Set(later.inserted))
    return SetChange(
      removed: removed.filter { !comeLater.contains($0) }
        + later.removed.filter { !come.contains($0) },
      inserted: inserted.filter { !goneLater.contains($0) }
        + later.inserted.filter { !gone.contains($0) })
  }

  /// Changes a set; throws `changeMismatch`, and changes nothing, where it does not fit.
  public func apply(to set: inout Set<Element>) throws(StreamError) {
    guard set.isSuperset(of: removed), set.isDisjoint(with: inserted) else {
      throw .changeMismatch(nil)
    }
    set.subtract(removed)
    set.formUnion(inserted)
  }
}

extension SetChange: Equatable {
  /// Whether the same has gone and come, in whatever order.
  public static func == (left: SetChange, right: SetChange) -> Bool {
    Set(left.removed) == Set(right.removed) && Set(left.inserted) == Set(right.inserted)
  }
}
