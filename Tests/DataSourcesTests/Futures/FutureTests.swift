import DataSources
import GatheredKitTesting
import Ground
import Streams
import Testing

struct FutureTests {
  private let promise = Promise<Int>()
  private let heard = Monitor<[String]>([])

  private func note(_ text: String) { heard.withLock { $0.append(text) } }

  @Test func `L51: the first resolution wins`() throws {
    let future = promise.future
    #expect(promise.resolve(.success(1)))
    #expect(!promise.resolve(.success(2)))
    #expect(!promise.resolve(.failure(DataSourceError(.failed))))
    #expect(try future.wait() == 1)
    let failed = Promise<Int>()
    failed.resolve(.failure(DataSourceError(.failed)))
    #expect(!failed.resolve(.success(1)))
    #expect(throws: DataSourceError(.failed)) { try failed.future.wait() }
  }

  @Test func `L52: consumers are called once, in the order they came, before or after`() throws {
    let future = promise.future
    future.then { note("a\($0)") }.fail { _ in note("wrong") }
    future.then { note("b\($0)") }
    promise.resolve(.success(1))
    future.then { note("c\($0)") }
    promise.resolve(.success(2))
    #expect(heard.withLock { $0 } == ["a1", "b1", "c1"])
    #expect(try [future.wait(), future.wait()] == [1, 1])
  }

  @Test func `L53: both roads lead to delivered`() {
    let future = promise.future
    #expect(future.state == .blank)
    future.then { _ in }
    #expect(future.state == .awaited)
    promise.resolve(.success(1))
    #expect(future.state == .delivered)
    let early = Future<Int>(.success(1))
    #expect(early.state == .ready)
    early.then { _ in }
    #expect(early.state == .delivered)
  }

  @Test func `L54: inside a consumer nothing is nested and resolving is ignored`() {
    let future = promise.future
    future.then { [promise] value in
      note("begin")
      future.then { note("inner\($0)") }
      #expect(!promise.resolve(.success(2)))
      future.cancel()
      note("end")
    }
    future.then { note("second\($0)") }
    promise.resolve(.success(1))
    #expect(heard.withLock { $0 } == ["begin", "end", "second1", "inner1"])
  }

  @Test func `L57: an intercept sees the first resolution once, before any consumer`() throws {
    let seen = heard
    let promise = Promise<Int>(intercept: { outcome in
      seen.withLock { $0.append("intercept") }
      return outcome.map { $0 * 10 }
    })
    promise.future.then { note("\($0)") }
    promise.resolve(.success(1))
    promise.resolve(.success(2))
    #expect(heard.withLock { $0 } == ["intercept", "10"])
  }

  @Test func `L58: waiting gives up alone and blocks until there is a result`() throws {
    let future = promise.future
    #expect(throws: DataSourceError(.timeout)) { try future.wait(timeout: .zero) }
    #expect(future.state == .blank)
    let worker = SerialWorker(named: "future-test")
    worker.submit { [promise] in promise.resolve(.success(5)) }
    #expect(try future.wait() == 5)
  }

  @Test func `L59: cancelling resolves what is pending and tells the producer once`() throws {
    let told = heard
    let promise = Promise<Int>(onCancel: { told.withLock { $0.append("told") } })
    promise.future.fail { note("\($0.code == .cancelled)") }
    promise.future.cancel()
    promise.future.cancel()
    #expect(heard.withLock { $0 } == ["true", "told"])
    #expect(!promise.resolve(.success(1)))
    let done = Promise<Int>(onCancel: { told.withLock { $0.append("too late") } })
    done.resolve(.success(1))
    done.future.cancel()
    #expect(try done.future.wait() == 1)
    #expect(heard.withLock { $0.count } == 2)
  }

  @Test func `L59: cancelling a derived future cancels an origin without another listener`() {
    let origin = promise.future
    let (first, second) = (origin.map { $0 }, origin.map { $0 })
    first.cancel()
    #expect(origin.outcome == nil)
    second.cancel()
    #expect(origin.outcome == .failure(DataSourceError(.cancelled)))
  }

  @Test func `L59: cancelling reaches the future that a step waits for`() {
    let inner = Promise<Int>()
    let future = inner.future
    let chain = promise.future.flatMap { _ in future }
    promise.resolve(.success(1))
    chain.cancel()
    #expect(future.outcome == .failure(DataSourceError(.cancelled)))
  }

  @Test func `L60: what is no longer referred to is freed and its consumers are not called`() {
    let token = Monitor<Token?>(Token())
    weak let weakToken = token.withLock { $0 }
    var lost: Promise<Int>? = Promise()
    do {
      let captured = token.withLock { $0.take() }
      lost?.future.onCompletion { [captured] _ in
        _ = captured
        note("called")
      }
      _ = lost?.future.map { $0 }
    }
    #expect(weakToken != nil)
    lost = nil
    #expect(weakToken == nil)
    #expect(heard.withLock { $0 } == [])
  }

  @Test func `L60: a promise dropped while its future is held resolves it as cancelled`() {
    var dropped: Promise<Int>? = Promise()
    let future = dropped?.future
    dropped = nil
    #expect(future?.outcome == .failure(DataSourceError(.cancelled)))
  }

  @Test func `Section 6: consumers run on the queue that was given`() {
    let queue = SteppedQueue()
    let future = promise.future.on(queue)
    future.then { note("\($0)") }
    promise.resolve(.success(1))
    #expect(heard.withLock { $0 } == [])
    queue.runAll()
    #expect(heard.withLock { $0 } == ["1"])
  }
}

private final class Token: Sendable {}

/// A queue whose jobs run when a test says so.
final class SteppedQueue: WorkQueue {
  private let jobs = Monitor<[@Sendable () -> Void]>([])
  private let isRunning = Monitor(false)

  var isCurrent: Bool { isRunning.withLock { $0 } }

  func submit(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }

  func runAll() {
    isRunning.withLock { $0 = true }
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
    isRunning.withLock { $0 = false }
  }
}
