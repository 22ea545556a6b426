public import Ground
import Streams

/// The producer's end of a future.
///
/// A promise that is dropped unresolved resolves its future as `cancelled`, if the future is still
/// held.
public final class Promise<Value: Sendable>: Sendable {
  private let held: Lock<Future<Value>>

  /// A promise of a result.
  ///
  /// `onCancel` is called once when the future is cancelled; `intercept` sees the first resolution
  /// before any consumer and may replace it. Consumers run on `queue`, or where it is resolved.
  public init(
    on queue: (any WorkQueue)? = nil, onCancel: (@Sendable () -> Void)? = nil,
    intercept: (@Sendable (Future<Value>.Outcome) -> Future<Value>.Outcome)? = nil
  ) {
    held = Lock(Future(on: queue, onCancel: onCancel, intercept: intercept))
  }

  deinit {
    LockRank.expectNoLock("lets go of a promise")
    // A future without another reference goes as it is: its consumers are not called (L60).
    if !held.withLock({ isKnownUniquelyReferenced(&$0) }) {
      future.resolve(.failure(DataSourceError(.cancelled)))
    }
  }

  /// What the promise is about.
  public var future: Future<Value> { held.withLock { $0 } }

  /// Gives the result; false when there was one before, which stays.
  @discardableResult
  public func resolve(_ result: Result<Value, DataSourceError>) -> Bool {
    future.resolve(result)
  }
}
