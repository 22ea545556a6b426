/// How many digits of a number are shown.
struct Digits {
  /// The significant ones; those before the point are never cut.
  var significant: Int
  /// The most behind the point; nil where a small number takes as many as it needs.
  var behind: Int?

  /// The same, but none that is finer than the step of the hardware.
  func limited(toStep step: Double?) -> Digits {
    guard let step else { return self }
    var (places, scaled) = (0, step)
    // A step of 0.01 is just below 1 after its multiplications.
    while scaled < 0.999_999, places < Self.limit { (places, scaled) = (places + 1, scaled * 10) }
    return Digits(significant: significant, behind: min(places, behind ?? places))
  }

  /// A double has no more.
  static let limit = 15
}

extension Double {
  /// The number in so many digits, without zeros at its end.
  func text(_ digits: Digits) -> String {
    let rounded = rounded(digits)
    let text = rounded.shortestText
    let parts = text.split(separator: "e")
    guard parts.count == 2, let mantissa = Double(String(parts[0])) else { return text }
    // A mantissa that rounds up to 10 is right, too.
    return mantissa.rounded(Digits(significant: digits.significant)).shortestText + "e" + parts[1]
  }

  /// The number rounded to so many digits. What is not finite stays, as does what is so small that
  /// it is written with an exponent. Zero has no sign.
  func rounded(_ digits: Digits) -> Double {
    let size = abs(self)
    guard size < 1e15 else { return self.rounded() }
    if size > 0, size < 1e-4, digits.behind == nil { return self }
    let scale = Self.powers[places(digits)]
    let rounded = (self * scale).rounded() / scale
    return rounded == 0 ? 0 : rounded
  }

  /// How many digits behind the point are shown.
  private func places(_ digits: Digits) -> Int {
    var (places, size) = (digits.significant, abs(self))
    while size >= 1, places > 0 { (places, size) = (places - 1, size / 10) }
    // Small numbers keep their digits behind the zeros after the point.
    while size < 0.1, places < Digits.limit { (places, size) = (places + 1, size * 10) }
    return min(places, digits.behind ?? Digits.limit)
  }

  /// The number with exactly `places` digits behind the point; for numbers below 2⁶³ ÷ 10ᵖˡᵃᶜᵉˢ.
  func fixed(places: Int) -> String {
    let scale = Self.powers[places]
    let digits = Int64((abs(self) * scale).rounded())
    let (whole, part) = digits.quotientAndRemainder(dividingBy: Int64(scale))
    let sign = self < 0 && digits > 0 ? "-" : ""
    if places == 0 { return "\(sign)\(whole)" }
    let behind = String(part)
    return "\(sign)\(whole)." + String(repeating: "0", count: places - behind.count) + behind
  }

  private static let powers: [Double] = (0..<Digits.limit).reduce(into: [1.0]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }
}
