import Dispatch
import GatheredKitTesting
import Ground
import Streams
import Testing

/// Operators that several threads meet in.
@Suite struct OperatorStressTests {
  private func inParallel(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: threads, execute: body)
  }

  /// Sends `each` values per thread into a signal of its own.
  private func feed(_ signals: [Signal<Int>], each: Int) {
    inParallel(signals.count) { thread in
      for number in 0..<each { signals[thread].send(thread * each + number) }
    }
  }

  @Test func `a merge has every value once, one at a time, each input in order (L4 L22 L26)`() {
    let signals = (0..<4).map { _ in Signal<Int>() }
    let each = 2_000
    let inside = Counter()
    let seen = CollectingSink<Int>()
    let bag = Connector()
    let merged = merge(signals)
    merged.collect(into: seen).put(into: bag)
    merged.subscribe { _ in
      #expect(inside.increment() == 1)
      inside.decrement()
    }.put(into: bag)
    feed(signals, each: each)
    for thread in 0..<4 {
      #expect(
        seen.values.filter { $0 / each == thread } == Array(thread * each..<(thread + 1) * each))
    }
    #expect(seen.values.count == 4 * each)
  }

  @Test func `a combination never goes back and ends with the newest (L4 L27)`() {
    let signals = [Signal<Int>(), Signal<Int>()]
    let seen = CollectingSink<[Int]>()
    let connection = combineLatest(signals).collect(into: seen)
    feed(signals, each: 2_000)
    #expect(seen.values.last == [1_999, 3_999])
    for (former, next) in zip(seen.values, seen.values.dropFirst()) {
      #expect(zip(former, next).allSatisfy { $0 <= $1 } && former != next)
    }
    withExtendedLifetime(connection) {}
  }

  @Test func `coming and going attaches and detaches in turn (L8 L17 L18)`() {
    let probe = Probe<Int>()
    let merged = merge(probe)
    inParallel(4) { thread in
      for round in 0..<500 {
        let connection = merged.subscribe { _ in }
        if thread == 0 { probe.send(round) }
        connection.disconnect()
      }
    }
    #expect(probe.log.last == 0)
    for (index, count) in probe.log.enumerated() { #expect(count == (index + 1) % 2) }
    let connection = merged.subscribe { _ in }
    #expect(probe.log.last == 1)
    withExtendedLifetime(connection) {}
  }

  @Test func `a queue has every value in order, and none for who has left (L8 L42)`() async {
    let queue = SerialQueue()
    let signal = Signal<Int>()
    let seen = CollectingSink<Int>()
    let gone = Counter()
    let kept = signal.dispatch(on: queue).collect(into: seen)
    inParallel(3) { thread in
      for number in 0..<500 {
        if thread == 0 {
          signal.send(number)
          continue
        }
        let guest = Guest { gone.increment() }
        let connection = signal.dispatch(on: queue).subscribe { _ in guest.visit() }
        connection.disconnect()
      }
    }
    await withCheckedContinuation { done in queue.submit { done.resume() } }
    #expect(seen.values == Array(0..<500))
    #expect(gone.count == 1_000)
    kept.disconnect()
    #expect(signal.subscriberCount == 0)
  }

  @Test func `a clock and a sender never meet in a sink (L4 L23 L33)`() {
    let clock = ManualClock()
    let signal = Signal<Int>()
    let inside = Counter()
    let seen = CollectingSink<Int>()
    let bag = Connector()
    let throttled = signal.throttle(.microseconds(3), on: clock)
    for _ in 0..<2 {
      throttled.subscribe { value in
        #expect(inside.increment() == 1)
        seen.add(value)
        inside.decrement()
      }.put(into: bag)
    }
    inParallel(3) { thread in
      for number in 0..<1_000 {
        if thread == 0 { clock.advance(by: .microseconds(1)) } else { signal.send(number) }
      }
    }
    bag.disconnect()
    #expect(!seen.values.isEmpty)
    #expect(clock.scheduledCount == 0)
    #expect(signal.subscriberCount == 0)
  }
}

/// A queue with a thread of its own.
private final class SerialQueue: WorkQueue {
  private let queue = DispatchQueue(label: "jobs")

  var isCurrent: Bool { false }

  func submit(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}
