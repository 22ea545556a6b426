/// The next element of many sorted sequences: a heap of places by their times.
///
/// At equal times the lower place comes first.
struct TimeQueue: Sendable {
  private var entries: [(time: Int64, place: Int)] = []

  /// The next one; nil if there is none.
  var first: (time: Int64, place: Int)? { entries.first }

  /// Puts a place in that is not there.
  mutating func insert(_ place: Int, at time: Int64) {
    var index = entries.count
    entries.append((time, place))
    while index > 0, (time, place) < entries[(index - 1) / 2] {
      entries[index] = entries[(index - 1) / 2]
      index = (index - 1) / 2
    }
    entries[index] = (time, place)
  }

  /// Takes the next one out.
  mutating func popFirst() -> (time: Int64, place: Int)? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    if entries.isEmpty { return first }
    var index = 0
    while true {
      var child = 2 * index + 1
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard child < entries.count, entries[child] < last else { break }
      entries[index] = entries[child]
      index = child
    }
    entries[index] = last
    return first
  }
}
