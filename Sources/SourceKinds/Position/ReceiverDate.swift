import Gathering
import Values

/// The last date of a receiver, and whether it is plausible: receivers count weeks modulo 1024, and
/// some restart in 1980, 1999 or 2019; others start at the day of their firmware.
struct ReceiverDate: Sendable {
  /// The day of the library's version, in days since 1970.
  static let built: Int64 = {
    let moment = TimeText.nanoseconds(iso8601: "\(Version.date)T00:00:00Z") ?? 0
    return moment / day
  }()

  private static let day: Int64 = 86_400_000_000_000
  /// The days in 20 years, further than which from the library's own no date is believed.
  private static let believed: Int64 = 7305
  /// The days in 1024 weeks.
  private static let rollover: Int64 = 7168
  /// The days in the ten years for which a version may be in use. A date that with 1024 weeks more
  /// falls into them is taken for one that lost them.
  private static let service: Int64 = 3652
  /// The days by which a version may be dated later than it is used.
  private static let slack: Int64 = 31

  private let built: Int64
  /// The days since 1970, and a time of day reported with them.
  private var reported: (days: Int64, clock: Int64)?

  init(built: Int64) { self.built = built }

  /// Takes a date with the time of day beside it; one that is none changes nothing.
  mutating func take(_ days: Int64?, at clock: Int64?) {
    if let days, let clock { reported = (days, clock) }
  }

  /// The moment of a time of day reported after the date; nil before any date was reported.
  mutating func time(at clock: Int64) -> Outcome? {
    guard case (var days, let last)? = reported else { return nil }
    // Midnight comes between a date and the next.
    if clock < last - Self.day / 2 { days += 1 } else if clock > last + Self.day / 2 { days -= 1 }
    reported = (days, clock)
    if let doubt = doubt(about: days) { return .noData(doubt) }
    return TimeText.moment(days: days, nanoseconds: clock).map { .ok(.time($0)) }
  }

  /// Why a date cannot be so; nil if it can.
  private func doubt(about days: Int64) -> String? {
    let off = days - built
    if abs(off) > Self.believed {
      return "the receiver's date is more than 20 years from this version's"
    }
    let mended = off + Self.rollover
    guard off < 0, mended >= -Self.slack, mended <= Self.service else { return nil }
    return "the receiver's date is 1024 weeks too early (GPS week rollover)"
  }
}
