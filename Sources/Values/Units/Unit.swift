/// What a unit measures: the exponents of base quantities, without the zeros.
///
/// An annotation that stands alone (`{px}`) and a reference level (`B{mW}`) are quantities of their
/// own, known by their name only.
struct Dimension: Hashable {
  private(set) var exponents: [String: Int] = [:]

  static let none = Dimension()
  static let rotationFrequency = Dimension(exponents: ["s": -1])
  static let angularRate = Dimension(exponents: ["rad": 1, "s": -1])

  /// Adds another dimension, raised to a power; nil if an exponent becomes too large.
  func adding(_ other: Dimension, power: Int) -> Dimension? {
    var sum = self
    for (base, exponent) in other.exponents {
      let total = sum.exponents[base, default: 0] + exponent * power
      guard abs(total) <= Unit.exponentLimit else { return nil }
      sum.exponents[base] = total == 0 ? nil : total
    }
    return sum
  }
}

/// The meaning of a UCUM code: number in base units = number × factor + offset.
struct Unit: Hashable {
  /// The size in base units.
  var factor = Factor()

  /// Where zero lies, in 900ths of a kelvin, which hold both 273.15 K and 459.67 °F exactly.
  var offset = 0.0

  /// What it measures.
  var dimension = Dimension.none

  /// How many parts of a kelvin offsets count in.
  static let offsetParts = 900.0

  /// Exponents beyond this are refused; no quantity has them.
  static let exponentLimit = 30
}
