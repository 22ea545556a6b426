public import Synchronization

/// State that one caller at a time uses; another is turned away, and nothing ever waits.
///
/// So its user may call out, to host code too, which a lock forbids.
public final class Claimed<State>: @unchecked Sendable {
  // Safe: `state` is accessed only by the caller that has turned `isTaken` from false to true, by
  // an exchange that acquires, and until it stores false, which releases. Nothing else does either.
  @usableFromInline var state: State
  @usableFromInline let isTaken = Atomic<Bool>(false)

  /// Makes state that is free, to which nothing else refers.
  @inlinable
  public init(_ state: sending State) {
    self.state = state
  }

  /// Runs a body with exclusive access to the state; returns nil, and does not run it, while
  /// another body runs, on this thread or another.
  @inlinable @inline(__always)
  public func withClaim<Answer, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Answer
  ) throws(Failure) -> Answer? {
    let (isMine, _) = isTaken.compareExchange(
      expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed)
    guard isMine else { return nil }
    defer { isTaken.store(false, ordering: .releasing) }
    return try body(&state)
  }
}
