/// Durations as people write them: in their two largest units, and below a minute in one.
enum DurationText {
  /// The text of a finite number of seconds, of which the hardware knows such steps.
  static func text(ofSeconds seconds: Double, step: Double?) -> String {
    let digits = Digits(significant: 3).limited(toStep: step)
    // What would be 60 s after rounding is a minute.
    if abs(seconds.rounded(digits)) < 60 {
      return UnitLadder.seconds.text(of: seconds, step: step)
    }
    return (seconds < 0 ? "-" : "") + long(abs(seconds))
  }

  private static func long(_ seconds: Double) -> String {
    // Beyond any calendar, and beyond what fits an integer.
    guard seconds < 1e15 else { return (seconds / 86_400).text(Digits(significant: 3)) + " d" }
    let whole = Int64(seconds.rounded())
    if whole < 3600 { return pair(whole, 60, "min", "s") }
    let minutes = Int64((seconds / 60).rounded())
    if minutes < 24 * 60 { return pair(minutes, 60, "h", "min") }
    return pair(Int64((seconds / 3600).rounded()), 24, "d", "h")
  }

  private static func pair(
    _ number: Int64, _ divisor: Int64, _ large: String, _ small: String
  ) -> String {
    let (first, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest == 0 ? "\(first) \(large)" : "\(first) \(large) \(rest) \(small)"
  }
}
