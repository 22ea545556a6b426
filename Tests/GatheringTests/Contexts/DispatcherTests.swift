import GatheredKitTesting
import Ground
import Testing

@testable import Gathering

/// What the queues of a context keep.
@Suite struct DispatcherTests {
  @Test func `a job that was taken is kept by its taker alone`() throws {
    let dispatcher = try Dispatcher(hostMode: true)
    var queue = JobQueue()
    weak var guest: Guest?
    do {
      let new = Guest()
      guest = new
      queue.append(.run { _ in withExtendedLifetime(new) {} })
    }
    // One more waits, so that the queue is not emptied by the first.
    queue.append(.run { _ in })
    #expect(guest != nil)
    if case .run(let job) = queue.pop() { job(dispatcher) }
    #expect(guest == nil)
    #expect(!queue.isEmpty)
  }

  @Test func `numbers tell how far it has come`() {
    var queue = JobQueue()
    let wasEmpty = [queue.append(.run { _ in }), queue.append(.run { _ in })]
    #expect(wasEmpty == [true, false])
    #expect(queue.appended == 2 && queue.taken == 0)
    _ = queue.pop()
    #expect(queue.taken == 1)
    _ = queue.takeAll()
    #expect(queue.isEmpty && queue.taken == 2 && queue.completed == 0)
    queue.complete()
    #expect(queue.completed == 2)
    _ = queue.takeAll()
    #expect(queue.completed == 2)
  }

  @Test func `a delivery thread that could not be made is made for the next job`() throws {
    let dispatcher = try Dispatcher(hostMode: false)
    let attempts = Monitor(0)
    dispatcher.onFirstJob {
      attempts.withLock { count in
        count += 1
        return count > 2
      }
    }
    for _ in 1...5 { dispatcher.post(.run { _ in }) }
    #expect(attempts.withLock(\.self) == 3)
    #expect(try dispatcher.deliverQueued() == 0)
    dispatcher.close()
  }

  @Test func `what is caused behind the end is not kept`() throws {
    let dispatcher = try Dispatcher(hostMode: true)
    let steps = Monitor((begun: false, closed: false))
    let thread = try WorkerThread(named: "caller") {
      let number = dispatcher.cause(
        .run { _ in
          steps.withLock { $0.begun = true }
          steps.signalAll()
          _ = steps.wait(until: Patience.end) { $0.closed ? true : nil }
        })
      dispatcher.settle(through: number)
    }
    _ = steps.wait(until: Patience.end) { $0.begun ? true : nil }
    // Inside a callback of another context nothing waits for the job.
    CallbackDepth.enter()
    dispatcher.close()
    CallbackDepth.leave()
    steps.withLock { $0.closed = true }
    steps.signalAll()
    thread.join()
    weak var guest: Guest?
    do {
      let new = Guest()
      guest = new
      let job = Job.run { _ in withExtendedLifetime(new) {} }
      dispatcher.settle(through: dispatcher.cause(job))
    }
    #expect(guest == nil)
  }

  private final class Guest: Sendable {}
}
