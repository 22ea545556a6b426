import GatheredKitTesting
import Streams
import Testing

@Suite struct DistinctTests {
  let signal = Signal<Int>()
  let bag = Connector()
  let seen = CollectingSink<Int>()

  @Test func `the first value, then what differs from the last one forwarded (L28)`() {
    signal.distinct().collect(into: seen).put(into: bag)
    for value in [1, 1, 2, 2, 1, 1] { signal.send(value) }
    #expect(seen.values == [1, 2, 1])
  }

  @Test func `equivalence is asked of the last one forwarded, not the last one (L28)`() {
    signal.distinct { abs($0 - $1) < 10 }.collect(into: seen).put(into: bag)
    for value in [0, 6, 12, 18, 24, 5] { signal.send(value) }
    #expect(seen.values == [0, 12, 24, 5])
  }

  @Test func `each subscription has a memory of its own (L21)`() {
    let calls = Counter()
    let distinct = signal.distinct { former, value in
      calls.increment()
      return former == value
    }
    distinct.collect(into: seen).put(into: bag)
    signal.send(1)
    #expect(calls.count == 0)
    distinct.collect(into: seen).put(into: bag)
    signal.send(1)
    #expect(calls.count == 1)
    #expect(seen.values == [1, 1])
  }

  @Test func `the predicate may use the stream: no lock is held (L13)`() {
    signal.distinct { [signal] former, value in
      if value == 2 { signal.send(3) }
      return former == value
    }.collect(into: seen).put(into: bag)
    signal.send(1)
    signal.send(2)
    #expect(seen.values == [1, 2, 3])
  }
}
