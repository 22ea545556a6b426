import AsyncStreams
import GatheredKitTesting
import Streams
import Testing

@Suite struct AsyncValuesTests {
  let signal = Signal<Int>()

  /// Begins an iteration and sends while no task asks for values.
  private func received(
    _ sequence: AsyncValues<Int>, sending values: ClosedRange<Int>
  ) async -> [Int] {
    var iterator = sequence.makeAsyncIterator()
    let first = Task { [signal] in
      while signal.subscriberCount == 0 { await Task.yield() }
      signal.send(0)
    }
    var result = [await iterator.next()]
    await first.value
    for value in values { signal.send(value) }
    sequence.end()
    while let value = await iterator.next() { result.append(value) }
    return result.compactMap { $0 }
  }

  @Test func `values wait for who asks; the default is the newest 1024 (L43)`() async {
    let sequence = signal.asyncValues()
    #expect(await received(sequence, sending: 1...1025) == [0] + Array(2...1025))
    #expect(sequence.droppedCount == 1)
  }

  @Test(arguments: [
    (AsyncBuffering.unbounded, [0, 1, 2, 3, 4, 5], 0), (.newest(2), [0, 4, 5], 3),
    (.oldest(2), [0, 1, 2], 3), (.newest(-1), [0, 5], 4), (.oldest(0), [0, 1], 4),
  ]) func `a full buffer drops and counts (L24 L43)`(
    policy: AsyncBuffering, values: [Int], dropped: Int
  ) async {
    let sequence = signal.asyncValues(buffering: policy)
    #expect(await received(sequence, sending: 1...5) == values)
    #expect(sequence.droppedCount == dropped)
  }

  @Test func `an iteration is a subscription from its first next to its end (L43)`() async {
    let held = Variable(1)
    let sequence = held.asyncValues()
    var iterator: AsyncValues<Int>.Iterator? = sequence.makeAsyncIterator()
    #expect(held.subscriberCount == 0)
    #expect(await iterator?.next() == 1)
    #expect(held.subscriberCount == 1)
    for await value in sequence {
      #expect(value == 1)
      #expect(held.subscriberCount == 2)
      break
    }
    iterator = nil
    #expect(held.subscriberCount == 0)
  }

  @Test func `cancelling the task disconnects (L43)`() async {
    let task = Task { [signal] in
      var count = 0
      for await _ in signal.asyncValues() { count += 1 }
      return count
    }
    while signal.subscriberCount == 0 { await Task.yield() }
    task.cancel()
    #expect(signal.subscriberCount == 0)
    #expect(await task.value == 0)
  }

  @Test func `a cancelled task never subscribes (L43)`() async {
    let task = Task { [signal] in
      while !Task.isCancelled { await Task.yield() }
      var iterator = signal.asyncValues().makeAsyncIterator()
      let value = await iterator.next()
      #expect(signal.subscriberCount == 0)
      return value
    }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test func `ending the sequence disconnects and ends its iterations (L43)`() async {
    let sequence = signal.asyncValues()
    let task = Task {
      var values: [Int] = []
      for await value in sequence { values.append(value) }
      return values
    }
    while signal.subscriberCount == 0 { await Task.yield() }
    signal.send(1)
    sequence.end()
    #expect(signal.subscriberCount == 0)
    #expect(await task.value == [1])
    var late = sequence.makeAsyncIterator()
    #expect(await late.next() == nil)
    #expect(signal.subscriberCount == 0)
  }
}
