import Synchronization

/// A mutex whose critical sections a thread sanitizer can see.
///
/// `Mutex` takes the lock inside the kernel or the runtime when there is contention, where no
/// sanitizer is looking, and every such hand-over would be reported as a race. The acquiring load
/// and the releasing store beside it say the same in a language it understands; on the machines
/// we serve they are plain moves.
@usableFromInline
package struct Guarded<State: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>
  private let witness = Atomic<UInt8>(0)

  /// Guards `state`.
  @usableFromInline
  package init(_ state: State) {
    mutex = Mutex(state)
  }

  /// Runs `body` with the state to itself; `body` must not call anything a user wrote.
  @inline(__always)
  @usableFromInline
  package borrowing func withLock<Result: Sendable>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try mutex.withLock { state in
      _ = witness.load(ordering: .acquiring)
      defer { witness.store(0, ordering: .releasing) }
      return try body(&state)
    }
  }
}
