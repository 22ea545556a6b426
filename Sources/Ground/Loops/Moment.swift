/// A point in time on some clock, in nanoseconds.
///
/// Arithmetic saturates at the ends of the range (292 years either way) instead of overflowing.
public struct Moment: Hashable, Comparable, Sendable {
  /// Nanoseconds since the clock's zero.
  public var nanoseconds: Int64

  /// Makes the moment that many nanoseconds after the clock's zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Whether the left moment comes first.
  public static func < (left: Moment, right: Moment) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment `duration` later.
  public static func + (moment: Moment, duration: Duration) -> Moment {
    let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    guard overflow else { return Moment(nanoseconds: sum) }
    return Moment(nanoseconds: moment.nanoseconds < 0 ? .min : .max)
  }

  /// The moment `duration` earlier.
  public static func - (moment: Moment, duration: Duration) -> Moment {
    let step = duration.wholeNanoseconds
    let (difference, overflow) = moment.nanoseconds.subtractingReportingOverflow(step)
    guard overflow else { return Moment(nanoseconds: difference) }
    return Moment(nanoseconds: moment.nanoseconds < 0 ? .min : .max)
  }

  /// How much later the left moment is.
  public static func - (left: Moment, right: Moment) -> Duration {
    let step = right.nanoseconds
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(step)
    guard overflow else { return .nanoseconds(difference) }
    return .nanoseconds(left.nanoseconds < 0 ? Int64.min : .max)
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero and clamped to the range of `Int64`.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, tooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard tooLong || overflow else { return sum }
    return seconds < 0 ? .min : .max
  }
}
