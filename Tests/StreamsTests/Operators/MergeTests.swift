import GatheredKitTesting
import Streams
import Testing

@Suite struct MergeTests {
  let a = Signal<Int>()
  let b = Signal<Int>()
  let c = Signal<Int>()
  let bag = Connector()
  let seen = CollectingSink<Int>()

  @Test func `every value of every input in one order (L26)`() {
    merge(a, b).collect(into: seen).put(into: bag)
    a.send(1)
    b.send(2)
    a.send(3)
    #expect(seen.values == [1, 2, 3])
  }

  @Test func `what a sink sends into an input queues behind the value in delivery (L26)`() {
    let log = CollectingSink<String>()
    let merged = merge(a, b)
    merged.subscribe { [b] value in
      log.add("1<\(value)")
      if value == 1 { b.send(2) }
      log.add("1>\(value)")
    }.put(into: bag)
    merged.subscribe { log.add("2:\($0)") }.put(into: bag)
    a.send(1)
    #expect(log.values == ["1<1", "1>1", "2:1", "1<2", "1>2", "2:2"])
  }

  @Test func `a merge of merges behaves like one flat merge (L26)`() {
    func order(_ merged: any ValueStream<Int>) -> [Int] {
      let connection = merged.subscribe { [a, b, c, seen] value in
        seen.add(value)
        guard value == 1 else { return }
        b.send(2)
        c.send(3)
        b.send(4)
        a.send(5)
      }
      a.send(1)
      connection.disconnect()
      return seen.take()
    }
    let flat = order(merge(a, b, c))
    #expect(flat == [1, 2, 3, 4, 5])
    #expect(order(merge(merge(a, b), c)) == flat)
    #expect(order(merge([a, merge(merge(b), c)])) == flat)
  }

  @Test func `one subscription per input, however many sinks, and none without (L17 L22)`() {
    let merged = merge(a, b)
    #expect(a.subscriberCount == 0)
    merged.collect(into: seen).put(into: bag)
    merged.collect(into: seen).put(into: bag)
    #expect(merged.subscriberCount == 2)
    #expect(a.subscriberCount == 1)
    #expect(b.subscriberCount == 1)
    bag.disconnect()
    #expect(a.subscriberCount == 0)
    #expect(b.subscriberCount == 0)
  }

  @Test func `initial values of inputs wait until it hangs on all of them (L18 L19 L22)`() {
    let held = Variable(1)
    let merged = merge(held, b)
    merged.subscribe { [b, seen] value in
      seen.add(value)
      if value == 1 { b.send(2) }
    }.put(into: bag)
    #expect(seen.values == [1, 2])
  }

  @Test func `attaching and detaching alternate, also inside sinks (L17 L18)`() {
    let probe = Probe<Int>()
    let merged = merge(probe, b)
    let own = Box<Connection>()
    own.value = merged.subscribe { [seen] value in
      own.value?.disconnect()
      own.value = nil
      own.value = merged.subscribe { seen.add($0) }
      #expect(value == 1)
    }
    b.send(1)
    #expect(probe.log == [1, 0, 1])
    b.send(2)
    #expect(seen.values == [2])
    own.value = nil
    #expect(probe.log == [1, 0, 1, 0])
  }

  @Test func `a cascade of a shared node ends at its own limit (L12 L22)`() {
    let merged = merge(a, b)
    merged.cascadeLimit = 3
    #expect(merged.cascadeLimit == 3)
    merged.subscribe { [a, b, seen] value in
      seen.add(value)
      if value == 0 { for number in 1...5 { b.send(number) } } else { a.send(0) }
    }.put(into: bag)
    a.cascadeLimit = 1
    a.send(0)
    #expect(seen.values == [0, 1, 2])
    #expect(a.send(9) == .delivered)
  }

  @Test func `a merge of nothing is silent, an input twice counts twice (L26)`() {
    merge([any ValueStream<Int>]()).collect(into: seen).put(into: bag)
    #expect(seen.values.isEmpty)
    merge(a, a).collect(into: seen).put(into: bag)
    a.send(1)
    #expect(seen.values == [1, 1])
  }

  @Test func `an open connection keeps the inputs, a node keeps no connection (L14)`() {
    weak var input: Signal<Int>?
    var connection: Connection?
    do {
      let signal = Signal<Int>()
      input = signal
      connection = merge(signal, b).collect(into: seen)
    }
    input?.send(1)
    #expect(seen.values == [1])
    #expect(connection?.isConnected == true)
    connection = nil
    #expect(input == nil)
  }
}
