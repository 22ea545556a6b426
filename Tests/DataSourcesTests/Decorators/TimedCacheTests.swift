import DataSources
import GatheredKitTesting
import Streams
import Testing

struct TimedCacheTests {
  private let store = StubStore()
  private let clock = ManualClock()
  private var cached: DataAccess<Int> {
    store.access.cached(expiry: .seconds(10), capacity: nil, clock: clock)
  }

  private func answered(_ future: Future<CallPayload<Int>>, _ number: Int) -> Int? {
    store.answer(.success(.object(number)))
    return future.number
  }

  @Test func `L43: an answer is served until it is as old as the expiry`() {
    let access = cached
    #expect(answered(access.ask(.get, .id("a")), 1) == 1)
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(access.ask(.get, .key("a")).number == 1)
    #expect(store.callCount == 1)
    clock.advance(by: .nanoseconds(1))
    #expect(answered(access.ask(.get, .id("a")), 2) == 2)
    #expect(store.callCount == 2)
  }

  @Test func `L43: only what is kept and young enough is answered at once`() throws {
    let access = cached
    let atOnce = try #require(access.performAtOnce)
    let isAnswered = { (verb: Verb) in atOnce(Call(verb, .id("a"))) { _ in } }
    #expect(!isAnswered(.get))
    #expect(store.callCount == 0)
    #expect(answered(access.ask(.get, .id("a")), 1) == 1)
    #expect(isAnswered(.get))
    #expect(!isAnswered(.getAll))
    #expect(!isAnswered(.delete))
    clock.advance(by: .seconds(10))
    #expect(!isAnswered(.get))
    #expect(store.callCount == 1)
  }

  @Test func `L43: object and list of a key are kept apart, and other queries always ask`() {
    let access = cached
    #expect(answered(access.ask(.get, .id("a")), 1) == 1)
    _ = access.ask(.getAll, .id("a"))
    #expect(store.callCount == 2)
    for _ in 0..<2 {
      _ = access.ask(.getAll, .ids(["a"]))
      store.answer(.success(.list([1])))
    }
    #expect(store.callCount == 4)
  }

  @Test func `L43: overlapping reads of one key and shape share one call`() {
    let access = cached
    let (first, second) = (access.ask(.get, .id("a")), access.ask(.get, .key("a")))
    #expect(store.callCount == 1)
    store.answer(.success(.object(1)))
    #expect([first.number, second.number] == [1, 1])
  }

  @Test func `L44: a put keeps what the inner source answered and drops the other shape`() {
    let access = cached
    _ = access.ask(.getAll, .id("a"))
    store.answer(.success(.list([5])))
    #expect(answered(access.ask(.put, .id("a"), .object(1)), 2) == 2)
    #expect(access.ask(.get, .id("a")).number == 2)
    #expect(store.callCount == 2)
    _ = access.ask(.getAll, .id("a"))
    #expect(store.callCount == 3)
  }

  @Test func `L44: a failure, a delete and writes of several keys drop what was kept`() {
    let failed = CallResult<Int>.failure(DataSourceError(.failed))
    let writes: [(Verb, Query, CallResult<Int>)] = [
      (.put, .id("a"), failed), (.delete, .id("a"), .success(.none)), (.delete, .id("a"), failed),
      (.putAll, .ids(["a", "b"]), .success(.list([1, 2]))), (.delete, .all(), .success(.none)),
      (.put, .object(1), .success(.object(1))), (.getAll, .id("a"), failed),
    ]
    for (verb, query, answer) in writes {
      let access = cached
      #expect(answered(access.ask(.get, .id("a")), 1) == 1)
      _ = access.ask(verb, query)
      store.answer(answer)
      let before = store.callCount
      #expect(answered(access.ask(.get, .id("a")), 3) == 3)
      #expect(store.callCount == before + 1)
    }
    let access = cached
    #expect(answered(access.ask(.get, .id("c")), 1) == 1)
    _ = access.ask(.delete, .ids(["a"]))
    store.answer(.success(.none))
    #expect(access.ask(.get, .id("c")).number == 1)
  }

  @Test func `Section 6: a read made after a write does not answer from before it`() {
    let access = cached
    let early = access.ask(.get, .id("a"))
    let write = access.ask(.put, .id("a"), .object(2))
    let late = access.ask(.get, .id("a"))
    #expect(store.callCount == 3)
    store.answerNewest(.success(.object(2)))
    store.answerNewest(.success(.object(2)))
    store.answer(.success(.object(1)))
    #expect([early.number, write.number, late.number] == [1, 2, 2])
    #expect(access.ask(.get, .id("a")).number == 2)
    #expect(store.callCount == 3)
  }

  @Test func `Section 7: a full cache drops the key that was used least recently`() {
    let access = store.access.cached(expiry: .seconds(10), capacity: 2, clock: clock)
    for (key, number) in [("a", 1), ("b", 2)] {
      #expect(answered(access.ask(.get, .key(key)), number) == number)
    }
    #expect(access.ask(.get, .id("a")).number == 1)
    #expect(answered(access.ask(.get, .id("c")), 3) == 3)
    #expect(access.ask(.get, .id("a")).number == 1)
    #expect(store.callCount == 3)
    #expect(answered(access.ask(.get, .id("b")), 4) == 4)
    #expect(store.callCount == 4)
  }
}
