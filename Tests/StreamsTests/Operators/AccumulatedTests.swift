import GatheredKitTesting
import Streams
import Testing

@Suite struct AccumulatedTests {
  let signal = Signal<Int>()
  let seen = CollectingSink<Int>()

  @Test func `it works unobserved and replays the running result (L32)`() {
    let sum = signal.accumulated(10) { $0 + $1 }
    #expect(signal.subscriberCount == 1)
    #expect(sum.value == 10)
    signal.send(1)
    signal.send(2)
    #expect(sum.value == 13)
    let connection = sum.values.collect(into: seen)
    signal.send(3)
    #expect(seen.values == [13, 16])
    #expect(signal.subscriberCount == 1)
    withExtendedLifetime(connection) {}
  }

  @Test func `it has the views of an observable (L32 L49)`() {
    let count = signal.counted()
    let steps = CollectingSink<TransactionEvent<ValueChange<Int>>>()
    let bag = Connector()
    count.updates.collect(into: steps).put(into: bag)
    count.futureValues.collect(into: seen).put(into: bag)
    signal.send(7)
    #expect(steps.values == [.begin, .change(ValueChange(old: 0, new: 1)), .end])
    #expect(seen.values == [1])
  }

  @Test func `it lets go of its input when it is released, not while observed (L14 L32)`() {
    var count: (any ObservableValue<Int>)? = signal.counted()
    var connection = count?.collect(into: seen)
    count = nil
    signal.send(5)
    #expect(seen.values == [0, 1])
    #expect(connection?.isConnected == true)
    connection = nil
    #expect(signal.subscriberCount == 0)
    count = signal.counted()
    #expect(signal.subscriberCount == 1)
    count = nil
    #expect(signal.subscriberCount == 0)
  }

  @Test func `an initial value is the first value (L32)`() {
    let count = Variable(3).accumulated(1) { $0 * $1 }
    #expect(count.value == 3)
  }
}
