/// By which an owner tells those who work for it, once and for good, that it no longer waits.
///
/// Every call from any thread.
public final class Cancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var actions: [Int: @Sendable () -> Void] = [:]
    /// The actions that run at the moment, or are about to.
    var running: Set<Int> = []
    var next = 0
  }

  private let state = Monitor(State())

  /// One that is not cancelled.
  public init() {}

  /// Whether it was cancelled.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels: the actions that wait for it run, once, in order, on this thread.
  public func cancel() {
    let actions = state.withLock { state in
      state.isCancelled = true
      defer { state.actions = [:] }
      state.running.formUnion(state.actions.keys)
      return state.actions.sorted { $0.key < $1.key }
    }
    for (number, action) in actions {
      action()
      state.withLock { _ = $0.running.remove(number) }
      state.signalAll()
    }
  }

  /// Calls an action when it is cancelled, at once if it was. What this returns calls the action
  /// off, and never waits for one that runs; letting it go does nothing.
  @discardableResult
  public func onCancel(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let number = add(action) else {
      action()
      return {}
    }
    return { [weak self] in self?.forget(number) }
  }

  /// Runs a body that `action` makes end soon; the action runs beside the body, at most once, and
  /// never after this has returned. It runs at once when this was cancelled before.
  public func during<Answer, Failure: Error>(
    _ action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    guard let number = add(action) else {
      action()
      return try body()
    }
    defer {
      forget(number)
      _ = state.wait { $0.running.contains(number) ? nil : true }
    }
    return try body()
  }

  /// The number of an action that waits; nil when it was cancelled before.
  private func add(_ action: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      if state.isCancelled { return nil }
      state.next += 1
      state.actions[state.next] = action
      return state.next
    }
  }

  private func forget(_ number: Int) {
    // Released after the lock: what it captured may have a deinitialiser.
    let action = state.withLock { $0.actions.removeValue(forKey: number) }
    withExtendedLifetime(action) {}
  }
}
