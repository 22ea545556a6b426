import GatheredKitTesting
import Streams
import Testing

@Suite struct DispatchTests {
  let signal = Signal<Int>()
  let queue = ManualQueue()
  let bag = Connector()
  let seen = CollectingSink<Int>()

  @Test func `every value is a job of its own, in order (L42)`() {
    signal.dispatch(on: queue).collect(into: seen).put(into: bag)
    for value in 1...3 { signal.send(value) }
    #expect(seen.values.isEmpty)
    #expect(queue.count == 3)
    queue.runNext()
    #expect(seen.values == [1])
    queue.runAll()
    #expect(seen.values == [1, 2, 3])
  }

  @Test func `also what is sent from the queue, and initial values (L42)`() {
    let held = Variable(1)
    held.dispatch(on: queue).subscribe { [seen, queue] value in
      #expect(queue.isCurrent)
      seen.add(value)
      if value == 1 {
        held.set(2)
        #expect(queue.count == 1)
      }
    }.put(into: bag)
    #expect(seen.values.isEmpty)
    queue.runAll()
    #expect(seen.values == [1, 2])
  }

  @Test func `a job that was handed over does not call who has left (L8 L15 L42)`() {
    let gone = Counter()
    let connection = signal.dispatch(on: queue).subscribe {
      [guest = Guest { gone.increment() }, seen] value in
      guest.visit()
      seen.add(value)
    }
    signal.send(1)
    signal.send(2)
    queue.runNext()
    connection.disconnect()
    #expect(gone.count == 1)
    queue.runAll()
    #expect(seen.values == [1])
    #expect(signal.subscriberCount == 0)
  }
}
