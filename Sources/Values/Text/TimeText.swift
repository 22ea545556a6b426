/// Dates and times of day as receivers write them, in UTC.
package enum TimeText {
  /// `2026-06-21T12:00:02.000Z` as nanoseconds since 1970; nil for anything else.
  package static func nanoseconds(iso8601 text: String) -> Int64? {
    let bytes = Array(text.utf8)
    let shape = Array("dddd-dd-ddTdd:dd:dd".utf8)
    guard bytes.count > shape.count, bytes.last == UInt8(ascii: "Z") else { return nil }
    for (byte, wanted) in zip(bytes, shape) {
      let fits =
        wanted == UInt8(ascii: "d") ? (48...57).contains(byte) : byte == wanted
      if !fits { return nil }
    }
    let fraction = bytes[shape.count..<(bytes.count - 1)]
    guard let year = bytes[0..<4].decimal, let month = bytes[5..<7].decimal,
      let day = bytes[8..<10].decimal, let hour = bytes[11..<13].decimal,
      let minute = bytes[14..<16].decimal, let second = bytes[17..<19].decimal,
      let days = days(year: year, month: month, day: day),
      let rest = nanoseconds(hour: hour, minute: minute, second: second, fraction: fraction)
    else { return nil }
    return moment(days: days, nanoseconds: rest)
  }

  /// Days since 1970 and nanoseconds of the day as one number; nil where it does not fit.
  package static func moment(days: Int64, nanoseconds: Int64) -> Int64? {
    let (whole, overflow) = days.multipliedReportingOverflow(by: 86_400_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(nanoseconds)
    return overflow || carry ? nil : sum
  }

  /// The days from 1970 to a date of the Gregorian calendar; nil for a date there is not.
  package static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day),
      (1...9999).contains(year)
    else { return nil }
    // Years here begin in March, so that the leap day is a year's last.
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// A time of day with a fraction that is empty or begins with a point; a leap second is the
  /// first of the next minute.
  package static func nanoseconds(
    hour: Int64, minute: Int64, second: Int64, fraction: ArraySlice<UInt8>
  ) -> Int64? {
    guard hour < 24, minute < 60, second < 61, hour >= 0, minute >= 0, second >= 0 else {
      return nil
    }
    var nanoseconds: Int64 = 0
    if !fraction.isEmpty {
      let digits = fraction.dropFirst()
      guard fraction.first == UInt8(ascii: "."), !digits.isEmpty,
        digits.allSatisfy({ (48...57).contains($0) })
      else { return nil }
      let nine = Array(digits.prefix(9)) + [UInt8](repeating: 48, count: max(0, 9 - digits.count))
      nanoseconds = nine[...].decimal ?? 0
    }
    return ((hour * 60 + minute) * 60 + second) * 1_000_000_000 + nanoseconds
  }
}
