/// A place of a list where elements were removed, put in, or both.
public struct ArrayModification<Element: Sendable>: Sendable {
  /// The index of the first element, once the modifications before it are made.
  public let at: Int
  /// The elements that were there.
  public let old: [Element]
  /// The elements that are there now.
  public let new: [Element]

  /// Makes a modification at an index.
  public init(at: Int, old: [Element] = [], new: [Element] = []) {
    (self.at, self.old, self.new) = (at, old, new)
  }

  /// The four shapes of a modification.
  public enum Kind: String, Sendable, CaseIterable {
    /// Nothing was there.
    case insert
    /// Nothing is there now.
    case remove
    /// One element for one.
    case replace
    /// Any other.
    case slice
  }

  /// Which of the four shapes it has.
  public var kind: Kind {
    if old.isEmpty { return .insert }
    if new.isEmpty { return .remove }
    return old.count == 1 && new.count == 1 ? .replace : .slice
  }

  /// Where the elements were, once the modifications before it are made.
  public var formerRange: Range<Int> { at..<(at + old.count) }

  /// Where the elements are, once it is made.
  public var range: Range<Int> { at..<(at + new.count) }
}

extension ArrayModification: Equatable where Element: Equatable {}

/// How a list has changed.
///
/// The modifications are in order of their places, and do not touch: between two of them is an
/// element that has stayed. Each supposes that those before it are made.
public struct ArrayChange<Element: Sendable>: Sendable {
  /// How many elements there were.
  public let count: Int
  /// What has changed, place by place.
  public private(set) var modifications: [ArrayModification<Element>] = []

  /// No change of a list of so many elements.
  public init(count: Int) {
    self.count = count
  }

  /// Modifications one after the other, at any places; each supposes that those before it are
  /// made. Throws `changeMismatch` for one that has no such place.
  public init(
    count: Int, _ modifications: [ArrayModification<Element>]
  ) throws(StreamError) {
    var counts = count
    for (index, modification) in modifications.enumerated() {
      let (at, removed) = (modification.at, modification.old.count)
      guard at >= 0, removed <= counts, at <= counts - removed else {
        throw .changeMismatch(index)
      }
      counts += modification.new.count - removed
    }
    self = Self.merged(count: count, modifications[...])
  }

  /// Modifications one after the other, each of which fits.
  static func merged(
    count: Int, _ modifications: ArraySlice<ArrayModification<Element>>
  ) -> ArrayChange {
    var count = count
    let steps = modifications.map { modification in
      var step = ArrayChange(count: count)
      step.append(modification)
      count = step.newCount
      return step
    }
    return merged(steps[...]) ?? ArrayChange(count: count)
  }

  /// How many elements there are now.
  public var newCount: Int {
    modifications.reduce(count) { $0 + $1.new.count - $1.old.count }
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { modifications.isEmpty }

  /// Adds a modification behind all others; one that touches the last becomes one with it.
  mutating func append(_ modification: ArrayModification<Element>) {
    if modification.old.isEmpty && modification.new.isEmpty { return }
    guard let last = modifications.last, last.range.upperBound == modification.at else {
      return modifications.append(modification)
    }
    modifications[modifications.count - 1] = ArrayModification(
      at: last.at, old: last.old + modification.old, new: last.new + modification.new)
  }

  /// The change that leads back.
  public func reversed() -> ArrayChange {
    var back = ArrayChange(count: newCount)
    var shift = 0
    for modification in modifications {
      let (old, new) = (modification.old, modification.new)
      back.modifications.append(
        ArrayModification(at: modification.at + shift, old: new, new: old))
      shift += old.count - new.count
    }
    return back
  }
}

extension ArrayChange: Equatable where Element: Equatable {}

extension ArrayChange where Element: Equatable {
  /// Throws `changeMismatch` unless it fits a list: so many elements, and those that it removes.
  func check(fits count: Int, _ elements: (Range<Int>) -> [Element]) throws(StreamError) {
    if count != self.count { throw .changeMismatch(nil) }
    var shift = 0
    for (index, modification) in modifications.enumerated() {
      let former = (modification.at + shift)..<(modification.at + shift + modification.old.count)
      guard former.upperBound <= count, elements(former) == modification.old else {
        throw .changeMismatch(index)
      }
      shift += modification.old.count - modification.new.count
    }
  }

  /// Changes an array; throws `changeMismatch`, and changes nothing, where it does not fit.
  public func apply(to array: inout [Element]) throws(StreamError) {
    let present = array
    try check(fits: present.count) { Array(present[$0]) }
    for modification in modifications {
      array.replaceSubrange(modification.formerRange, with: modification.new)
    }
  }

  /// The same change without what both sides of a modification begin or end with.
  public func removingEqualChanges() -> ArrayChange {
    var trimmed = ArrayChange(count: count)
    for modification in modifications {
      let (old, new) = (modification.old, modification.new)
      let shorter = min(old.count, new.count)
      let front = zip(old, new).prefix { $0 == $1 }.count
      let back = zip(old.reversed(), new.reversed()).prefix(shorter - front).prefix { $0 == $1 }
      trimmed.append(
        ArrayModification(
          at: modification.at + front, old: Array(old[front..<(old.count - back.count)]),
          new: Array(new[front..<(new.count - back.count)])))
    }
    return trimmed
  }
}

/// An element that was taken out of one place of a list and put in at another.
public struct ArrayMove: Sendable, Equatable {
  /// Its index before the change.
  public let from: Int
  /// Its index after the change.
  public let to: Int

  /// Makes a move.
  public init(from: Int, to: Int) {
    (self.from, self.to) = (from, to)
  }
}

extension ArrayChange where Element: Hashable {
  /// Elements that are removed and put in again, each pair once, in the order of their new places.
  public func moves() -> [ArrayMove] {
    var places: [Element: [Int]] = [:]
    var shift = 0
    for modification in modifications {
      for (offset, element) in modification.old.enumerated() {
        places[element, default: []].append(modification.at + shift + offset)
      }
      shift += modification.old.count - modification.new.count
    }
    for element in places.keys { places[element]?.reverse() }
    return modifications.flatMap { modification in
      modification.new.enumerated().compactMap { offset, element in
        places[element]?.popLast().map { ArrayMove(from: $0, to: modification.at + offset) }
      }
    }
  }
}
