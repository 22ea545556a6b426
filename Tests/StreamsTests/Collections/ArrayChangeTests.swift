import Testing

@testable import Streams

@Suite struct ArrayChangeTests {
  @Test func `L81 a modification has one of four shapes`() {
    typealias Modification = ArrayModification<Int>
    #expect(Modification(at: 0, new: [1]).kind == .insert)
    #expect(Modification(at: 0, old: [1]).kind == .remove)
    #expect(Modification(at: 0, old: [1], new: [2]).kind == .replace)
    #expect(Modification(at: 0, old: [1, 2], new: [2]).kind == .slice)
  }

  @Test func `L81 a moved element is removed and put in, and paired on demand`() throws {
    let change = try ArrayChange(
      count: 4, [ArrayModification(at: 0, old: ["a"]), ArrayModification(at: 2, new: ["a"])])
    #expect(change.moves() == [ArrayMove(from: 0, to: 2)])
    let twice = try ArrayChange(
      count: 5,
      [ArrayModification(at: 0, old: ["x", "x"]), ArrayModification(at: 2, new: ["x"])])
    #expect(twice.moves() == [ArrayMove(from: 0, to: 2)])
  }

  @Test(arguments: 0..<50)
  func `L82 L83 the algebra of changes`(seed: UInt64) throws {
    var random = RandomLists(seed)
    for _ in 0..<200 {
      let x = random.elements(8)
      var list = x
      let (a, b, c) = (
        try random.change(of: &list), try random.change(of: &list), try random.change(of: &list)
      )
      for change in [a, b, c, a.merged(with: b), a.reversed()] { checkForm(change) }
      var (first, second) = (x, x)
      try a.merged(with: b).apply(to: &first)
      try a.apply(to: &second)
      try b.apply(to: &second)
      #expect(first == second)
      try b.reversed().apply(to: &second)
      try a.reversed().apply(to: &second)
      #expect(second == x)
      #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
      #expect(a.merged(with: b).reversed() == b.reversed().merged(with: a.reversed()))
      let trimmed = a.merged(with: b).removingEqualChanges()
      var third = x
      try trimmed.apply(to: &third)
      #expect(third == first)
    }
  }

  /// In order, apart, and none of nothing.
  private func checkForm(_ change: ArrayChange<Int>) {
    for (left, right) in zip(change.modifications, change.modifications.dropFirst()) {
      #expect(left.range.upperBound < right.at)
    }
    #expect(!change.modifications.contains { $0.old.isEmpty && $0.new.isEmpty })
  }

  @Test func `L84 what does not fit changes nothing, and says where`() throws {
    let change = try ArrayChange(
      count: 3, [ArrayModification(at: 0, old: [1]), ArrayModification(at: 1, old: [9])])
    var list = [1, 2, 3]
    #expect(throws: StreamError.changeMismatch(1)) { try change.apply(to: &list) }
    #expect(list == [1, 2, 3])
    var longer = [1, 2, 9, 4]
    #expect(throws: StreamError.changeMismatch(nil)) { try change.apply(to: &longer) }
    for at in [-1, 4, .max] {
      #expect(throws: StreamError.changeMismatch(0)) {
        try ArrayChange(count: 3, [ArrayModification(at: at, new: [1])])
      }
    }
    #expect(throws: StreamError.changeMismatch(0)) {
      try ArrayChange(count: 3, [ArrayModification(at: 2, old: [1, 2])])
    }
  }

  @Test func `L84 equal ends are trimmed on demand only`() throws {
    let change = try ArrayChange(
      count: 4, [ArrayModification(at: 0, old: [1, 2, 3, 4], new: [1, 5, 4])])
    #expect(change.modifications[0].old.count == 4)
    #expect(
      change.removingEqualChanges().modifications
        == [ArrayModification(at: 1, old: [2, 3], new: [5])])
    let same = try ArrayChange(count: 2, [ArrayModification(at: 0, old: [1, 1], new: [1, 1])])
    #expect(same.removingEqualChanges().isEmpty)
  }

  @Test(arguments: 0..<20)
  func `a tree holds what an array does`(seed: UInt64) {
    var random = RandomLists(seed)
    var array = (0..<random.number(0...500)).map { $0 % 7 }
    var (tree, flags) = (SharedList(array), ListTree<Trues>(array.map { $0 > 3 }))
    for _ in 0..<300 {
      let at = random.number(0...array.count)
      let range = at..<min(array.count, at + random.number(0...40))
      let new = (0..<random.number(0...(array.count > 800 ? 10 : 80))).map { $0 }
      let (before, copy) = (tree, array)
      array.replaceSubrange(range, with: new)
      tree.replace(range, with: new)
      flags.replace(range, with: new.map { $0 > 3 })
      #expect(tree.elements == array && before.elements == copy)
      #expect(tree.count == array.count)
      let place = random.number(0...array.count)
      #expect(flags.weight(before: place) == array.prefix(place).count { $0 > 3 })
      if place < array.count { #expect(tree[place] == array[place]) }
      #expect(tree.isBalanced)
    }
  }
}

extension ListTree {
  /// Whether the heights of siblings differ by one at most, and no leaf is too long.
  var isBalanced: Bool {
    func check(_ node: Node) -> Bool {
      guard let (left, right) = node.children else {
        return (1...Self.leafLimit).contains(node.elements.count)
      }
      return abs(left.height - right.height) <= 1 && check(left) && check(right)
    }
    return root.map(check) ?? true
  }
}
