public import Ground

/// The only way this module reads time.
///
/// A clock never calls an action before its moment, calls actions due at the same moment in the
/// order they were scheduled, and holds no lock while it does.
public protocol Clock: Sendable {
  /// The present moment.
  var now: Moment { get }

  /// Calls `action` once at `moment`, or as soon as it can if that is past.
  ///
  /// Disconnecting, or releasing the connection, calls it off. It is never called from inside
  /// `schedule`.
  func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> Connection
}
