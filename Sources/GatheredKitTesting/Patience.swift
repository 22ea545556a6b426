import Glibc
import Ground

/// Waits for what comes in its own time, on a machine that is overloaded, too: a wait begins with
/// the work it belongs to and is long, so only a test that fails anyway comes to its end.
public enum Patience {
  /// How long a wait may last, in nanoseconds: ten minutes from its own beginning.
  public static let limit: Int64 = 600_000_000_000

  /// The moment, on CLOCK_MONOTONIC in nanoseconds, at which a wait that begins now is given up.
  public static var end: Int64 { Monitor<Void>.moment(after: limit) }

  /// Whether a moment of `end` has passed.
  public static func isOver(_ end: Int64) -> Bool { Monitor<Void>.moment(after: 0) > end }

  /// Asks again and again until something is so; whether it is.
  @discardableResult
  public static func wait(_ isSo: () -> Bool) -> Bool {
    let end = end
    while !isSo() {
      if isOver(end) { return false }
      usleep(5_000)
    }
    return true
  }

  /// Does work that has no reason to wait; whether it was done within twenty seconds of its own
  /// beginning. Whatever it must not wait for has to take longer: D-Bus, for one, gives a service
  /// 25 s to answer.
  public static func isSpared<Failure: Error>(
    _ work: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let end = Monitor<Void>.moment(after: 20_000_000_000)
    try work()
    return !isOver(end)
  }
}
