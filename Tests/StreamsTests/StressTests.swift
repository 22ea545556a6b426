import Dispatch
import GatheredKitTesting
import Ground
import Streams
import Testing

/// Runs `body` on several threads at once and waits for all of them.
private func inParallel(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
  DispatchQueue.concurrentPerform(iterations: threads, execute: body)
}

/// A value that knows who sent it and as which of its values.
private struct Parcel: Sendable {
  let sender: Int
  let number: Int
}

@Suite struct StressTests {
  @Test func `several senders: once each, one at a time, each in its order (L1 L2 L3 L4)`() {
    let signal = Signal<Parcel>(cascadeLimit: 10)
    let (senders, each) = (4, 5_000)
    let inside = Counter()
    let received = CollectingSink<Parcel>()
    let bag = Connector()
    signal.collect(into: received).put(into: bag)
    for _ in 0..<2 {
      signal.subscribe { _ in
        #expect(inside.increment() == 1)
        inside.decrement()
      }.put(into: bag)
    }
    inParallel(senders) { sender in
      // A foreign send is no part of the cascade it meets (L12), so none is refused.
      for number in 0..<each {
        if case .refused = signal.send(Parcel(sender: sender, number: number)) {
          Issue.record("a send from outside was refused")
        }
      }
    }
    #expect(signal.enqueue(Parcel(sender: senders, number: 0)) == .queued)
    signal.flush()
    let values = received.values
    #expect(values.count == senders * each + 1)
    for sender in 0..<senders {
      #expect(values.filter { $0.sender == sender }.map(\.number) == Array(0..<each))
    }
  }

  @Test func `joining and leaving among sends: no call after leaving, let go once (L8 L15)`() {
    let signal = Signal<Int>()
    let (threads, rounds) = (4, 1_000)
    let guests = Counter()
    inParallel(threads) { thread in
      for round in 0..<rounds {
        if thread == 0 {
          signal.send(round)
          continue
        }
        let state = Visit()
        let connection = signal.subscribe { [guest = Guest { guests.increment() }] _ in
          state.enter()
          guest.visit()
          state.exit()
        }
        if round % 3 == 0 { signal.send(round) }
        connection.disconnect()
        state.left()
      }
    }
    #expect(guests.count == (threads - 1) * rounds)
    #expect(signal.subscriberCount == 0)
  }

  @Test func `two threads disconnect the same sink while it is called (L8 L9 L15)`() {
    for _ in 0..<500 {
      let gone = Counter()
      let signal = Signal<Int>()
      let connection = signal.subscribe { [guest = Guest { gone.increment() }] _ in
        #expect(gone.count == 0)
        guest.visit()
      }
      inParallel(3) { thread in
        if thread == 0 { signal.send(1) } else { connection.disconnect() }
      }
      #expect(gone.count == 1)
    }
  }

  @Test func `a timer is never armed twice and never left armed (L18 L46)`() {
    let clock = ManualClock()
    let timer = TimerStream(start: clock.now, every: .milliseconds(1), clock: clock)
    inParallel(4) { thread in
      for _ in 0..<300 {
        let connection = timer.subscribe { _ in }
        if thread == 0 { clock.advance(by: .milliseconds(1)) }
        connection.disconnect()
      }
    }
    #expect(clock.scheduledCount == 0)
    let connection = timer.subscribe { _ in }
    #expect(clock.scheduledCount == 1)
    withExtendedLifetime(connection) {}
  }

  @Test func `sets of several threads are all told, and chain (L50 L51 L53)`() {
    let variable = Variable(-1)
    let (threads, each) = (3, 1_000)
    let told = CollectingSink<Int>()
    let steps = CollectingSink<TransactionEvent<ValueChange<Int>>>()
    let bag = Connector()
    variable.futureValues.collect(into: told).put(into: bag)
    variable.updates.collect(into: steps).put(into: bag)
    inParallel(threads) { thread in
      for number in 0..<each { variable.set(thread * each + number) }
    }
    #expect(told.values.sorted() == Array(0..<(threads * each)))
    #expect(told.values.last == variable.value)
    var present = -1
    for case .change(let change) in steps.values {
      #expect(change.old == present)
      present = change.new
    }
    #expect(steps.values.count == 3 * threads * each)
  }

  @Test func `a long cascade needs no deep stack (L12)`() {
    let signal = Signal<Int>(cascadeLimit: 300_000)
    let count = Counter()
    let connection = signal.subscribe { value in
      count.increment()
      signal.send(value + 1)
    }
    DispatchQueue.global().sync { _ = signal.send(0) }
    #expect(count.count == 300_000)
    withExtendedLifetime(connection) {}
  }
}

/// Watches one sink: it is never entered twice at once, and once its disconnection has returned
/// at most the invocation that was then beginning still comes.
private final class Visit: Sendable {
  private let state = Lock((inside: 0, hasLeft: false, lateEntries: 0))

  func enter() {
    state.withLock { state in
      state.inside += 1
      if state.hasLeft { state.lateEntries += 1 }
      #expect(state.inside == 1)
      #expect(state.lateEntries <= 1)
    }
  }

  func exit() { state.withLock { $0.inside -= 1 } }

  func left() { state.withLock { $0.hasLeft = true } }
}
