/// A positive number as m × 10ⁿ.
///
/// Powers of ten are kept apart, so that 50 `uT` are exactly 50 / 1 000 000 `T`.
struct Factor: Hashable {
  var mantissa = 1.0
  var decimalExponent = 0

  func multiplied(by other: Factor, power: Int) -> Factor {
    var product = self
    product.decimalExponent += other.decimalExponent * power
    for _ in 0..<abs(power) {
      product.mantissa =
        power > 0 ? product.mantissa * other.mantissa : product.mantissa / other.mantissa
    }
    return product
  }

  /// The factor by which this exceeds another, applied to a number.
  func apply(to number: Double, over other: Factor) -> Double {
    let ratio = mantissa == other.mantissa ? number : number * mantissa / other.mantissa
    var exponent = decimalExponent - other.decimalExponent
    var result = ratio
    while exponent != 0 {
      let step = min(abs(exponent), Self.exactPowers.count - 1)
      result = exponent > 0 ? result * Self.exactPowers[step] : result / Self.exactPowers[step]
      exponent -= exponent > 0 ? step : -step
    }
    return result
  }

  /// The powers of ten that a double holds exactly.
  private static let exactPowers: [Double] = (0...22).reduce(into: [1.0]) { powers, step in
    if step > 0, let last = powers.last { powers.append(last * 10) }
  }
}
