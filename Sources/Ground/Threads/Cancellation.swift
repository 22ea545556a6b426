/// A permanent signal from an owner to its workers that it no longer waits.
///
/// All methods may be called from any thread.
public final class Cancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var actions: [Int: @Sendable () -> Void] = [:]
    /// The actions that are running or about to run.
    var running: Set<Int> = []
    var next = 0
  }

  private let state = Lock(State())
  private let changed = Condition()

  /// Makes a cancellation that is not yet cancelled.
  public init() {}

  /// Whether it was cancelled.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels. Runs the registered actions once, in order, on this thread.
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
      changed.signalAll()
    }
  }

  /// Registers an action to run on cancellation, at once if already cancelled. The result removes
  /// the action and never waits for a running one; releasing the result does nothing.
  @discardableResult
  public func onCancel(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let number = add(action) else {
      action()
      return {}
    }
    return { [weak self] in self?.forget(number) }
  }

  /// Runs a body, which `action` can make end soon. On cancellation the action runs concurrently
  /// with the body, at most once, and never after this has returned. If already cancelled, it runs
  /// at once.
  public func during<Answer, Failure: Error>(
    _ action: @escaping @Sendable () -> Void, _ body: () throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    guard let number = add(action) else {
      action()
      return try body()
    }
    defer {
      forget(number)
      _ = changed.wait(with: state) { $0.running.contains(number) ? nil : true }
    }
    return try body()
  }

  /// Registers an action and returns its number; nil if already cancelled.
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
