import DataSources
import GatheredKitTesting
import Ground
import Streams
import Testing

struct FutureChainTests {
  private let promise = Promise<Int>()
  private let heard = Monitor<[String]>([])

  private func note(_ text: String) { heard.withLock { $0.append(text) } }

  @Test func `L55: success steps run on success and what they throw skips the others`() throws {
    let future = promise.future
    let doubled = future.map { $0 * 2 }.filter { $0 == 6 }.flatMap { Future(.success("\($0)")) }
    let thrown = future.map { _ -> Int in throw DataSourceError(.notValid) }
      .map { value in
        note("skipped")
        return value
      }
    let foreign = future.map { _ -> Int in throw Oddity() }
    promise.resolve(.success(3))
    #expect(try doubled.wait() == "6")
    #expect(throws: DataSourceError(.notValid)) { try thrown.wait() }
    #expect(throws: DataSourceError(.unknown)) { try foreign.wait() }
    #expect(throws: DataSourceError(.notValid)) { try future.filter { $0 > 3 }.wait() }
    #expect(heard.withLock { $0 } == [])
  }

  @Test func `L55: failure steps run on failure, and by code on that one alone`() throws {
    let future = promise.future
    promise.resolve(.failure(DataSourceError(.notFound)))
    #expect(try future.recover { _ in 7 }.wait() == 7)
    #expect(try future.recover(from: .notFound) { _ in 8 }.wait() == 8)
    #expect(throws: DataSourceError(.notFound)) {
      try future.recover(from: .failed) { _ in 9 }.wait()
    }
    #expect(throws: DataSourceError(.timeout)) {
      try future.mapError { _ in DataSourceError(.timeout) }.wait()
    }
    future.onCompletion { note("\($0 == .failure(DataSourceError(.notFound)))") }
    #expect(heard.withLock { $0 } == ["true"])
    let success = Future<Int>(.success(1)).recover { _ in 2 }.mapError { _ in .init(.failed) }
    #expect(try success.wait() == 1)
  }

  @Test func `L56: a batch keeps the order given and fails with the first failure`() throws {
    let promises = (0..<3).map { _ in Promise<Int>() }
    let batch = Future.batch(promises.map(\.future))
    for place in [2, 0, 1] { promises[place].resolve(.success(place * 10)) }
    #expect(try batch.wait() == [0, 10, 20])
    #expect(try Future<Int>.batch([]).wait() == [])
    let failing = Future.batch([promise.future, promises[0].future])
    failing.fail { _ in note("failed") }
    promise.resolve(.failure(DataSourceError(.failed)))
    #expect(throws: DataSourceError(.failed)) { try failing.wait() }
    #expect(heard.withLock { $0 } == ["failed"])
  }

  @Test func `L56: zip joins two to four`() throws {
    let (one, two) = (Future<Int>(.success(1)), Future<String>(.success("b")))
    #expect(try zip(one, two).wait() == (1, "b"))
    #expect(try zip(one, two, one).wait() == (1, "b", 1))
    #expect(try zip(one, two, one, two).wait() == (1, "b", 1, "b"))
  }

  @Test func `L61: a delay is by the clock, and none is at once`() throws {
    let clock = ManualClock()
    let late = promise.future.delayed(by: .seconds(2), clock: clock)
    let prompt = promise.future.delayed(by: .zero, clock: clock)
    promise.resolve(.success(1))
    #expect(prompt.outcome == .success(1))
    clock.advance(by: .milliseconds(1999))
    #expect(late.outcome == nil)
    clock.advance(by: .milliseconds(1))
    #expect(late.outcome == .success(1))
  }

  @Test func `L61: a work queue runs jobs in their order and gives futures of them`() throws {
    let worker = SerialWorker(named: "work-test")
    let futures = (0..<100).map { number in
      worker.submit { () throws -> Int in
        note("\(number)")
        return number
      }
    }
    #expect(try Future.batch(futures).wait() == Array(0..<100))
    #expect(heard.withLock { $0 } == (0..<100).map { "\($0)" })
    let failing: Future<Int> = worker.submit { throw DataSourceError(.failed) }
    #expect(throws: DataSourceError(.failed)) { try failing.wait() }
  }
}

private struct Oddity: Error {}
