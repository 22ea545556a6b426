import Glibc
import Machine

/// Waits for what comes in its own time.
public enum Patience {
  /// Asks again and again, half a minute at most, until something is so; whether it is.
  @discardableResult
  public static func wait(_ isSo: () -> Bool) -> Bool {
    let limit = Monitor<Void>.moment(after: 30_000_000_000)
    while !isSo() {
      if Monitor<Void>.moment(after: 0) > limit { return false }
      usleep(5_000)
    }
    return true
  }
}
