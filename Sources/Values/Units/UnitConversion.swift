/// A conversion from one UCUM code to another, prepared once and applied to many numbers.
///
/// Codes of one dimension convert within 1e-9 relative. The only conversion across dimensions is
/// from angular rate to rotation frequency (`rad/s` to `Hz`, ÷ 2π); the reverse is refused, since a
/// frequency need not be a rotation (sources V2). `{px}` and `{pt}` convert by a scale.
public struct UnitConversion: Sendable {
  /// The code that is converted from.
  public let source: String

  /// The code that is converted to.
  public let target: String

  private let step: Step

  private enum Step: Sendable {
    case identity
    case affine(from: Factor, to: Factor, offset: Double)
    case multiply(Double)
    case divide(Double)
  }

  /// Prepares a conversion; `scale` is in pixels per point and used between those alone.
  public init(
    from source: String, to target: String, scale: Double? = nil
  ) throws(UnitError) {
    self.source = source
    self.target = target
    let from = try UnitParser.parse(source)
    let to = try UnitParser.parse(target)
    if ExactText(source) == ExactText(target) {
      step = .identity
    } else if let byScale = try Self.stepByScale(source, target, scale) {
      step = byScale
    } else if from.dimension == to.dimension {
      step = .affine(from: from.factor, to: to.factor, offset: from.offset - to.offset)
    } else if from.dimension == .angularRate, to.dimension == .rotationFrequency {
      var turn = to.factor
      turn.mantissa *= 2 * .pi
      step = .affine(from: from.factor, to: turn, offset: 0)
    } else {
      throw .incommensurable(from: source, to: target)
    }
  }

  /// The number in the target unit; fails when the number or the result is not finite.
  public func convert(_ number: Double) throws(UnitError) -> Double {
    guard number.isFinite else { throw .notFinite }
    let result =
      switch step {
      case .identity: number
      case .multiply(let scale): number * scale
      case .divide(let scale): number / scale
      case .affine(let from, let to, let offset): Self.affine(number, from, to, offset)
      }
    guard result.isFinite else { throw .outOfRange(from: source, to: target) }
    return result
  }

  /// One number converted once.
  public static func convert(
    _ number: Double, from source: String, to target: String, scale: Double? = nil
  ) throws(UnitError) -> Double {
    try UnitConversion(from: source, to: target, scale: scale).convert(number)
  }

  /// The vector in the target unit, component by component.
  public func convert(_ vector: Vector) throws(UnitError) -> Vector {
    try vector.map(convert)
  }

  private static func affine(
    _ number: Double, _ from: Factor, _ to: Factor, _ offset: Double
  ) -> Double {
    // Without an offset the base unit is skipped: nothing is lost between, say, mCel and Cel.
    if offset == 0 { return from.apply(to: number, over: to) }
    let part = Unit.offsetParts
    let sum = from.apply(to: number * part, over: Factor()) + offset
    var target = to
    target.mantissa *= part
    return Factor().apply(to: sum, over: target)
  }

  private static func stepByScale(
    _ source: String, _ target: String, _ scale: Double?
  ) throws(UnitError) -> Step? {
    let isReduction = source == "{px}" && target == "{pt}"
    let isEnlargement = source == "{pt}" && target == "{px}"
    guard isReduction || isEnlargement else { return nil }
    guard let scale, scale.isFinite, scale > 0 else {
      throw .needsScale(from: source, to: target)
    }
    return isReduction ? .divide(scale) : .multiply(scale)
  }
}
