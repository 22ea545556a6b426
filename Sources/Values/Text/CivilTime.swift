/// A moment as date and time of day in UTC, in the proleptic Gregorian calendar.
struct CivilTime: Hashable {
  let year: Int64
  let month: Int64
  let day: Int64
  let hour: Int64
  let minute: Int64
  let second: Int64
  let nanosecond: Int64

  /// The date and time of nanoseconds since 1970-01-01T00:00:00Z; every number has one.
  init(nanoseconds: Int64) {
    let (seconds, nanosecond) = nanoseconds.flooredDivision(by: 1_000_000_000)
    let (days, secondOfDay) = seconds.flooredDivision(by: 86_400)
    self.nanosecond = nanosecond
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60

    // Years here begin in March, so that the leap day is a year's last: days from 0000-03-01 are
    // split into eras of 400 years, then into years, then into months of 153 days per five.
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// ISO 8601 in UTC, nanoseconds cut at trailing zeros: `2023-11-14T22:13:20.5Z`.
  var iso8601: String { "\(date)T\(timeOfDay)\(fraction)Z" }

  /// For people, without a fraction of the second: `2023-11-14 22:13:20 UTC`.
  var dateAndTime: String { "\(date) \(timeOfDay) UTC" }

  private var date: String {
    "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }

  private var timeOfDay: String {
    "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))"
  }

  private var fraction: String {
    if nanosecond == 0 { return "" }
    var digits = nanosecond.padded(to: 9)
    while digits.last == "0" { digits.removeLast() }
    return "." + digits
  }
}

extension Int64 {
  /// Quotient and remainder of division by a positive number, the remainder never negative.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  fileprivate func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(width - digits.count, 0)) + digits
  }
}
