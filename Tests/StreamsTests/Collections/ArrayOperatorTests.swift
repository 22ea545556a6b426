import GatheredKitTesting
import Streams
import Testing

/// Each operator beside what it says, computed anew after every step.
@Suite struct ArrayOperatorTests {
  /// A derived list, its recomputation, and a copy that follows by its changes.
  private struct Case {
    let name: String
    let view: any ObservableArray<Int>
    let expected: @Sendable () -> [Int]
  }

  private func cases(_ first: ArrayVariable<Int>, _ second: ArrayVariable<Int>) -> [Case] {
    [
      Case(name: "map", view: first.map { $0 * 3 % 7 }) { first.value.map { $0 * 3 % 7 } },
      Case(name: "filter", view: first.filter { $0 % 2 == 0 }) {
        first.value.filter { $0 % 2 == 0 }
      },
      Case(name: "sorted", view: first.sorted()) { first.value.sorted() },
      Case(name: "sorted by half", view: first.sorted { $0 / 3 < $1 / 3 }) {
        first.value.sorted { $0 / 3 < $1 / 3 }
      },
      Case(name: "concat", view: concatenated(first, second, first)) {
        first.value + second.value + first.value
      },
      Case(
        name: "chain",
        view: concatenated(first, second).filter { $0 > 2 }.sorted().map { -$0 }
      ) {
        (first.value + second.value).filter { $0 > 2 }.sorted().map { -$0 }
      },
    ]
  }

  @Test(arguments: 0..<40)
  func `L92 L93 L95 L96 derived lists are what they say after every step`(seed: UInt64) throws {
    var random = RandomLists(seed)
    let lists = [ArrayVariable(random.elements(200)), ArrayVariable(random.elements(9))]
    let cases = cases(lists[0], lists[1])
    let copies = cases.map { one in
      let copy = ArrayVariable(one.view.value)
      let connection = one.view.changes.subscribe { try? copy.apply($0) }
      return (copy, connection)
    }
    for _ in 0..<60 {
      let list = lists[random.number(0...1)]
      let isLong = random.number(0...3) == 0
      if isLong { lists[0].begin() }
      for _ in 0..<random.number(1...3) {
        let modification = random.modification(of: list.value)
        try list.replace(modification.formerRange, with: modification.new)
      }
      if random.number(0...15) == 0 { try list.set(random.elements(30)) }
      for one in cases { #expect(one.view.value == one.expected(), "\(one.name)") }
      if isLong { try lists[0].end() }
      for (one, copy) in zip(cases, copies) {
        #expect(copy.0.value == one.expected(), "\(one.name) by its changes")
      }
    }
  }

  @Test func `L92 a function is called once for each new element`() throws {
    let (list, calls) = (ArrayVariable([1, 2, 3]), Counter())
    let mapped = list.map { number in
      calls.increment()
      return number * 10
    }
    let watch = ListWatch(mapped)
    let attached = calls.count
    try list.insert(7, at: 1)
    try list.remove(at: 0)
    #expect(calls.count == attached + 1)
    #expect(watch.changes == ["1:>70", "0:10>"])
  }

  @Test func `L93 what changes nothing is silent but for begin and end`() throws {
    let list = ArrayVariable([1, 2, 3])
    let watch = ListWatch(list.filter { $0 > 2 })
    try list.set(0, at: 0)
    #expect(watch.values == [[3]] && watch.changes.isEmpty)
    try list.withTransaction { try list.set(1, at: 0) }
    #expect(!watch.updates.contains(">"))
    try list.set(5, at: 1)
    #expect(watch.changes == ["0:>5"])
  }

  @Test func `L97 counts, sums and contents are told when they are others`() throws {
    let list = ArrayVariable([1, 2])
    let (count, sum) = (Watch(list.count), Watch(list.sum()))
    let has = Watch(list.contains(7))
    try list.append(7)
    try list.set(7, at: 0)
    try list.removeAll()
    #expect(count.values == [2, 3, 0] && count.changes == ["2>3", "3>0"])
    #expect(sum.values == [3, 10, 16, 0])
    #expect(has.values == [false, true, false])
    let wide = ArrayVariable<Int8>([100])
    let total = Watch(wide.sum())
    try wide.append(100)
    #expect(total.values == [100, -56])
  }

  @Test func `L97 floating sums are compensated, and zero when nothing is left`() throws {
    let list = ArrayVariable([1e16, 1.0, -1e16])
    let watch = Watch(list.sum())
    #expect(watch.values == [1])
    try list.append(.infinity)
    try list.append(-.infinity)
    #expect(list.sum().value.isNaN && watch.values[1] == .infinity)
    try list.replace(3..<5, with: [0.1])
    #expect(watch.values.last == 1.1)
    try list.removeAll()
    #expect(watch.values.last == 0)
  }

  @Test func `L99 elements are those that are put in from now on`() throws {
    let (list, sink) = (ArrayVariable([1, 2]), CollectingSink<Int>())
    let connection = list.elements.collect(into: sink)
    try list.append(contentsOf: [3, 4])
    try list.remove(at: 0)
    try list.set([8])
    #expect(sink.values == [3, 4, 8])
    connection.disconnect()
  }

  @Test func `L17 L22 a derived list is attached once, while it is observed`() {
    let list = ArrayVariable([1])
    let mapped = list.map { $0 }
    #expect(list.subscriberCount == 0)
    let (first, second) = (mapped.subscribe { _ in }, mapped.changes.subscribe { _ in })
    #expect(list.subscriberCount == 1)
    first.disconnect()
    second.disconnect()
    #expect(list.subscriberCount == 0)
  }
}
