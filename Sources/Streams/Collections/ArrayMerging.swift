extension ArrayChange {
  /// This change and the one after it, as one.
  ///
  /// The later one must be of the list that this one leads to.
  public func merged(with later: ArrayChange) -> ArrayChange {
    precondition(later.count == newCount, "a change of another list")
    if isEmpty { return later }
    if later.isEmpty { return self }
    var merging = ArrayMerging(self, later)
    return merging.result()
  }
}

/// Two changes, one after the other, laid over the list between them.
private struct ArrayMerging<Element: Sendable> {
  /// A modification and where its elements are in the list between.
  private struct Part {
    let modification: ArrayModification<Element>
    let range: Range<Int>
  }

  private let count: Int
  private let earlier: [Part]
  private let later: [Part]
  private var next = (earlier: 0, later: 0)

  init(_ earlier: ArrayChange<Element>, _ later: ArrayChange<Element>) {
    count = earlier.count
    self.earlier = earlier.modifications.map { Part(modification: $0, range: $0.range) }
    var parts: [Part] = []
    var shift = 0
    for modification in later.modifications {
      let start = modification.at + shift
      parts.append(
        Part(modification: modification, range: start..<(start + modification.old.count)))
      shift += modification.old.count - modification.new.count
    }
    self.later = parts
  }

  mutating func result() -> ArrayChange<Element> {
    var merged = ArrayChange<Element>(count: count)
    /// How far the list after both is ahead of the list between.
    var shift = 0
    while let group = nextGroup() {
      let (old, new) = elements(of: group)
      merged.append(ArrayModification(at: group.start + shift, old: old, new: new))
      for part in later[group.later] {
        shift += part.modification.new.count - part.modification.old.count
      }
    }
    return merged
  }

  /// Parts that touch or overlap.
  private struct Group {
    let start: Int
    var end: Int
    var earlier: Range<Int>
    var later: Range<Int>
  }

  private mutating func nextGroup() -> Group? {
    let first = [earlierPart?.range.lowerBound, laterPart?.range.lowerBound].compactMap { $0 }
    guard let start = first.min() else { return nil }
    var group = Group(
      start: start, end: start, earlier: next.earlier..<next.earlier,
      later: next.later..<next.later)
    while true {
      if let part = earlierPart, part.range.lowerBound <= group.end {
        group.end = max(group.end, part.range.upperBound)
        next.earlier += 1
      } else if let part = laterPart, part.range.lowerBound <= group.end {
        group.end = max(group.end, part.range.upperBound)
        next.later += 1
      } else {
        break
      }
    }
    group.earlier = group.earlier.lowerBound..<next.earlier
    group.later = group.later.lowerBound..<next.later
    return group
  }

  private var earlierPart: Part? { next.earlier < earlier.count ? earlier[next.earlier] : nil }
  private var laterPart: Part? { next.later < later.count ? later[next.later] : nil }

  /// What a group was before both changes, and is after them: where one of them has not been, the
  /// other one tells what is in the list between.
  private func elements(of group: Group) -> (old: [Element], new: [Element]) {
    let (earlier, later) = (earlier[group.earlier], later[group.later])
    var before = Overlay(from: group.start, over: later) { $0.old }
    for part in earlier { before.take(part.modification.old, of: part.range) }
    var after = Overlay(from: group.start, over: earlier) { $0.new }
    for part in later { after.take(part.modification.new, of: part.range) }
    return (before.finished(at: group.end), after.finished(at: group.end))
  }

  /// Elements of one change, and between them those of the other.
  private struct Overlay {
    private var place: Int
    private var bed: ArraySlice<Part>
    private let side: (ArrayModification<Element>) -> [Element]
    private var elements: [Element] = []

    init(
      from place: Int, over bed: ArraySlice<Part>,
      _ side: @escaping (ArrayModification<Element>) -> [Element]
    ) {
      (self.place, self.bed, self.side) = (place, bed, side)
    }

    mutating func take(_ new: [Element], of range: Range<Int>) {
      fill(to: range.lowerBound)
      elements += new
      place = range.upperBound
    }

    mutating func finished(at end: Int) -> [Element] {
      fill(to: end)
      return elements
    }

    private mutating func fill(to end: Int) {
      while let part = bed.first {
        let common = (place..<end).clamped(to: part.range)
        let start = part.range.lowerBound
        elements +=
          side(part.modification)[(common.lowerBound - start)..<(common.upperBound - start)]
        if part.range.upperBound > end { break }
        bed.removeFirst()
      }
      place = end
    }
  }
}
