/// The one way to wait for a point in time.
///
/// A clock never calls an action before its moment, calls actions due at the same moment in the
/// order they were scheduled, and holds no lock while it does.
public protocol Clock: Sendable {
  /// The present moment.
  var now: Moment { get }

  /// Calls `action` once at `moment`, or as soon as possible if that is past; never from inside
  /// `schedule`. Releasing the result does not cancel the action.
  func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> any Cancellable
}

/// An action that can be cancelled. Once `cancel` has returned the action does not start.
public protocol Cancellable: Sendable {
  /// Cancels the action. Idempotent; any thread; never waits for a running action.
  func cancel()
}
