import DataSources
import GatheredKitTesting
import Streams
import Testing

struct ResultPublinkTests {
  private let results = ResultPublink<Int>()
  private let error = Result<Int, DataSourceError>.failure(DataSourceError(.failed))

  @Test func `L62, L63: a newcomer hears the newest result and all later ones, errors too`() {
    let collector = CollectingSink<Result<Int, DataSourceError>>()
    results.publish(.success(1))
    results.publish(error)
    let connection = results.collect(into: collector)
    results.publish(.success(2))
    #expect(collector.values == [error, .success(2)])
    connection.disconnect()
    results.publish(.success(3))
    #expect(collector.values.count == 2)
  }

  @Test func `L64: the n-th result is counted from 0, a replayed one included`() {
    results.publish(.success(10))
    let (first, second) = (results.future(at: 0), results.future(at: 1))
    results.publish(.success(11))
    #expect([first.outcome, second.outcome] == [.success(10), .success(11)])
  }

  @Test func `L64: errors resolve, or are neither counted nor taken`() {
    let (strict, patient) = (results.future(at: 1), results.future(at: 1, ignoringErrors: true))
    results.publish(.success(0))
    results.publish(error)
    results.publish(.success(1))
    #expect(strict.outcome == error)
    #expect(patient.outcome == .success(1))
  }

  @Test func `L64: the first value that passes`() {
    let future = results.future(where: { $0 > 5 })
    let patient = results.future(where: { $0 > 5 }, ignoringErrors: true)
    for value in [1, 5] { results.publish(.success(value)) }
    #expect(future.outcome == nil)
    #expect(future.state == .blank)
    results.publish(error)
    results.publish(.success(6))
    #expect(future.outcome == error)
    #expect(patient.outcome == .success(6))
  }

  @Test func `L64: a future that is resolved, cancelled or let go listens no more`() {
    let signal = Signal<Result<Int, DataSourceError>>()
    let resolved = signal.future(at: 0)
    let cancelled = signal.future(at: 5)
    var dropped: Future<Int>? = signal.future(at: 5)
    #expect(dropped?.state == .blank)
    #expect(signal.subscriberCount == 3)
    dropped = nil
    cancelled.cancel()
    #expect(signal.subscriberCount == 1)
    signal.send(.success(1))
    #expect(resolved.outcome == .success(1))
    #expect(signal.subscriberCount == 0)
  }
}
