import GatheredKitTesting
import Testing

@testable import Streams

@Suite struct SetTests {
  let set = SetVariable([1, 2, 3])

  @Test(arguments: 0..<30)
  func `L83 L85 the algebra of changes of sets`(seed: UInt64) throws {
    var random = RandomLists(seed)
    func change(of set: inout Set<Int>) throws -> SetChange<Int> {
      let change = SetChange(
        removed: random.elements(4).filter(set.contains),
        inserted: random.elements(4).filter { !set.contains($0) })
      try change.apply(to: &set)
      return change
    }
    for _ in 0..<200 {
      let x = Set(random.elements(8))
      var set = x
      let (a, b, c) = (try change(of: &set), try change(of: &set), try change(of: &set))
      var (first, second) = (x, x)
      try a.merged(with: b).merged(with: c).apply(to: &first)
      #expect(first == set)
      #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
      #expect(a.merged(with: b).reversed() == b.reversed().merged(with: a.reversed()))
      try a.apply(to: &second)
      try a.reversed().apply(to: &second)
      #expect(second == x)
      #expect(Set(a.removed).isDisjoint(with: a.inserted))
    }
  }

  @Test func `L88 what changes nothing opens no transaction, unless several are put in`() throws {
    let ticks = Counter()
    let connection = set.tick.subscribe { ticks.increment() }
    #expect(try !set.insert(1) && !set.remove(9))
    #expect(ticks.count == 0)
    try set.formUnion([1])
    try set.subtract([9])
    #expect(ticks.count == 2)
    #expect(try set.insert(4) && set.remove(1))
    try set.formIntersection([2, 4])
    #expect(set.value == [2, 4])
    connection.disconnect()
  }

  @Test func `L88 assignment announces the difference`() throws {
    let changes = CollectingSink<SetChange<Int>>()
    let connection = set.changes.collect(into: changes)
    try set.set([3, 4, 4])
    #expect(changes.values == [SetChange(removed: [1, 2], inserted: [4])])
    #expect(set.value == [3, 4])
    #expect(throws: StreamError.changeMismatch(nil)) { try set.apply(SetChange(removed: [1])) }
    connection.disconnect()
  }

  @Test(arguments: 0..<30)
  func `L95 L98 derived sets and lists are what they say after every step`(seed: UInt64) throws {
    var random = RandomLists(seed)
    let sets = [SetVariable(random.elements(20)), SetVariable(random.elements(9))]
    let mapped = sets[0].map { $0 / 2 }
    let joined = union(sets[0], sets[1])
    let sorted = joined.sorted { $0 % 3 < $1 % 3 }
    let copies = (Set(mapped.value), Set(joined.value))
    let (left, right) = (SetVariable(Array(copies.0)), SetVariable(Array(copies.1)))
    let copy = ArrayVariable(sorted.value)
    let bag = Connector()
    mapped.changes.subscribe { try? left.apply($0) }.put(into: bag)
    joined.changes.subscribe { try? right.apply($0) }.put(into: bag)
    sorted.changes.subscribe { try? copy.apply($0) }.put(into: bag)
    for _ in 0..<60 {
      let set = sets[random.number(0...1)]
      switch random.number(0...3) {
      case 0: try set.insert(random.number(0...9))
      case 1: try set.remove(random.number(0...9))
      case 2: try set.set(random.elements(9))
      default: try set.formUnion(random.elements(3))
      }
      let all = Set(sets[0].value).union(sets[1].value)
      #expect(Set(mapped.value) == Set(sets[0].value.map { $0 / 2 }))
      #expect(Set(joined.value) == all && joined.value.count == all.count)
      #expect(sorted.value == joined.value.sorted { $0 % 3 < $1 % 3 })
      #expect(Set(left.value) == Set(mapped.value) && Set(right.value) == all)
      #expect(copy.value == sorted.value)
    }
    bag.disconnect()
  }

  @Test(arguments: 0..<40)
  func `L100 a keyed difference leads there by the shortest way`(seed: UInt64) throws {
    var random = RandomLists(seed)
    for _ in 0..<50 {
      let (old, new) = (random.elements(12), random.elements(12))
      let list = ArrayVariable(old)
      let changes = CollectingSink<ArrayChange<Int>>()
      let connection = list.changes.collect(into: changes)
      try list.update(to: new) { $0 % 5 }
      #expect(list.value == new)
      var copy = old
      for change in changes.values { try change.apply(to: &copy) }
      #expect(copy == new)
      let edits = changes.values.flatMap(\.modifications).reduce(0) { count, modification in
        count + (modification.old.count + modification.new.count)
      }
      let (olds, news) = (old.map { $0 % 5 }, new.map { $0 % 5 })
      let replaced = Self.common(olds, news)
      #expect(edits <= old.count + new.count && edits >= old.count + new.count - 2 * replaced)
      connection.disconnect()
    }
  }

  /// The length of the longest common subsequence.
  private static func common(_ left: [Int], _ right: [Int]) -> Int {
    var row = Array(repeating: 0, count: right.count + 1)
    for element in left {
      var diagonal = 0
      for (index, other) in right.enumerated() {
        let above = row[index + 1]
        row[index + 1] = element == other ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return row[right.count]
  }

  @Test func `L100 what has stayed is not touched, and what has changed is replaced`() throws {
    struct Row: Equatable { let (id, text): (Int, String) }
    let list = ArrayVariable([(1, "a"), (2, "b"), (3, "c")].map { Row(id: $0.0, text: $0.1) })
    let changes = CollectingSink<ArrayChange<Row>>()
    let connection = list.changes.collect(into: changes)
    try list.update(
      to: [Row(id: 0, text: "z"), Row(id: 1, text: "a"), Row(id: 3, text: "C")], by: \.id)
    let shape = changes.values.flatMap(\.modifications).map {
      "\($0.at):\($0.old.count)>\($0.new.count)"
    }
    #expect(shape == ["0:0>1", "2:2>1"])
    try list.update(to: list.value, by: \.id)
    #expect(changes.values.count == 1)
    connection.disconnect()
  }

  @Test func `L100 beyond the most edits all are replaced`() throws {
    let list = ArrayVariable(Array(0..<5000))
    let changes = CollectingSink<ArrayChange<Int>>()
    let connection = list.changes.collect(into: changes)
    try list.update(to: Array(10_000..<15_000)) { $0 }
    #expect(changes.values.flatMap(\.modifications).map(\.new.count) == [5000])
    connection.disconnect()
  }
}
