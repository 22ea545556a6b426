import Gathering

/// Properties of ranges of rows.
extension PropertyColumn {
  /// The entries that some rows show: the first may stand before them.
  func entries(ofRows shown: Range<Int>) -> Range<Int> {
    let first = rows.lastIndex(notAbove: Int64(shown.lowerBound))
    return first..<rows.lastIndex(notAbove: Int64(shown.upperBound - 1)) + 1
  }

  /// The place of the first payload and the clock of some rows, if each row has a payload of its
  /// own that is ok and has the row's time; nil otherwise.
  func own(inRows shown: Range<Int>) -> (payload: Int, origin: ClockOrigin)? {
    let entries = entries(ofRows: shown)
    guard entries.count == shown.count, rows[entries.lowerBound] == Int64(shown.lowerBound),
      !hasStrays(in: entries)
    else { return nil }
    let first = run(ofEntry: entries.lowerBound)
    let origin = runs[first].manner.origin
    let isPlain = runs[first...].prefix { $0.start < entries.upperBound }.allSatisfy {
      $0.manner.isPlain && $0.manner.origin == origin
    }
    guard isPlain else { return nil }
    return (runs[first].payloadStart + entries.lowerBound - runs[first].start, origin)
  }

  /// The rows with a gap before them.
  var gaps: [Int] {
    runs.indices.filter { runs[$0].manner.flags.contains(.gap) }.flatMap { place in
      let end = place + 1 < runs.count ? runs[place + 1].start : count
      return (runs[place].start..<end).map { Int(rows[$0]) }
    }
  }

  private func hasStrays(in entries: Range<Int>) -> Bool {
    guard strays.count > 0 else { return false }
    let before = strays.lastIndex(notAbove: Int64(entries.lowerBound - 1))
    return strays.lastIndex(notAbove: Int64(entries.upperBound - 1)) > before
  }
}

extension PropertyColumn.Manner {
  /// Whether there is a payload and no other information.
  fileprivate var isPlain: Bool {
    hasPayload && status == .ok && absence == nil
      && flags.isSubset(of: [.isNew, .gap, .replayed])
  }
}

extension PayloadColumn {
  /// The place from which payloads differ from the one at `place`, or the end.
  func endOfSame(from place: Int, before end: Int) -> Int {
    switch self {
    case .whole(_, let numbers): return numbers.endOfSame(from: place, before: end)
    case .words(_, let words): return words.indices.endOfSame(from: place, before: end)
    case .numbers(let numbers, 1):
      let first = numbers[place].bitPattern
      return numbers[place..<end].firstIndex { $0.bitPattern != first } ?? end
    case .none, .numbers, .mixed: return place + 1
    }
  }
}

extension Integers {
  fileprivate func endOfSame(from place: Int, before end: Int) -> Int {
    if constant != nil { return end }
    let first = self[place]
    return (place + 1..<end).first { self[$0] != first } ?? end
  }
}
