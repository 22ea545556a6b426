import GatheredKitTesting
import Streams
import Testing

/// `map`, `filter`, `compactMap` and `flatMap`.
@Suite struct TransformTests {
  let signal = Signal<Int>()
  let bag = Connector()
  let seen = CollectingSink<Int>()

  @Test func `one call per value and subscription, none unobserved (L21 L25)`() {
    let calls = Counter()
    let doubled = signal.map { value in
      calls.increment()
      return value * 2
    }
    signal.send(1)
    #expect(calls.count == 0)
    #expect(signal.subscriberCount == 0)
    doubled.collect(into: seen).put(into: bag)
    signal.send(2)
    #expect(calls.count == 1)
    doubled.collect(into: seen).put(into: bag)
    signal.send(3)
    #expect(calls.count == 3)
    #expect(seen.values == [4, 6, 6])
    bag.disconnect()
    #expect(signal.subscriberCount == 0)
  }

  @Test func `filter and compactMap drop, flatMap sends elements in order (L25)`() {
    let texts = CollectingSink<String>()
    signal.filter { $0 % 2 == 0 }.collect(into: seen).put(into: bag)
    signal.compactMap { $0 > 2 ? "\($0)" : nil }.collect(into: texts).put(into: bag)
    signal.flatMap { 0..<$0 }.map { "<\($0)" }.collect(into: texts).put(into: bag)
    for value in 1...3 { signal.send(value) }
    #expect(seen.values == [2])
    #expect(texts.values == ["<0", "<0", "<1", "3", "<0", "<1", "<2"])
  }

  @Test func `who leaves between two elements gets no further one (L8 L25)`() {
    let own = Box<Connection>()
    own.value = signal.flatMap { [$0, $0 + 1, $0 + 2] }.subscribe { [seen] value in
      seen.add(value)
      if value == 11 { own.value?.disconnect() }
    }
    signal.send(0)
    signal.send(10)
    signal.send(20)
    #expect(seen.values == [0, 1, 2, 10, 11])
    #expect(own.value?.isConnected == false)
    #expect(signal.subscriberCount == 0)
  }

  @Test func `a final value passes the operators, in full (L20)`() {
    let bracketed = signal.bracketed(goodbye: { 7 })
    let connection = bracketed.map { $0 + 1 }.flatMap { [$0, $0] }.collect(into: seen)
    signal.send(0)
    connection.disconnect()
    #expect(seen.values == [1, 1, 8, 8])
  }

  @Test func `the functions may use the stream: no lock is held (L13)`() {
    let connection = signal.map { [signal] value in
      if value == 0 {
        signal.send(1)
        signal.subscribe { _ in }.disconnect()
      }
      return signal.subscriberCount
    }.collect(into: seen)
    signal.send(0)
    #expect(seen.values == [1, 1])
    withExtendedLifetime(connection) {}
  }

  @Test func `a connection keeps the chain, its end lets go of what was captured (L14 L15)`() {
    let gone = Counter()
    weak var origin: Signal<Int>?
    var connection: Connection?
    do {
      let signal = Signal<Int>()
      origin = signal
      let guest = Guest { gone.increment() }
      connection = signal.map { $0 + 1 }.flatMap { [$0] }.subscribe { _ in guest.visit() }
    }
    #expect(origin != nil)
    #expect(gone.count == 0)
    connection?.disconnect()
    #expect(gone.count == 1)
    connection = nil
    #expect(origin == nil)
  }
}
