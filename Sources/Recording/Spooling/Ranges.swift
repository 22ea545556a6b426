/// Whole numbers, as ranges where they follow each other.
package struct Ranges: Equatable, Sendable {
  /// In order, with something missing between any two.
  package private(set) var parts: [Range<Int>] = []

  /// No numbers.
  package init() {}

  /// How many numbers there are.
  package var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// The parts that a range touches or overlaps.
  private func touched(by range: Range<Int>) -> Range<Int> {
    // What is new is nearly always at the end.
    var end = parts.count
    while end > 0, parts[end - 1].lowerBound > range.upperBound { end -= 1 }
    var start = end
    while start > 0, parts[start - 1].upperBound >= range.lowerBound { start -= 1 }
    return start..<end
  }

  /// Adds numbers.
  package mutating func insert(_ range: Range<Int>) {
    if range.isEmpty { return }
    let touched = touched(by: range)
    var whole = range
    for part in parts[touched] {
      whole = min(whole.lowerBound, part.lowerBound)..<max(whole.upperBound, part.upperBound)
    }
    parts.replaceSubrange(touched, with: [whole])
  }

  /// Whether a number is among them.
  package func contains(_ number: Int) -> Bool {
    parts.contains { $0.contains(number) }
  }

  /// The first number from one on that is not among them.
  package func firstMissing(from number: Int) -> Int {
    parts.first { $0.contains(number) }?.upperBound ?? number
  }
}
