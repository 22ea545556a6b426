import GatheredKitTesting
import Streams
import Testing

@Suite struct DeliveryTests {
  let log = CollectingSink<String>()

  @Test func `values keep the order of their sends, and marbles their time (L1 L2)`() {
    let clock = ManualClock()
    let signal = Signal<String>()
    Marble("x").play(into: signal, on: clock)  // no subscriber: discarded
    let drawing = Drawing(signal, on: clock) { $0 }
    Marble("----a--bc").play(into: signal, on: clock)
    #expect(drawing.diagram == "----a--bc")
  }

  @Test func `a send to a busy stream is queued and delivered value by value (L3 L4 L5)`() {
    let signal = Signal<Int>()
    let first = signal.subscribe { [log] value in
      log.add("1<\(value)")
      if value == 0 {
        #expect(signal.send(1) == .queued)
        #expect(signal.send(2) == .queued)
      }
      log.add("1>\(value)")
    }
    let second = signal.subscribe { [log] value in log.add("2:\(value)") }
    #expect(signal.send(0) == .delivered)
    #expect(
      log.values == ["1<0", "1>0", "2:0", "1<1", "1>1", "2:1", "1<2", "1>2", "2:2"])
    first.disconnect()
    second.disconnect()
  }

  @Test func `a sink that joins misses what was placed before it (L6)`() {
    let signal = Signal<Int>()
    let bag = Connector()
    let seen = CollectingSink<Int>()
    signal.subscribe { value in
      guard value == 0 else { return }
      signal.send(1)
      signal.collect(into: seen).put(into: bag)
      signal.send(2)
    }.put(into: bag)
    signal.send(0)
    #expect(seen.values == [2])
  }

  @Test func `a sink that left before its turn gets nothing (L7 L8)`() {
    let signal = Signal<Int>()
    let bag = Connector()
    let seen = CollectingSink<Int>()
    let victim = Box<Connection>()
    signal.subscribe { value in
      signal.send(value + 1)
      victim.value?.disconnect()
    }.put(into: bag)
    victim.value = signal.collect(into: seen)
    signal.cascadeLimit = 3
    signal.send(0)
    #expect(seen.values.isEmpty)
    #expect(victim.value?.isConnected == false)
  }

  @Test func `disconnecting is idempotent and works without the stream (L9)`() {
    var signal: Signal<Int>? = Signal()
    let connection = signal?.subscribe { _ in }
    signal = nil
    connection?.disconnect()
    connection?.disconnect()
    #expect(connection?.isConnected == false)
  }

  @Test func `a sink may leave and come again in one invocation (L8 L10)`() {
    let signal = Signal<Int>()
    let seen = CollectingSink<Int>()
    let own = Box<Connection>()
    own.value = signal.subscribe { value in
      signal.send(10)
      own.value?.disconnect()
      own.value = signal.collect(into: seen)
      signal.send(20)
      #expect(value == 0)
    }
    signal.send(0)
    #expect(seen.values == [20])
    let twice = Connector()
    signal.collect(into: seen).put(into: twice)
    signal.send(30)
    #expect(seen.values == [20, 30, 30])
  }

  @Test func `enqueued values wait for a flush or a send (L11)`() {
    let signal = Signal<Int>()
    let seen = CollectingSink<Int>()
    let connection = signal.collect(into: seen)
    signal.enqueue(1)
    #expect(seen.values.isEmpty)
    signal.flush()
    #expect(seen.take() == [1])
    signal.enqueue(2)
    signal.send(3)
    #expect(seen.take() == [2, 3])
    let during = signal.subscribe { value in
      guard value == 4 else { return }
      signal.enqueue(5)
      signal.flush()
      #expect(seen.values == [4])
    }
    signal.send(4)
    #expect(seen.values == [4, 5])
    withExtendedLifetime((connection, during)) {}
  }

  @Test func `releasing a stream drops what was never flushed (L11 L15)`() {
    let gone = Counter()
    do {
      let signal = Signal<Guest>()
      let connection = signal.subscribe { _ in }
      signal.enqueue(Guest { gone.increment() })
      #expect(gone.count == 0)
      withExtendedLifetime(connection) {}
    }
    #expect(gone.count == 1)
  }

  @Test(arguments: [1, 2, 5, 100_000]) func `a cascade ends at its limit (L12)`(limit: Int) {
    let signal = Signal<Int>(cascadeLimit: limit)
    let refused = Counter()
    let count = Counter()
    let connection = signal.subscribe { value in
      count.increment()
      if signal.send(value + 1) == .refused(.cascadeLimit) { refused.increment() }
    }
    signal.send(0)
    #expect(count.count == limit)
    #expect(refused.count == 1)
    #expect(signal.send(0) == .delivered)
    #expect(count.count == 2 * limit)
    withExtendedLifetime(connection) {}
  }

  @Test func `a refused initial value leaves its subscription in place (L12)`() {
    let variable = Variable(0, cascadeLimit: 1)
    let seen = CollectingSink<Int>()
    let bag = Connector()
    variable.futureValues.subscribe { value in
      if value == 1 { variable.collect(into: seen).put(into: bag) }
    }.put(into: bag)
    variable.set(1)
    #expect(seen.values.isEmpty)
    variable.set(2)
    #expect(seen.values == [2])
  }

  @Test func `everything may be called from inside a sink: no lock is held (L13)`() {
    let signal = Signal<Int>()
    let connector = Connector()
    let visits = Counter()
    signal.subscribe { _ in
      #expect(signal.subscriberCount == 1)
      signal.flush()
      signal.cascadeLimit = 7
      let other = signal.subscribe { _ in }
      connector.add(other)
      #expect(connector.count == 2)
      other.disconnect()
      visits.increment()
    }.put(into: connector)
    signal.send(0)
    #expect(visits.count == 1)
  }
}
