extension Value {
  /// The value as one line, in a style; independent of locale (sources V15, C API R24).
  ///
  /// For people numbers are rounded, take the unit of their family that keeps them short, and are
  /// percentages where they are shares. In style `machine` it is `formatted(unit:)`. Every value
  /// of every measure has a text; that of no value is `–`.
  public func format(_ style: ValueStyle = .people, as measure: Measure = Measure()) -> String {
    if style == .machine { return formatted(unit: measure.unit) }
    let text =
      switch self {
      case .bool(let flag): flag ? "yes" : "no"
      case .int(let number): measure.text(of: number)
      case .double(let number): measure.text(of: number)
      case .vector(let vector): measure.text(of: vector)
      case .bytes(let bytes) where bytes.count > Self.shownBytes:
        Value.bytes(Array(bytes.prefix(Self.shownBytes))).formatted() + "… ("
          + Value.int(Int64(bytes.count)).format(as: Measure(unit: "By")) + ")"
      case .time(let nanoseconds): CivilTime(nanoseconds: nanoseconds).dateAndTime
      case .none, .string, .bytes, .dictionary, .list: formatted()
      }
    return text.withoutControlCharacters
  }

  private static let shownBytes = 16
}

extension Measure {
  /// An integer: exact, unless its unit has a family.
  fileprivate func text(of number: Int64) -> String {
    let isScaled = meaning == .share || unit == "s" || UnitLadder.family(of: self) != nil
    return isScaled ? text(of: Double(number)) : joined(String(number))
  }

  fileprivate func text(of number: Double) -> String {
    guard number.isFinite else { return joined(number.shortestText) }
    if meaning == .share { return Self.percentage(number * 100, step: step.map { $0 * 100 }) }
    switch unit {
    case "%": return Self.percentage(number, step: step)
    case "s": return DurationText.text(ofSeconds: number, step: step)
    case "Cel", "K", "[degF]": return joined(number.text(digits(4, behind: 1)))
    case "deg" where meaning == .coordinate: return joined(number.text(digits(9, behind: 6)))
    default: break
    }
    return UnitLadder.family(of: self)?.text(of: number, step: step)
      ?? joined(number.text(digits(4)))
  }

  /// Numbers side by side that keep their places while they change: equally many digits behind the
  /// point, and room for a sign.
  fileprivate func text(of vector: Vector) -> String {
    let numbers = vector.components
    let largest = numbers.map(abs).max() ?? 0
    let texts: [String]
    // A number this small or large is shown with digits of its own.
    if numbers.allSatisfy(\.isFinite), largest == 0 || (0.01..<100_000).contains(largest) {
      let behind = [1.0, 10, 100, 1000].firstIndex { largest < $0 }.map { 4 - $0 } ?? 0
      let places = digits(4, behind: behind).behind ?? behind
      texts = numbers.map { number in
        let text = number.fixed(places: places)
        return text.hasPrefix("-") ? text : " " + text
      }
    } else {
      texts = numbers.map { $0.text(digits(4)) }
    }
    return joined("(" + texts.joined(separator: ", ") + ")")
  }

  private static func percentage(_ number: Double, step: Double?) -> String {
    guard number.isFinite else { return number.shortestText + " %" }
    let digits = Digits(significant: 3, behind: abs(number) < 1 ? 2 : 1).limited(toStep: step)
    return number.text(digits) + " %"
  }

  /// The step of the hardware, where it is one.
  private var step: Double? {
    guard let resolution, resolution > 0, resolution.isFinite else { return nil }
    return resolution
  }

  private func digits(_ significant: Int, behind: Int? = nil) -> Digits {
    Digits(significant: significant, behind: behind).limited(toStep: step)
  }

  private func joined(_ number: String) -> String {
    if meaning == .share { return number + " %" }
    let spelling = UnitSpelling.spelling(of: unit ?? "")
    // Degrees of an angle stand right behind their number.
    return spelling.isEmpty || spelling == "°" ? number + spelling : "\(number) \(spelling)"
  }
}
