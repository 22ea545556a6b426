import Glibc

/// Orientation from a gyroscope, an accelerometer and, if there is one, a magnetometer: the filter
/// of Laidig and Seel (Information Fusion 91, 2023) with its published parameters.
///
/// Samples are fed in the order they were taken, each sensor at its own rate. Rates are in rad/s,
/// accelerations in m/s² as the reaction (z = +9.81 lying face up), fields in any unit. Samples
/// that are not finite, and vectors of length 0, change nothing. A value: any thread, no
/// allocation.
public struct VQF: Sendable {
  private var gyroscopeInterval: Double
  private var rateFilter: LowPassCoefficients
  private var restFilter: LowPassCoefficients
  private var levelFilter: LowPassCoefficients
  private var biasWeights: BiasEstimator.Weights
  private var northWeights: NorthFinder.Weights

  /// The strapdown integration, from body to a frame that drifts.
  private var turned = Quaternion.identity
  /// The inclination correction, from that frame to one whose z is vertical.
  private var upright: Quaternion
  private var levelled = LowPass3()
  private var vertical = Vector3(0, 0, 1)
  private var rest = RestDetector()
  private var estimator = BiasEstimator()
  private var north = NorthFinder()
  /// The turn from `attitude6D` to `attitude9D`: cosine and sine of half its angle.
  @usableFromInline var northward = (w: 1.0, z: 0.0)

  /// From body to earth: z up, the heading that of the beginning, drifting.
  public private(set) var attitude6D: Quaternion

  /// A filter at its beginning, for sampling intervals in seconds; those of sensors there are not
  /// do not matter. `attitude` is what it takes for true until its first sample.
  public init(
    gyroscopeInterval: Double, accelerometerInterval: Double, magnetometerInterval: Double,
    startingFrom attitude: Quaternion = .identity
  ) {
    upright = attitude
    attitude6D = attitude
    self.gyroscopeInterval = gyroscopeInterval
    let (restTime, levelTime) = (VQFTuning.restFilterTime, VQFTuning.accelerometerTime)
    rateFilter = LowPassCoefficients(timeConstant: restTime, interval: gyroscopeInterval)
    restFilter = LowPassCoefficients(timeConstant: restTime, interval: accelerometerInterval)
    levelFilter = LowPassCoefficients(timeConstant: levelTime, interval: accelerometerInterval)
    biasWeights = BiasEstimator.Weights(interval: accelerometerInterval)
    northWeights = NorthFinder.Weights(interval: magnetometerInterval)
  }

  /// From body to earth: x east, y magnetic north, z up.
  @inlinable public var attitude9D: Quaternion {
    let (c, s) = northward
    let q = attitude6D
    return Quaternion(
      w: c * q.w - s * q.z, x: c * q.x - s * q.y, y: c * q.y + s * q.x, z: c * q.z + s * q.w)
  }

  /// The turn about the vertical from `attitude6D` to `attitude9D`, in radians.
  public var heading: Double { north.heading }
  /// The bias of the gyroscope in rad/s: what is subtracted from its samples.
  public var bias: Vector3 { estimator.bias }
  /// An upper bound of the bias's standard deviation in rad/s.
  public var biasUncertainty: Double { estimator.uncertainty }
  /// The last correction of the inclination in radians.
  public var inclinationCorrection: Double { acos(min(max(vertical.z, -1), 1)) }
  /// How far the last magnetic field was off the heading, in radians.
  public var headingDisagreement: Double { north.disagreement }
  /// How far the field is off the earth's as it is known: strength as a ratio, dip in radians; nil
  /// until it is known.
  public var fieldResidual: (strength: Double, dip: Double)? { north.residual }
  /// Whether the body has been at rest.
  public var isAtRest: Bool { rest.isAtRest }
  /// Whether the magnetic field is not the earth's, as far as it is known; true until it is.
  public var isMagneticallyDisturbed: Bool { north.isDisturbed }

  /// Takes in a rate of turn that held for one sampling interval.
  @inline(__always)
  public mutating func updateGyroscope(_ rate: Vector3) {
    updateGyroscope(rate, over: gyroscopeInterval)
  }

  /// Takes in a rate of turn that held for a time in seconds.
  @inline(__always)
  public mutating func updateGyroscope(_ rate: Vector3, over seconds: Double) {
    updateGyroscope(rate, turning: rate, over: seconds)
  }

  /// Takes in a rate of turn, `mean` being what it was on average over some seconds until then.
  public mutating func updateGyroscope(
    _ rate: Vector3, turning mean: Vector3, over seconds: Double
  ) {
    guard rate.dot(rate).isFinite, mean.dot(mean).isFinite, seconds.isFinite else { return }
    rest.updateGyroscope(rate, rateFilter)
    let unbiased = mean - estimator.bias
    let norm = unbiased.norm
    guard norm > .ulpOfOne else { return }
    turned = (turned * Self.turn(by: unbiased, norm, over: seconds)).straightened
    attitude6D = upright * turned
  }

  /// Takes in an acceleration, gravity included.
  public mutating func updateAccelerometer(_ acceleration: Vector3) {
    let square = acceleration.dot(acceleration)
    guard square > 0, square.isFinite else { return }
    rest.updateAccelerometer(acceleration, restFilter)
    // Low-passed where the earth is at rest, so that motion averages out.
    levelled.update(turned.rotate(acceleration), levelFilter)
    let pull = upright.rotate(levelled.last)
    let strength = pull.norm
    guard strength > 0, strength.isFinite else { return }
    vertical = pull * (1 / strength)
    upright = (Self.shortestTurnToUp(from: pull, strength) * upright).straightened
    attitude6D = upright * turned
    estimator.update(
      attitude: Matrix3(attitude6D), vertical: vertical,
      restRate: rest.isAtRest ? rest.rate.last : nil, biasWeights, levelFilter)
  }

  /// Takes in a magnetic field.
  public mutating func updateMagnetometer(_ field: Vector3) {
    let square = field.dot(field)
    guard square > 0, square.isFinite else { return }
    north.update(attitude6D.rotate(field), rate: rest.rate.last, northWeights)
    let half = north.heading / 2
    northward = (cos(half), sin(half))
  }

  /// The samples come at other intervals from now on; the estimates go on.
  public mutating func adapt(
    gyroscopeInterval: Double, accelerometerInterval: Double, magnetometerInterval: Double
  ) {
    let new = VQF(
      gyroscopeInterval: gyroscopeInterval, accelerometerInterval: accelerometerInterval,
      magnetometerInterval: magnetometerInterval)
    rest.adaptRate(from: rateFilter, to: new.rateFilter)
    rest.adaptAcceleration(from: restFilter, to: new.restFilter)
    levelled.adapt(from: levelFilter, to: new.levelFilter)
    estimator.adapt(from: levelFilter, to: new.levelFilter)
    north.adapt(from: northWeights, to: new.northWeights)
    self.gyroscopeInterval = gyroscopeInterval
    rateFilter = new.rateFilter
    restFilter = new.restFilter
    levelFilter = new.levelFilter
    biasWeights = new.biasWeights
    northWeights = new.northWeights
  }

  /// The rotation by a rate, of length `norm`, that held for some seconds.
  @inline(__always)
  private static func turn(by rate: Vector3, _ norm: Double, over seconds: Double) -> Quaternion {
    let half = norm * seconds / 2
    let square = half * half
    let (c, sineOverHalf): (Double, Double)
    if square < 0.0025 {
      // Series that at such angles are exact to the last bit but one, and take half the time.
      let (u, v) = (square * (1.0 / 2), square * (1.0 / 6))
      c = 1 - u * (1 - v * (1.0 / 2) * (1 - v * (1.0 / 5) * (1 - square * (1.0 / 56))))
      sineOverHalf = 1 - v * (1 - square * (1.0 / 20) * (1 - square * (1.0 / 42)))
    } else {
      c = cos(half)
      sineOverHalf = sin(half) / half
    }
    let axis = rate * (sineOverHalf * seconds / 2)
    return Quaternion(w: c, x: axis.x, y: axis.y, z: axis.z)
  }

  /// How much of a difference one sample takes away to give a time constant, both in seconds.
  public static func gain(timeConstant: Double, interval: Double) -> Double {
    VQFTuning.gain(timeConstant, interval)
  }

  /// The smallest rotation that turns a vector, of length `norm`, to +z.
  @inline(__always)
  private static func shortestTurnToUp(from vector: Vector3, _ norm: Double) -> Quaternion {
    // Halfway between the vector and +z lies the axis of the half turn that swaps them.
    let sum = norm + vector.z
    // Straight down there is no smallest: any half turn about a horizontal axis will do.
    guard sum > 2e-12 * norm else { return Quaternion(w: 0, x: 1, y: 0, z: 0) }
    let scale = 1 / ((2 * norm).squareRoot() * sum.squareRoot())
    return Quaternion(w: sum * scale, x: vector.y * scale, y: -vector.x * scale, z: 0)
  }
}
