import GatheredKitTesting
import Streams
import Testing

private typealias IntUpdate = TransactionEvent<ValueChange<Int>>

private func change(_ old: Int, _ new: Int) -> ValueChange<Int> {
  ValueChange(old: old, new: new)
}

@Suite struct VariableTests {
  let variable = Variable(0)
  let bag = Connector()
  private let updates = CollectingSink<IntUpdate>()
  let changes = CollectingSink<ValueChange<Int>>()
  let values = CollectingSink<Int>()
  let future = CollectingSink<Int>()
  let ticks = Counter()

  func observeAll() {
    variable.updates.collect(into: updates).put(into: bag)
    variable.changes.collect(into: changes).put(into: bag)
    variable.values.collect(into: values).put(into: bag)
    variable.futureValues.collect(into: future).put(into: bag)
    variable.tick.subscribe { [ticks] in ticks.increment() }.put(into: bag)
  }

  @Test func `five views of one value, values begins with it (L49)`() {
    observeAll()
    let plain = CollectingSink<Int>()
    variable.collect(into: plain).put(into: bag)
    #expect(variable.set(1) == .delivered)
    #expect(updates.values == [.begin, .change(change(0, 1)), .end])
    #expect(changes.values == [change(0, 1)])
    #expect(values.values == [0, 1])
    #expect(plain.values == [0, 1])
    #expect(future.values == [1])
    #expect(ticks.count == 1)
  }

  @Test func `a set is stored before any sink hears of it (L50)`() {
    variable.updates.subscribe { [variable] _ in
      #expect(variable.value == 5)
    }.put(into: bag)
    variable.value = 5
    #expect(variable.value == 5)
  }

  @Test func `setting an equal value is a transaction (L51)`() {
    observeAll()
    variable.set(0)
    #expect(changes.values == [change(0, 0)])
    #expect(values.values == [0, 0])
    #expect(ticks.count == 1)
  }

  @Test func `transactions nest by count, an empty one only ticks (L52)`() throws {
    observeAll()
    variable.begin()
    variable.begin()
    try variable.end()
    #expect(updates.values == [.begin])
    try variable.end()
    #expect(updates.values == [.begin, .end])
    #expect(changes.values.isEmpty)
    #expect(values.values == [0])
    #expect(future.values.isEmpty)
    #expect(ticks.count == 1)
  }

  @Test func `updates chain old to new, changes merge, values tell the last (L53 L55)`() {
    observeAll()
    variable.withTransaction {
      for value in 1...3 { variable.set(value) }
      #expect(values.values == [0])
    }
    #expect(
      updates.values == [
        .begin, .change(change(0, 1)), .change(change(1, 2)), .change(change(2, 3)), .end,
      ])
    #expect(changes.values == [change(0, 3)])
    #expect(values.values == [0, 3])
    #expect(future.values == [3])
    #expect(ticks.count == 1)
  }

  @Test(arguments: [IntUpdate.begin, .change(change(0, 1))])
  private func `a set in an updates sink belongs to the open transaction (L54)`(on step: IntUpdate)
  {
    variable.updates.subscribe { [variable] update in
      if update == step { variable.set(variable.value + 10) }
    }.put(into: bag)
    observeAll()
    variable.set(1)
    #expect(
      updates.values == [.begin, .change(change(0, 1)), .change(change(1, 11)), .end])
    #expect(changes.values == [change(0, 11)])
    #expect(values.values == [0, 11])
    #expect(ticks.count == 1)
  }

  @Test func `a set on hearing the end is a new transaction (L54)`() {
    observeAll()
    variable.updates.subscribe { [variable] update in
      if update == .end, variable.value == 1 { variable.set(2) }
    }.put(into: bag)
    variable.values.subscribe { [variable] in if $0 == 2 { variable.set(3) } }.put(into: bag)
    variable.changes.subscribe { [variable] in
      if $0.new == 3 { variable.set(4) }
    }.put(into: bag)
    variable.tick.subscribe { [variable] in
      if variable.value == 4 { variable.set(5) }
    }.put(into: bag)
    variable.set(1)
    #expect(values.values == [0, 1, 2, 3, 4, 5])
    #expect(changes.values.map(\.old) == [0, 1, 2, 3, 4])
    #expect(updates.values.count == 15)
    #expect(ticks.count == 5)
  }

  @Test func `who joins midway hears begin and counts what follows (L56)`() throws {
    variable.begin()
    variable.set(1)
    observeAll()
    #expect(updates.values == [.begin])
    #expect(values.values == [1])
    try variable.end()
    #expect(updates.values == [.begin, .end])
    #expect(values.values == [1])
    #expect(changes.values.isEmpty)
    variable.begin()
    variable.set(2)
    let late = CollectingSink<ValueChange<Int>>()
    variable.changes.collect(into: late).put(into: bag)
    variable.set(3)
    try variable.end()
    #expect(late.values == [change(2, 3)])
    #expect(changes.values == [change(1, 3)])
    #expect(values.values == [1, 3])
  }

  @Test func `who leaves midway hears end or the merge so far (L56 L20)`() throws {
    observeAll()
    variable.begin()
    variable.set(1)
    variable.set(2)
    bag.disconnect()
    #expect(updates.values.last == .end)
    #expect(changes.values == [change(0, 2)])
    #expect(values.values == [0])
    #expect(future.values.isEmpty)
    #expect(ticks.count == 0)
    try variable.end()
    #expect(updates.values.count == 4)
    #expect(changes.values.count == 1)
  }

  @Test func `ending what is not open is an error, the closure always ends (L57)`() {
    struct Stop: Error {}
    observeAll()
    #expect(throws: StreamError.notInTransaction) { try variable.end() }
    #expect(updates.values.isEmpty)
    #expect(throws: Stop.self) {
      try variable.withTransaction {
        variable.set(1)
        throw Stop()
      }
    }
    #expect(updates.values.last == .end)
    #expect(throws: StreamError.notInTransaction) { try variable.end() }
  }

  @Test func `a refused set stores nothing and the variable stays usable (L12)`() {
    let bounded = Variable(0, cascadeLimit: 10)
    let last = Box<Delivery>()
    bounded.futureValues.subscribe { last.value = bounded.set($0 + 1) }.put(into: bag)
    bounded.set(1)
    #expect(last.value == .refused(.cascadeLimit))
    #expect(bounded.value == 10)
    bounded.set(100)
    #expect(bounded.value == 109)
  }

  @Test func `a target follows a stream one way, initial value included (L66)`() {
    let target = Variable(7)
    target.subscribe(to: variable).put(into: bag)
    #expect(target.value == 0)
    variable.set(3)
    #expect(target.value == 3)
    bag.disconnect()
    variable.set(4)
    #expect(target.value == 3)
  }
}
