import GatheredKitTesting
import Streams
import Testing

@Suite struct LifetimeTests {
  @Test func `an open connection keeps its stream, releasing it disconnects (L14)`() {
    weak var stream: Signal<Int>?
    var connection: Connection?
    do {
      let signal = Signal<Int>()
      stream = signal
      connection = signal.subscribe { _ in }
    }
    #expect(stream != nil)
    #expect(stream?.subscriberCount == 1)
    #expect(connection?.isConnected == true)
    connection = nil
    #expect(stream == nil)
  }

  @Test func `a sink that leaves while it runs is let go directly afterwards (L8 L15)`() {
    let gone = Counter()
    let signal = Signal<Int>()
    let own = Box<Connection>()
    let after = CollectingSink<Int>()
    own.value = signal.subscribe { [guest = Guest { gone.increment() }] _ in
      own.value?.disconnect()
      guest.visit()
      #expect(gone.count == 0)
    }
    let second = signal.subscribe { _ in after.add(gone.count) }
    signal.send(0)
    #expect(after.values == [1])
    own.value = nil
    #expect(gone.count == 1)
    withExtendedLifetime(second) {}
  }

  @Test func `a sink that does not run is let go at once, also during a delivery (L15)`() {
    let gone = Counter()
    let signal = Signal<Int>()
    let other = Box<Connection>()
    let first = signal.subscribe { _ in
      other.value?.disconnect()
      #expect(gone.count == 1)
    }
    other.value = signal.subscribe { [guest = Guest { gone.increment() }] _ in guest.visit() }
    signal.send(0)
    #expect(gone.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `a weak sink falls silent with its object (section 6)`() {
    let signal = Signal<Int>()
    let seen = CollectingSink<Int>()
    var object: Guest? = Guest {}
    let sink = object.map { Sink<Int>(weak: $0) { _, value in seen.add(value) } }
    let connection = sink.map { signal.subscribe($0) }
    signal.send(1)
    object = nil
    signal.send(2)
    #expect(seen.values == [1])
    withExtendedLifetime(connection) {}
  }

  @Test func `a bag closes in order, holds for itself, and is usable again (L16)`() {
    let order = CollectingSink<Int>()
    let bag = Connector()
    for number in 1...3 { Connection { order.add(number) }.put(into: bag) }
    #expect(order.values.isEmpty)
    let elsewhere = Connection { order.add(4) }
    bag.add(elsewhere)
    bag.add(elsewhere)
    #expect(bag.count == 4)
    elsewhere.disconnect()
    #expect(bag.count == 3)
    bag.add(elsewhere)
    #expect(bag.count == 3)
    bag.disconnect()
    #expect(order.values == [4, 1, 2, 3])
    #expect(bag.count == 0)
    var second: Connector? = Connector()
    second.map { Connection { order.add(5) }.put(into: $0) }
    second = nil
    #expect(order.take().last == 5)
  }

  @Test func `what hangs on an input is attached once and let go (L17 L18)`() {
    let clock = ManualClock()
    let timer = TimerStream(start: clock.now, every: .milliseconds(1), clock: clock)
    #expect(clock.scheduledCount == 0)
    let bag = Connector()
    timer.subscribe { _ in
      // The last one leaves and another comes while the tick is being delivered.
      bag.disconnect()
      timer.subscribe { _ in }.put(into: bag)
      timer.subscribe { _ in }.put(into: bag)
    }.put(into: bag)
    #expect(clock.scheduledCount == 1)
    clock.advance(by: .microseconds(500))
    #expect(clock.scheduledCount == 1)
    bag.disconnect()
    #expect(clock.scheduledCount == 0)
  }

  @Test func `an initial value comes first and once, what is sent meanwhile waits (L19)`() {
    let variable = Variable(1)
    let seen = CollectingSink<Int>()
    let connection = variable.values.subscribe { value in
      if value == 1 { #expect(variable.set(2) == .queued) }
      seen.add(value)
    }
    #expect(seen.values == [1, 2])
    withExtendedLifetime(connection) {}
  }

  @Test func `an initial value on a busy stream shows the newest value as of its place (L19)`() {
    let variable = Variable(0)
    let seen = CollectingSink<Int>()
    let bag = Connector()
    variable.futureValues.subscribe { value in
      guard value == 1 else { return }
      variable.set(2)
      variable.collect(into: seen).put(into: bag)
      #expect(seen.values.isEmpty)
      variable.set(3)
    }.put(into: bag)
    variable.set(1)
    #expect(seen.values == [2, 3])
  }

  @Test func `the final value goes to the leaver, before disconnecting returns (L20)`() {
    let variable = Variable(0)
    let left = CollectingSink<TransactionEvent<ValueChange<Int>>>()
    let stayed = CollectingSink<TransactionEvent<ValueChange<Int>>>()
    let leaver = variable.updates.collect(into: left)
    let stayer = variable.updates.collect(into: stayed)
    variable.begin()
    leaver.disconnect()
    #expect(left.values == [.begin, .end])
    #expect(stayed.values == [.begin])
    withExtendedLifetime(stayer) {}
  }

  @Test func `a sink that leaves while it runs gets its final value afterwards (L20)`() {
    let variable = Variable(0)
    let log = CollectingSink<String>()
    let own = Box<Connection>()
    own.value = variable.updates.subscribe { update in
      log.add("<\(update)")
      own.value?.disconnect()
      log.add(">")
    }
    variable.set(1)
    #expect(log.values == ["<begin", ">", "<end", ">"])
  }
}
