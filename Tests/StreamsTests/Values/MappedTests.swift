import GatheredKitTesting
import Streams
import Testing

@Suite struct MappedTests {
  let origin = Variable(1)

  @Test func `a mapped value reports f of old and new for every change (L59 L49)`() {
    let watch = Watch(origin.map { $0 * 10 })
    origin.withTransaction {
      origin.set(2)
      origin.set(3)
    }
    origin.set(3)
    #expect(watch.updates == "[ 10>20 20>30 ] [ 30>30 ]")
    #expect(watch.changes == ["10>30", "30>30"])
    #expect(watch.values == [10, 30, 30])
    #expect(watch.ticks == 2)
  }

  @Test func `unobserved a value is computed on request, observed it is kept (L58)`() {
    let calls = Counter()
    let mapped = origin.map { value in
      calls.increment()
      return value * 10
    }
    #expect(calls.count == 0)
    origin.set(2)
    #expect(calls.count == 0)
    #expect(mapped.value == 20)
    #expect(calls.count == 1)
    let connection = mapped.updates.subscribe { _ in }
    let attached = calls.count
    #expect(mapped.value == 20)
    #expect(calls.count == attached)
    origin.set(3)
    #expect(calls.count == attached + 1)
    #expect(mapped.value == 30)
    #expect(calls.count == attached + 1)
    connection.disconnect()
    origin.set(4)
    #expect(mapped.value == 40)
  }

  @Test func `the input is attached once while observed and let go after (L17 L18)`() {
    let mapped = origin.map { $0 }
    let bag = Connector()
    #expect(origin.subscriberCount == 0)
    mapped.subscribe { _ in }.put(into: bag)
    mapped.changes.subscribe { _ in }.put(into: bag)
    #expect(origin.subscriberCount == 1)
    bag.disconnect()
    #expect(origin.subscriberCount == 0)
    mapped.updates.subscribe { [origin] _ in
      bag.disconnect()
      #expect(origin.subscriberCount == 0)
      mapped.subscribe { _ in }.put(into: bag)
    }.put(into: bag)
    origin.set(2)
    #expect(origin.subscriberCount == 1)
    bag.disconnect()
    #expect(origin.subscriberCount == 0)
  }

  @Test func `a sink that leaves and comes back hears what follows (L17 L19)`() {
    let mapped = origin.map { $0 * 10 }
    let bag = Connector()
    let seen = CollectingSink<Int>()
    mapped.futureValues.subscribe { [origin] _ in
      bag.disconnect()
      mapped.values.collect(into: seen).put(into: bag)
      origin.set(5)
    }.put(into: bag)
    origin.set(2)
    #expect(seen.values == [20, 50])
  }

  @Test func `nothing but the connection keeps a derived value (section 6)`() {
    weak var held: AnyObject?
    var connection: Connection?
    do {
      let mapped = origin.map { $0 }
      held = mapped as AnyObject
      connection = mapped.subscribe { _ in }
    }
    #expect(held != nil)
    origin.set(2)
    connection?.disconnect()
    connection = nil
    #expect(held == nil)
    #expect(origin.subscriberCount == 0)
  }

  @Test func `who joins midway hears begin, who leaves hears the end (L56 L20)`() throws {
    let mapped = origin.map { $0 * 10 }
    origin.begin()
    origin.set(2)
    let first = Watch(mapped)
    #expect(first.updates == "[")
    #expect(first.values == [20])
    let second = Watch(mapped)
    origin.set(3)
    second.bag.disconnect()
    #expect(second.updates == "[ 20>30 ]")
    #expect(second.changes == ["20>30"])
    #expect(second.values == [20])
    #expect(second.ticks == 0)
    try origin.end()
    #expect(first.updates == "[ 20>30 ]")
    #expect(first.values == [20, 30])
    #expect(second.updates == "[ 20>30 ]")
  }

  @Test func `who leaves says goodbye after the inputs are detached (L20)`() {
    let left = Counter()
    let mapped = origin.map { $0 }
    let connection = mapped.updates.subscribe { [origin] update in
      guard update == .end else { return }
      left.increment()
      #expect(origin.subscriberCount == 0)
    }
    origin.begin()
    connection.disconnect()
    #expect(left.count == 1)
  }

  @Test func `a set in an updates sink joins the open transaction (L54)`() {
    let mapped = origin.map { $0 * 10 }
    let watch = Watch(mapped)
    let connection = mapped.updates.subscribe { [origin] update in
      guard update == .change(ValueChange(old: 10, new: 20)) else { return }
      origin.set(7)
      #expect(mapped.value == 70)
    }
    origin.set(2)
    #expect(watch.updates == "[ 10>20 20>70 ]")
    #expect(watch.changes == ["10>70"])
    withExtendedLifetime(connection) {}
  }

  @Test func `a set on hearing the end is a new transaction (L54)`() {
    let mapped = origin.map { $0 * 10 }
    let watch = Watch(mapped)
    let connection = mapped.changes.subscribe { [origin] in if $0.new == 20 { origin.set(3) } }
    origin.set(2)
    #expect(watch.updates == "[ 10>20 ] [ 20>30 ]")
    withExtendedLifetime(connection) {}
  }

  @Test func `writing sets the origin to the inverse in one transaction of both (L59)`() throws {
    let doubled = origin.map({ $0 * 2 }, inverse: { $0 / 2 })
    let (outer, inner) = (Watch(doubled), Watch(origin))
    #expect(doubled.set(8) == .delivered)
    #expect(origin.value == 4)
    #expect(outer.updates == "[ 2>8 ]")
    #expect(inner.updates == "[ 1>4 ]")
    doubled.begin()
    doubled.value = 10
    origin.set(6)
    #expect(doubled.value == 12)
    try doubled.end()
    #expect(outer.updates == "[ 2>8 ] [ 8>10 10>12 ]")
    #expect(inner.updates == "[ 1>4 ] [ 4>5 5>6 ]")
    #expect(throws: StreamError.notInTransaction) { try doubled.end() }
    _ = doubled.withTransaction { origin.set(1) }
    #expect(outer.changes == ["2>8", "8>12", "12>2"])
  }

  @Test func `a cascade through a mapped value ends where the origin's does (L12)`() {
    let bounded = Variable(0, cascadeLimit: 100_000)
    let mapped = bounded.map { $0 + 1 }
    let last = Box<Delivery>()
    let connection = mapped.futureValues.subscribe { last.value = bounded.set($0) }
    bounded.set(1)
    #expect(last.value == .refused(.cascadeLimit))
    #expect(bounded.value == 100_000)
    #expect(mapped.value == 100_001)
    withExtendedLifetime(connection) {}
  }

  @Test func `a circle through two origins ends, and the value stays true (L12)`() {
    let other = Variable(0)
    let sum = origin + other
    let rounds = Counter()
    let connection = sum.changes.subscribe { _ in
      rounds.increment()
      other.set(other.value + 1)
    }
    origin.set(2)
    #expect(rounds.count <= 100_000)
    #expect(sum.value == origin.value + other.value)
    withExtendedLifetime(connection) {}
  }
}
