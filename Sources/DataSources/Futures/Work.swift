public import Ground
import Streams

extension WorkQueue {
  /// Runs `job` after all jobs submitted before it, and gives a future of its value or error.
  @discardableResult
  public func submit<Value: Sendable>(
    _ job: @escaping @Sendable () throws -> Value
  ) -> Future<Value> {
    let promise = Promise<Value>()
    let future = promise.future
    let work: @Sendable () -> Void = { promise.resolve(Future.outcome(job)) }
    submit(work)
    return future
  }
}

extension SerialWorker: WorkQueue {}

extension DataAccess {
  /// Makes a call and gives a future of its answer, whose consumers run on `queue`.
  ///
  /// Cancelling the future tells those who work on the call. The call keeps the data source, the
  /// future does not.
  package func future(
    _ verb: Verb, _ query: Query, _ payload: CallPayload<Value> = .none,
    on queue: (any WorkQueue)? = nil
  ) -> Future<CallPayload<Value>> {
    let cancellation = Cancellation()
    let promise = Promise<CallPayload<Value>>(on: queue, onCancel: { cancellation.cancel() })
    let future = promise.future
    perform(Call(verb, query, payload, canceller: cancellation)) { promise.resolve($0) }
    return future
  }
}
