import AsyncStreams
import Dispatch
import Streams
import Testing

/// Iterations that several threads meet in.
struct AsyncStressTests {
  private func inParallel(_ threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: threads, execute: body)
  }

  @Test func `a task hears every value of several senders (L2 L43)`() async {
    let signal = Signal<Int>()
    let sequence = signal.asyncValues(buffering: .unbounded)
    let task = Task {
      var values: Set<Int> = []
      for await value in sequence { values.insert(value) }
      return values
    }
    while signal.subscriberCount == 0 { await Task.yield() }
    inParallel(3) { thread in
      for number in 0..<1_000 { signal.send(thread * 1_000 + number) }
    }
    sequence.end()
    #expect(await task.value == Set(0..<3_000))
    #expect(sequence.droppedCount == 0)
    #expect(signal.subscriberCount == 0)
  }

  @Test func `tasks are cancelled among sends (L43)`() async {
    let signal = Signal<Int>()
    for _ in 0..<200 {
      let task = Task {
        for await _ in signal.asyncValues(buffering: .newest(2)) {}
      }
      inParallel(2) { thread in
        if thread == 0 { signal.send(1) } else { task.cancel() }
      }
      await task.value
    }
    #expect(signal.subscriberCount == 0)
  }
}
