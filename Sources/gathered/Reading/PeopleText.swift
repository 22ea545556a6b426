import Gathering
import Values

extension Value {
  /// The value for people on a terminal: rounded, with a prefix that keeps numbers short, ratios as
  /// percentages. The exact value in the declared unit is `formatted(unit:)`.
  func peopleText(of property: Property) -> String {
    let unit = property.unit ?? ""
    switch self {
    case .int(let number):
      return Self.scaled(Double(number), unit: unit) ?? formatted(unit: property.unit)
    case .double(let number):
      if unit == "1", property.range == 0...1 {
        return (number * 100).rounded(toDigits: 3) + " %"
      }
      return Self.scaled(number, unit: unit)
        ?? Self.joined(number.rounded(toDigits: 4), Self.spelled(unit))
    case .vector(let vector):
      let numbers = Self.aligned(vector.components)
      return Self.joined("(" + numbers.joined(separator: ", ") + ")", Self.spelled(unit))
    default:
      return formatted(unit: property.unit)
    }
  }

  /// Numbers side by side that keep their places while they change: equally many digits behind the
  /// point, and room for a sign.
  private static func aligned(_ numbers: [Double]) -> [String] {
    let largest = numbers.map(abs).max() ?? 0
    // A number this small or large is shown with digits of its own.
    guard largest == 0 || (0.01..<100_000).contains(largest) else {
      return numbers.map { $0.rounded(toDigits: 4) }
    }
    let places = [1.0, 10, 100, 1000].firstIndex { largest < $0 }.map { 4 - $0 } ?? 0
    return numbers.map { number in
      let text = number.fixed(places: places)
      return text.hasPrefix("-") ? text : " " + text
    }
  }

  /// A number in the largest unit of its family that leaves at least 1 before the point.
  private static func scaled(_ number: Double, unit: String) -> String? {
    guard let steps = families[unit] else { return nil }
    for step in steps {
      guard let converted = try? UnitConversion.convert(number, from: unit, to: step.code) else {
        continue
      }
      if abs(converted) >= 1 {
        return joined(converted.rounded(toDigits: 3), step.spelling)
      }
    }
    return nil
  }

  private static func joined(_ number: String, _ unit: String) -> String {
    unit.isEmpty ? number : "\(number) \(unit)"
  }

  /// A UCUM code as people write it.
  private static func spelled(_ unit: String) -> String {
    switch unit {
    case "1": ""
    case "Cel": "°C"
    case "deg": "°"
    case "uT": "µT"
    case "By": "B"
    default: unit
    }
  }

  /// Units that span many orders of magnitude, with their larger relatives, the largest first.
  private static let families: [String: [(code: String, spelling: String)]] = [
    "By": [
      ("TiBy", "TiB"), ("GiBy", "GiB"), ("MiBy", "MiB"), ("KiBy", "KiB"), ("By", "B"),
    ],
    "By/s": [
      ("GiBy/s", "GiB/s"), ("MiBy/s", "MiB/s"), ("KiBy/s", "KiB/s"), ("By/s", "B/s"),
    ],
    "bit/s": [
      ("Gbit/s", "Gbit/s"), ("Mbit/s", "Mbit/s"), ("kbit/s", "kbit/s"), ("bit/s", "bit/s"),
    ],
    "Hz": [("GHz", "GHz"), ("MHz", "MHz"), ("kHz", "kHz"), ("Hz", "Hz")],
    "J": [("MJ", "MJ"), ("kJ", "kJ"), ("J", "J")],
    "C": [("kC", "kC"), ("C", "C")],
    "s": [("d", "d"), ("h", "h"), ("min", "min"), ("s", "s")],
  ]
}

extension Double {
  /// The number with exactly `places` digits after the point; for numbers below 2⁶³ ÷ 10ᵖˡᵃᶜᵉˢ.
  fileprivate func fixed(places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let digits = Int64((abs(self) * scale).rounded())
    let (whole, part) = digits.quotientAndRemainder(dividingBy: Int64(scale))
    let sign = self < 0 && digits > 0 ? "-" : ""
    if places == 0 { return "\(sign)\(whole)" }
    let behind = String(part)
    return "\(sign)\(whole)." + String(repeating: "0", count: places - behind.count) + behind
  }

  /// The number with at most `digits` digits, but never less than its integer part.
  fileprivate func rounded(toDigits digits: Int) -> String {
    guard isFinite, self != 0 else { return Value.double(self).formatted() }
    var scale = 1.0
    var magnitude = abs(self)
    var places = digits
    while magnitude >= 1, places > 0 {
      magnitude /= 10
      places -= 1
    }
    if abs(self) < 1e-4 { return Value.double(self).formatted() }
    // Small numbers keep their digits behind the leading zeros, four of them at most.
    while abs(self) * scale < 0.1 { scale *= 10 }
    for _ in 0..<places { scale *= 10 }
    return Value.double((self * scale).rounded() / scale).formatted()
  }
}
