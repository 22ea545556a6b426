import DataSources
import GatheredKitTesting
import Ground
import Streams
import Testing

struct RetryingTests {
  private let store = StubStore()
  private let clock = ManualClock()
  private let broken = CallResult<Int>.failure(DataSourceError(.failed))

  @Test func `L42: n retries are at most n further attempts, and the last error is the answer`()
    throws
  {
    let access = try store.access.retrying(2, backOff: .none, clock: clock) { _, _ in true }
    for verb in Verb.allCases {
      let future = access.ask(verb, .id("a"))
      let before = store.callCount
      store.answer(broken)
      store.answer(broken)
      #expect(future.outcome == nil)
      store.answer(.failure(DataSourceError(.timeout)))
      #expect(future.code == .timeout)
      #expect(store.callCount == before + 2)
    }
    let lucky = access.ask(.get, .id("a"))
    store.answer(broken)
    store.answer(.success(.object(1)))
    #expect(lucky.number == 1)
  }

  @Test func `L42: the condition decides by error and attempt, but never after a cancellation`()
    throws
  {
    let asked = Monitor<[Int]>([])
    let access = try store.access.retrying(9, backOff: .none, clock: clock) { error, attempt in
      asked.withLock { $0.append(attempt) }
      return error.code == .failed && attempt < 3
    }
    let future = access.ask(.get, .id("a"))
    for _ in 0..<3 { store.answer(broken) }
    #expect(future.code == .failed)
    #expect(asked.withLock { $0 } == [1, 2, 3])
    let cancelled = access.ask(.get, .id("a"))
    store.answer(.failure(DataSourceError(.cancelled)))
    #expect(cancelled.code == .cancelled)
    #expect(asked.withLock { $0 } == [1, 2, 3])
  }

  @Test func `L42: pauses grow by the factor up to their limit, by the clock`() throws {
    let backOff = BackOff(delay: .seconds(1), factor: 3, maxDelay: .seconds(5))
    let access = try store.access.retrying(3, backOff: backOff, clock: clock) { _, _ in true }
    let future = access.ask(.get, .id("a"))
    for pause in [1, 3, 5] {
      let before = store.callCount
      store.answer(broken)
      clock.advance(by: .seconds(pause) - .nanoseconds(1))
      #expect(store.callCount == before)
      clock.advance(by: .nanoseconds(1))
      #expect(store.callCount == before + 1)
    }
    store.answer(.success(.object(4)))
    #expect(future.number == 4)
  }

  @Test func `L42: a call that is cancelled in a pause is not tried again`() throws {
    let backOff = BackOff(delay: .seconds(1))
    let access = try store.access.retrying(3, backOff: backOff, clock: clock) { _, _ in true }
    let future = access.ask(.get, .id("a"))
    store.answer(broken)
    future.cancel()
    clock.advance(by: .seconds(9))
    #expect(store.callCount == 1)
    #expect(clock.scheduledCount == 0)
  }

  @Test func `L42: negative numbers are illegal arguments at creation`() {
    let wrong: [(Int, BackOff)] = [
      (-1, .none), (1, BackOff(delay: .seconds(-1))), (1, BackOff(delay: .zero, factor: -1)),
      (1, BackOff(delay: .zero, jitter: 2)), (1, BackOff(delay: .zero, factor: .nan)),
    ]
    for (retries, backOff) in wrong {
      #expect(throws: DataSourceError(.illegalArgument)) {
        try store.access.retrying(retries, backOff: backOff, clock: clock) { _, _ in true }
      }
    }
  }

  @Test func `L8: very many retries of a store that answers at once do not grow the stack`() throws
  {
    let count = Monitor(0)
    let failing = DataAccess<Int>(answering: { _ in
      count.withLock { $0 += 1 }
      return .failure(DataSourceError(.failed))
    })
    let access = try failing.retrying(20_000, backOff: .none, clock: clock) { _, _ in true }
    #expect(access.ask(.get, .id("a")).code == .failed)
    #expect(count.withLock { $0 } == 20_001)
  }
}
