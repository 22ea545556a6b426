import Ground

/// By which the owner of workers ends early, and for good, what blocks them.
///
/// Once raised it stays raised. Every call from any thread.
public final class Interruption: Sendable {
  private struct State: Sendable {
    var isRaised = false
    var actions: [Int: @Sendable () -> Void] = [:]
    /// The actions that run at the moment.
    var running: Set<Int> = []
    var next = 0
  }

  private let state = Monitor(State())

  /// One that is not raised.
  public init() {}

  /// Whether it was raised.
  public var isRaised: Bool { state.withLock { $0.isRaised } }

  /// Raises it: runs the actions of all bodies at work, on this thread.
  public func raise() {
    let actions = state.withLock { state in
      state.isRaised = true
      defer { state.actions = [:] }
      state.running.formUnion(state.actions.keys)
      return state.actions
    }
    for (number, action) in actions {
      action()
      state.withLock { _ = $0.running.remove(number) }
      state.signalAll()
    }
  }

  /// Runs a body that `action` makes end soon; the action runs beside the body, at most once, and
  /// never after this has returned. It runs at once when this was raised before.
  public func during<Answer, Failure: Error>(
    _ action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let number = state.withLock { state -> Int? in
      if state.isRaised { return nil }
      state.next += 1
      state.actions[state.next] = action
      return state.next
    }
    guard let number else {
      action()
      return try body()
    }
    defer {
      // The caller holds the action: nothing is let go under the lock.
      state.withLock { _ = $0.actions.removeValue(forKey: number) }
      _ = state.wait { $0.running.contains(number) ? nil : true }
    }
    return try body()
  }
}
