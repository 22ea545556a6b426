import GatheredKitTesting
import Streams
import Testing

@Suite struct BufferedTests {
  let signal = Signal<Int>()
  let bag = Connector()
  let seen = CollectingSink<Int>()

  @Test func `one computation is shared, nothing is replayed (L21 L29)`() {
    let calls = Counter()
    let shared = signal.map { value in
      calls.increment()
      return value * 2
    }.buffered()
    shared.collect(into: seen).put(into: bag)
    signal.send(1)
    shared.collect(into: seen).put(into: bag)
    #expect(seen.take() == [2])
    signal.send(2)
    #expect(seen.values == [4, 4])
    #expect(calls.count == 2)
    #expect(signal.subscriberCount == 1)
    bag.disconnect()
    #expect(signal.subscriberCount == 0)
  }

  @Test func `every sink has a value before any has the next (L5 L22)`() {
    let log = CollectingSink<String>()
    let shared = signal.flatMap { [$0, $0 + 1] }.buffered()
    shared.subscribe { log.add("a\($0)") }.put(into: bag)
    shared.subscribe { log.add("b\($0)") }.put(into: bag)
    signal.send(1)
    #expect(log.values == ["a1", "b1", "a2", "b2"])
  }

  @Test func `an initial value upstream reaches who made it attach (L19 L29)`() {
    let held = Variable(1)
    let shared = held.values.map { $0 }.buffered()
    shared.collect(into: seen).put(into: bag)
    #expect(seen.values == [1])
    shared.collect(into: seen).put(into: bag)
    #expect(seen.values == [1])
    held.set(2)
    #expect(seen.values == [1, 2, 2])
  }
}
