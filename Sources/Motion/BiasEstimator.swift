/// A Kalman filter for the bias of a gyroscope: from its mean at rest, from the corrections of the
/// inclination in motion.
struct BiasEstimator {
  /// What the numbers of the filter become at one sampling interval of the accelerometer.
  struct Weights {
    var frequency: Double
    var system: Double
    var motion: Double
    var vertical: Double
    var rest: Double

    init(interval: Double) {
      frequency = 1 / interval
      // Grows by 0.1 degrees a second, counted in hundredths, within the forgetting time.
      system = 100 * interval / VQFTuning.biasForgettingTime
      let motionVariance = VQFTuning.motionSigma * VQFTuning.motionSigma
      motion = motionVariance * motionVariance / system + motionVariance
      vertical = motion / VQFTuning.verticalForgettingFactor
      let restVariance = VQFTuning.restSigma * VQFTuning.restSigma
      rest = restVariance * restVariance / system + restVariance
    }
  }

  /// The bias in rad/s.
  private(set) var bias = Vector3.zero
  private var covariance: Matrix3
  private var turn = (LowPass3(), LowPass3(), LowPass3())
  private var level = LowPass3()

  static let initialVariance = VQFTuning.initialBiasSigma * VQFTuning.initialBiasSigma

  init() {
    let variance = Self.initialVariance
    covariance = Matrix3(
      Vector3(variance, 0, 0), Vector3(0, variance, 0), Vector3(0, 0, variance))
  }

  /// One standard deviation of the bias in rad/s, an upper bound for every direction.
  var uncertainty: Double {
    func sum(_ row: Vector3) -> Double { abs(row.x) + abs(row.y) + abs(row.z) }
    let largest = max(sum(covariance.rows.0), sum(covariance.rows.1), sum(covariance.rows.2))
    return min(largest, Self.initialVariance).squareRoot() * 0.01 * VQFTuning.degree
  }

  /// Learns from one sample of the accelerometer.
  ///
  /// `attitude` is the rotation from body to earth, `vertical` the direction of the acceleration as
  /// it was corrected last, `restRate` the mean rate if the body is at rest.
  @inline(__always)
  mutating func update(
    attitude: Matrix3, vertical: Vector3, restRate: Vector3?, _ weights: Weights,
    _ k: LowPassCoefficients
  ) {
    let horizontal = Vector3(attitude.rows.0.dot(bias), attitude.rows.1.dot(bias), 0)
    turn.0.update(attitude.rows.0, k)
    turn.1.update(attitude.rows.1, k)
    turn.2.update(attitude.rows.2, k)
    level.update(horizontal, k)
    forget(weights.system)
    if let restRate {
      learn(restRate - bias, .identity, Vector3(repeating: weights.rest))
    } else {
      let view = Matrix3(turn.0.last, turn.1.last, turn.2.last)
      let seen = Vector3(-vertical.y, vertical.x, 0) * weights.frequency
      let noise = Vector3(weights.motion, weights.motion, weights.vertical)
      learn(seen + level.last - view * bias, view, noise)
    }
  }

  mutating func adapt(from old: LowPassCoefficients, to new: LowPassCoefficients) {
    turn.0.adapt(from: old, to: new)
    turn.1.adapt(from: old, to: new)
    turn.2.adapt(from: old, to: new)
    level.adapt(from: old, to: new)
  }

  @inline(__always)
  private mutating func forget(_ variance: Double) {
    let most = Self.initialVariance
    if covariance.rows.0.x < most { covariance.rows.0.x += variance }
    if covariance.rows.1.y < most { covariance.rows.1.y += variance }
    if covariance.rows.2.z < most { covariance.rows.2.z += variance }
  }

  /// One step of the Kalman filter: `error` is seen through `view` with a variance of `noise`.
  private mutating func learn(_ error: Vector3, _ view: Matrix3, _ noise: Vector3) {
    // The covariance is symmetric, so (view × covariance) transposed is covariance × viewᵀ.
    let seen = view * covariance
    let (a, b, c) = seen.rows
    let s00 = a.dot(view.rows.0) + noise.x
    let s01 = a.dot(view.rows.1)
    let s02 = a.dot(view.rows.2)
    let s11 = b.dot(view.rows.1) + noise.y
    let s12 = b.dot(view.rows.2)
    let s22 = c.dot(view.rows.2) + noise.z
    let i00 = s11 * s22 - s12 * s12
    let i01 = s02 * s12 - s01 * s22
    let i02 = s01 * s12 - s02 * s11
    let determinant = s00 * i00 + s01 * i01 + s02 * i02
    guard determinant != 0, determinant.isFinite else { return }
    let scale = 1 / determinant
    let inverse = Matrix3(
      Vector3(i00, i01, i02) * scale,
      Vector3(i01, s00 * s22 - s02 * s02, s01 * s02 - s00 * s12) * scale,
      Vector3(i02, s01 * s02 - s00 * s12, s00 * s11 - s01 * s01) * scale)
    bias = clipped(bias + seen.combined(by: inverse * clipped(error)))
    let gain = inverse * seen
    let (p, q, r) = gain.rows
    covariance.rows.0 -= p * a.x + q * b.x + r * c.x
    covariance.rows.1 -= p * a.y + q * b.y + r * c.y
    covariance.rows.2 -= p * a.z + q * b.z + r * c.z
  }

  @inline(__always)
  private func clipped(_ rate: Vector3) -> Vector3 {
    let limit = VQFTuning.biasLimit
    return Vector3(
      min(max(rate.x, -limit), limit), min(max(rate.y, -limit), limit),
      min(max(rate.z, -limit), limit))
  }
}
