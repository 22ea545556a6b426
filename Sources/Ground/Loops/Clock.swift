/// The one way to wait for a point in time.
///
/// A clock never calls an action before its moment, calls actions due at the same moment in the
/// order they were scheduled, and holds no lock while it does.
public protocol Clock: Sendable {
  /// The present moment.
  var now: Moment { get }

  /// Calls `action` once at `moment`, or as soon as it can if that is past; never from inside
  /// `schedule`. Letting go of what this returns does not call it off.
  func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> any Cancellable
}

/// Something that can be called off; once `cancel` has returned, the action does not start.
public protocol Cancellable: Sendable {
  /// Calls it off. Idempotent; any thread; never waits for a running action.
  func cancel()
}
