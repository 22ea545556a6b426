extension ArrayVariable where Element: Equatable {
  /// Makes it a list of these elements by the shortest change that keeps those of equal keys in
  /// their order; where their content differs they are replaced.
  ///
  /// Where more than 4096 elements differ, all are replaced. Throws `limit` and `cascadeLimit`, and
  /// nothing is changed then.
  public func update<Key: Hashable>(
    to new: [Element], by key: (Element) -> Key
  ) throws(StreamError) {
    try change { list in .leading(from: list.elements, to: new, by: key) { $0 == $1 } }
  }
}

extension ArrayVariable {
  /// The same of parts that are within the list, in order, as one change. `isSame` tells whether
  /// two elements of one key have the same content.
  func update<Key: Hashable>(
    parts: [(range: Range<Int>, new: [Element])], by key: (Element) -> Key,
    isSame: (Element, Element) -> Bool
  ) throws(StreamError) {
    try change { list in
      var change = ArrayChange<Element>(count: list.count)
      var shift = 0
      for (range, new) in parts {
        let part = ArrayChange.leading(from: list[range], to: new, by: key, isSame)
        for modification in part.modifications {
          change.append(
            ArrayModification(
              at: range.lowerBound + shift + modification.at, old: modification.old,
              new: modification.new))
        }
        shift += new.count - range.count
      }
      return change
    }
  }
}

extension ArrayChange {
  /// The shortest change that keeps elements of equal keys; all are replaced where that is long.
  fileprivate static func leading<Key: Hashable>(
    from old: [Element], to new: [Element], by key: (Element) -> Key,
    _ isSame: (Element, Element) -> Bool
  ) -> ArrayChange {
    KeyedDifference(old, new, by: key).change(isSame) ?? .replacing(old, by: new)
  }
}

/// The shortest way from one list to another, by the greedy algorithm of Myers (1986): for each
/// number of edits, how far they lead on each diagonal.
private struct KeyedDifference<Element: Sendable, Key: Hashable> {
  private static var mostEdits: Int { 4096 }

  private let old: [Element]
  private let new: [Element]
  private let oldKeys: [Key]
  private let newKeys: [Key]

  init(_ old: [Element], _ new: [Element], by key: (Element) -> Key) {
    (self.old, self.new) = (old, new)
    (oldKeys, newKeys) = (old.map(key), new.map(key))
  }

  /// Nil where it takes too many edits.
  func change(_ isSame: (Element, Element) -> Bool) -> ArrayChange<Element>? {
    var front = 0
    while front < min(old.count, new.count), oldKeys[front] == newKeys[front] { front += 1 }
    var back = 0
    while back < min(old.count, new.count) - front,
      oldKeys[old.count - 1 - back] == newKeys[new.count - 1 - back]
    { back += 1 }
    let (olds, news) = (front..<(old.count - back), front..<(new.count - back))
    guard let kept = kept(olds, news) else { return nil }
    var change = ArrayChange<Element>(count: old.count)
    var last = (old: 0, new: 0)
    let fronts = (0..<front).map { ($0, $0) }
    let backs = (0..<back).map { (olds.upperBound + $0, news.upperBound + $0) }
    for (from, to) in fronts + kept + backs + [(old.count, new.count)] {
      change.append(
        ArrayModification(
          at: last.new, old: Array(old[last.old..<from]), new: Array(new[last.new..<to])))
      if from < old.count, to < new.count, !isSame(old[from], new[to]) {
        change.append(ArrayModification(at: to, old: [old[from]], new: [new[to]]))
      }
      last = (from + 1, to + 1)
    }
    return change
  }

  /// The pairs of indices that stay, in order.
  private func kept(_ olds: Range<Int>, _ news: Range<Int>) -> [(Int, Int)]? {
    let (width, height) = (olds.count, news.count)
    if width == 0 || height == 0 { return [] }
    // By the number of edits: how many of the old ones are behind us, on each diagonal.
    var reached: [[Int32]] = []
    let step = { (diagonal: Int, row: [Int32], edits: Int) in
      Self.step(to: diagonal, after: row, edits, width, height)
    }
    for edits in 0...min(Self.mostEdits, width + height) {
      var row = [Int32](repeating: -1, count: 2 * edits + 1)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        guard var x = edits == 0 ? 0 : step(diagonal, reached[edits - 1], edits)?.x
        else { continue }
        var y = x - diagonal
        while x < width, y < height,
          oldKeys[olds.lowerBound + x] == newKeys[news.lowerBound + y]
        { (x, y) = (x + 1, y + 1) }
        row[diagonal + edits] = Int32(x)
        if x == width, y == height {
          reached.append(row)
          return path(of: reached, olds, news)
        }
      }
      reached.append(row)
    }
    return nil
  }

  /// Where an edit leads to on a diagonal, from the row of one edit less, and whether it puts in;
  /// nil where none does.
  private static func step(
    to diagonal: Int, after row: [Int32], _ edits: Int, _ width: Int, _ height: Int
  ) -> (x: Int, isInsertion: Bool)? {
    let place = { (other: Int) in
      let index = other + edits - 1
      return row.indices.contains(index) ? Int(row[index]) : -1
    }
    let (removing, inserting) = (place(diagonal - 1), place(diagonal + 1))
    let right = removing < 0 || removing >= width ? -1 : removing + 1
    let down = inserting < 0 || inserting - diagonal > height ? -1 : inserting
    if max(right, down) < 0 { return nil }
    return right > down ? (right, false) : (down, true)
  }

  private func path(
    of reached: [[Int32]], _ olds: Range<Int>, _ news: Range<Int>
  ) -> [(Int, Int)] {
    var (x, y) = (olds.count, news.count)
    var pairs: [(Int, Int)] = []
    for edits in reached.indices.reversed() {
      let diagonal = x - y
      var start = (x: 0, isInsertion: false)
      if edits > 0,
        let step = Self.step(
          to: diagonal, after: reached[edits - 1], edits, olds.count, news.count)
      {
        start = step
      }
      while x > start.x {
        (x, y) = (x - 1, y - 1)
        pairs.append((olds.lowerBound + x, news.lowerBound + y))
      }
      if edits > 0 { (x, y) = start.isInsertion ? (x, y - 1) : (x - 1, y) }
    }
    return pairs.reversed()
  }
}
