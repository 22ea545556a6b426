import GatheredKitTesting
import Streams
import Testing

@Suite struct CombinedTests {
  let a = Variable(1)
  let b = Variable(2)

  @Test func `each input's change is reported separately, values once (L62)`() {
    let watch = Watch(combined(a, b) { $0 * 10 + $1 })
    a.withTransaction {
      b.withTransaction {
        a.set(3)
        b.set(4)
      }
    }
    #expect(watch.updates == "[ 12>32 32>34 ]")
    #expect(watch.changes == ["12>34"])
    #expect(watch.values == [12, 34])
    #expect(watch.ticks == 1)
  }

  @Test func `an input used twice shows two steps (L62)`() {
    let watch = Watch(a + a)
    a.set(5)
    #expect(watch.updates == "[ 2>6 6>10 ]")
    #expect(watch.values == [2, 10])
  }

  @Test func `the transaction is open while that of any input is (L58)`() throws {
    let watch = Watch(a + b)
    a.begin()
    b.begin()
    a.set(2)
    try a.end()
    #expect(watch.updates == "[ 3>4")
    b.set(3)
    try b.end()
    #expect(watch.updates == "[ 3>4 4>5 ]")
    #expect(watch.ticks == 1)
  }

  @Test func `what comes by two ways is one transaction for any listener (L58 L62)`() {
    let (near, far) = (a.map { $0 + 1 }, a.map { $0 * 10 }.map { $0 + 1 })
    let sum = near + far
    let seen = CollectingSink<Int>()
    let bag = Connector()
    sum.futureValues.collect(into: seen).put(into: bag)
    a.set(2)
    #expect(seen.values == [24])
    // A sink of the parts further down makes no difference.
    let watch = Watch(sum.map { $0 })
    a.set(3)
    #expect(seen.values == [24, 35])
    #expect(watch.changes == ["24>35"])
    watch.bag.disconnect()
    a.set(4)
    #expect(seen.values == [24, 35, 46])
    bag.disconnect()
  }

  @Test func `a set from inside a sink of parts far down joins the transaction (L54)`() {
    let far = a.map { $0 * 2 }.map { $0 + 1 }
    let plain = CollectingSink<Int>()
    let bag = Connector()
    far.futureValues.collect(into: plain).put(into: bag)
    a.set(2)
    let watch = Watch(far)
    far.updates.subscribe { [a] update in
      if update == .begin, a.value == 3 { a.set(4) }
    }.put(into: bag)
    a.set(3)
    #expect(watch.updates == "[ 5>7 7>9 ]")
    #expect(watch.changes == ["5>9"])
    #expect(plain.values == [5, 9])
    bag.disconnect()
  }

  @Test func `a node whose other input is in a transaction joins it (L58)`() throws {
    let seen = CollectingSink<Int>()
    let connection = (a + b).futureValues.collect(into: seen)
    a.begin()
    b.set(5)
    b.set(6)
    #expect(seen.values == [])
    try a.end()
    #expect(seen.values == [7])
    connection.disconnect()
  }

  @Test func `two to six of any type, as a tuple or through a function (L62)`() {
    let (c, d, e, f) = (Variable("c"), Variable(4.0), Variable(true), Variable(6))
    #expect(combined(a, c).value == (1, "c"))
    #expect(combined(a, b, c).value == (1, 2, "c"))
    #expect(combined(a, b, c, d).value == (1, 2, "c", 4.0))
    let all = combined(a, b, c, d, e, f) { "\($0) \($1) \($2) \($3) \($4) \($5)" }
    let watch = Watch(all)
    e.set(false)
    #expect(watch.values == ["1 2 c 4.0 true 6", "1 2 c 4.0 false 6"])
  }

  @Test func `a set from inside shows among the parts in order (L54 L62)`() {
    let sum = a + b
    let watch = Watch(sum)
    let connection = sum.updates.subscribe { [b] update in
      guard update == .change(ValueChange(old: 3, new: 12)) else { return }
      b.set(5)
      b.set(6)
      #expect(sum.value == 16)
    }
    a.set(10)
    #expect(watch.updates == "[ 3>12 12>15 15>16 ]")
    #expect(watch.changes == ["3>16"])
    withExtendedLifetime(connection) {}
  }

  @Test func `updatables combined write all parts in one transaction (L62)`() throws {
    let pair = combined(a, b)
    let sum = Watch(combined(pair.map { "\($0)" }, a + b) { "\($0)\($1)" })
    let parts = (Watch(a), Watch(b))
    #expect(pair.set((5, 6)) == .delivered)
    #expect((a.value, b.value) == (5, 6))
    #expect(sum.changes == ["(1, 2)3>(5, 6)11"])
    #expect(parts.0.updates == "[ 1>5 ]")
    #expect(parts.1.updates == "[ 2>6 ]")
    let split = combined(a, b, by: { $0 + $1 }, inverse: { ($0 / 2, $0 - $0 / 2) })
    split.value = 7
    #expect((a.value, b.value) == (3, 4))
    split.begin()
    #expect(parts.0.raw.last == .begin)
    try split.end()
    a.begin()
    #expect(throws: StreamError.notInTransaction) { try split.end() }
    try a.end()
  }

  @Test func `an array of values is one value, updatable if all are (L62)`() throws {
    let list = combined([a, b, a] as [any ObservableValue<Int>])
    let watch = Watch(list)
    let updatable = try #require(list as? any UpdatableValue<[Int]>)
    updatable.value = [7, 8, 9]
    #expect(watch.changes == ["[1, 2, 1]>[9, 8, 9]"])
    updatable.value = [1]
    #expect(list.value == [1, 8, 1])
    let fixed = combined([a, a + b])
    #expect(fixed as? any UpdatableValue<[Int]> == nil)
    #expect(fixed.value == [1, 9])
    #expect(combined([any ObservableValue<Int>]()).value == [])
  }

  @Test func `integers wrap and division by zero is 0, nothing traps (L63)`() {
    let (most, least) = (Variable(Int8.max), Variable(Int8.min))
    let (one, zero, minus) = (Variable<Int8>(1), Variable<Int8>(0), Variable<Int8>(-1))
    #expect((most + one).value == Int8.min)
    #expect((least - one).value == Int8.max)
    #expect((most * most).value == 1)
    #expect((most / zero).value == 0)
    #expect((most % zero).value == 0)
    #expect((least / minus).value == Int8.min)
    #expect((least % minus).value == 0)
    #expect((-least).value == Int8.min)
    let (small, none) = (Variable<UInt8>(3), Variable<UInt8>(0))
    #expect((none - small).value == 253)
    #expect((-small).value == 253)
  }

  @Test func `operators on numbers, comparisons and truth (L62)`() {
    let (x, y) = (Variable(7.5), Variable(2.0))
    let (yes, no) = (Variable(true), Variable(false))
    let doubles = [x + y, x - y, x * y, x / y, x % y, -x, min(x, y), max(x, y), sqrt(x * x)]
    #expect(doubles.map { $0.value } == [9.5, 5.5, 15, 3.75, 1.5, -7.5, 2, 7.5, 7.5])
    let ints = [a + b, a - b, a * b, b / a, b % a, -a, min(a, b), max(a, b)]
    #expect(ints.map { $0.value } == [3, -1, 2, 2, 0, -1, 1, 2])
    let tests = [a == b, a != b, a < b, a <= b, a > b, a >= b]
    #expect(tests.map { $0.value } == [false, true, true, true, false, false])
    let truths = [yes && no, yes || no, !yes, !(yes && yes)]
    #expect(truths.map { $0.value } == [false, true, false, false])
    #expect(((a + b) * (a - b) < a).value)
  }
}
