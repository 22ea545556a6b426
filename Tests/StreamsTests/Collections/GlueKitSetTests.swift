import GatheredKitTesting
import Streams
import Testing

/// What sets of GlueKit do, behaviour by behaviour; where ours differ, the name says so.
@Suite struct GlueKitSetTests {
  let set = SetVariable([0, 2, 3, 4, 8, 9])

  @Test func `a set in order tells the places of what comes and goes`() throws {
    let watch = ListWatch(set.sorted())
    try set.insert(1)
    try set.remove(3)
    try set.formUnion([3, 5, 6])
    #expect(watch.changes == ["1:>1", "3:3>", "3:>3;5:>5,6"])
    #expect(watch.values.last == [0, 1, 2, 3, 4, 5, 6, 8, 9])
  }

  @Test func `a set in another order does so too`() throws {
    let watch = ListWatch(set.sorted(by: >))
    try set.insert(1)
    try set.remove(3)
    try set.formUnion([3, 5, 6])
    #expect(watch.changes == ["5:>1", "3:3>", "2:>6,5;5:>3"])
  }

  @Test func `a result is there as long as anything leads to it`() throws {
    let watch = ListWatch(set.map { $0 / 2 }.sorted())
    try set.remove(2)
    #expect(watch.changes == [])
    try set.remove(3)
    #expect(watch.changes == ["1:1>"])
    try set.insert(5)
    #expect(watch.changes == ["1:1>"] && watch.values.last == [0, 2, 4])
  }

  @Test func `an equal element does not take the place of one (L88 differs)`() throws {
    struct Named: Hashable {
      let (number, name): (Int, String)
      static func == (left: Named, right: Named) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let set = SetVariable([Named(number: 1, name: "a")])
    let ticks = Counter()
    let connection = set.tick.subscribe { ticks.increment() }
    // There `update(with:)` puts it in, and tells of it.
    #expect(try !set.insert(Named(number: 1, name: "b")))
    #expect(set.value.map(\.name) == ["a"] && ticks.count == 0)
    connection.disconnect()
  }

  @Test func `a set that is assigned tells what has gone and come`() throws {
    let changes = CollectingSink<SetChange<Int>>()
    let connection = set.changes.collect(into: changes)
    set.value = [2, 3, 5]
    #expect(changes.values == [SetChange(removed: [0, 4, 8, 9], inserted: [5])])
    try set.removeAll()
    #expect(changes.values.last == SetChange(removed: [2, 3, 5], inserted: []))
    connection.disconnect()
  }

  @Test func `a set tells how many it has, and whether it has one`() throws {
    let (count, has) = (Watch(set.count), Watch(set.contains(5)))
    try set.formUnion([5, 6])
    try set.subtract([0, 5])
    #expect(count.values == [6, 8, 6] && has.values == [false, true, false])
  }

  @Test func `an element of two sets goes with the last of them`() throws {
    let other = SetVariable([9, 10])
    let watch = ListWatch(union(set, other).sorted())
    try set.remove(9)
    #expect(watch.changes == [])
    try other.remove(9)
    #expect(watch.changes == ["5:9>"])
  }
}
