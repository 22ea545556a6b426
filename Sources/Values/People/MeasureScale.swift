/// One unit for several numbers side by side, as on an axis: all are divided by its size.
public struct MeasureScale: Hashable, Sendable {
  /// How many of the declared unit it is.
  public let size: Double
  /// How people write it; empty for plain numbers.
  public let unit: String
}

extension Measure {
  /// The unit that people expect of numbers of which this is the largest, as to its magnitude.
  public func scale(upTo largest: Double) -> MeasureScale {
    if meaning == .share { return MeasureScale(size: 0.01, unit: "%") }
    let ladder = unit == "s" ? UnitLadder.longDurations : UnitLadder.family(of: self)
    guard let rung = ladder?.rung(for: abs(largest)) else {
      return MeasureScale(size: 1, unit: UnitSpelling.spelling(of: unit ?? ""))
    }
    return MeasureScale(size: rung.size, unit: rung.spelling)
  }
}
