import GatheredKitTesting

@testable import Streams

/// Lists, changes and modifications by chance, the same for a seed.
struct RandomLists {
  var generator: SeededGenerator

  init(_ seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  mutating func elements(_ most: Int) -> [Int] {
    (0..<number(0...most)).map { _ in number(0...9) }
  }

  /// A modification of a list; often at its ends or of nothing.
  mutating func modification(of list: [Int]) -> ArrayModification<Int> {
    let at = number(0...list.count)
    let removed = number(0...min(3, list.count - at))
    return ArrayModification(at: at, old: Array(list[at..<(at + removed)]), new: elements(3))
  }

  /// A change of a list, which is changed.
  mutating func change(of list: inout [Int]) throws -> ArrayChange<Int> {
    let count = list.count
    var modifications: [ArrayModification<Int>] = []
    for _ in 0..<number(0...4) {
      let modification = modification(of: list)
      list.replaceSubrange(modification.formerRange, with: modification.new)
      modifications.append(modification)
    }
    return try ArrayChange(count: count, modifications)
  }
}
