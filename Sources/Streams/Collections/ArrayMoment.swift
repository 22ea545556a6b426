import Synchronization

/// A list at a moment, and how it came about.
public struct ArrayMoment<Element: Sendable>: Sendable {
  /// The elements.
  let list: SharedList<Element>
  /// How it came from the moment before.
  let change: ArrayChange<Element>
  /// Its number, and that of the moment before it; 0 if there is none. Numbers are unique in a
  /// process.
  let number: UInt64
  let former: UInt64
  /// When it began; zero if the list has no clock.
  package let stamp: MomentStamp

  /// A first moment.
  init(_ list: SharedList<Element>, at stamp: MomentStamp = MomentStamp()) {
    (self.list, self.stamp) = (list, stamp)
    change = ArrayChange(count: list.count)
    (number, former) = (MomentNumbers.next(), 0)
  }

  private init(
    _ list: SharedList<Element>, _ change: ArrayChange<Element>, after former: UInt64,
    at stamp: MomentStamp
  ) {
    (self.list, self.change, self.stamp) = (list, change, stamp)
    (number, self.former) = (MomentNumbers.next(), former)
  }

  /// All elements.
  package var elements: [Element] { list.elements }

  /// The moment after a change that fits.
  func changed(by change: ArrayChange<Element>, at stamp: MomentStamp) -> ArrayMoment {
    var list = list
    list.apply(change)
    return ArrayMoment(list, change, after: number, at: stamp)
  }

  /// The change from another moment to this one. It is the stored change if `other` is the moment
  /// before, and otherwise replaces all elements.
  func change(since other: ArrayMoment) -> ArrayChange<Element> {
    if former == other.number { return change }
    var whole = ArrayChange<Element>(count: other.list.count)
    if number == other.number { return whole }
    whole.append(ArrayModification(at: 0, old: other.list.elements, new: list.elements))
    return whole
  }
}

/// When something was, by the two clocks of a context.
package struct MomentStamp: Sendable {
  /// In nanoseconds of the context's clock.
  package var time: Int64
  /// In nanoseconds since 1970.
  package var realtime: Int64

  /// Makes a stamp.
  package init(time: Int64 = 0, realtime: Int64 = 0) {
    (self.time, self.realtime) = (time, realtime)
  }
}

/// Numbers of moments, none twice in a process.
enum MomentNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 {
    last.add(1, ordering: .relaxed).newValue
  }
}
