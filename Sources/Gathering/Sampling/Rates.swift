/// The three intervals of a session, in nanoseconds, and what it missed (sources I3).
public struct Rates: Equatable, Sendable {
  /// What was asked for; nil while not updating.
  public var asked: Int64?
  /// What is done; nil while not updating.
  public var granted: Int64?
  /// The mean spacing of the last 20 updates; nil before two.
  public var measured: Int64?
  /// Ticks that were due while a later one was, too.
  public var skipped: UInt64 = 0
  /// Updates that were replaced before they could be delivered.
  public var dropped: UInt64 = 0
  /// Why granted differs from asked; empty if it does not.
  public var reason = ""
}
