/// Tells when a body has been at rest: neither rate nor acceleration has left its own low-pass for
/// a while.
struct RestDetector {
  /// The low-passed rate of turn, which at rest is the bias.
  private(set) var rate = LowPass3()
  private var acceleration = LowPass3()
  private var quietTime = 0.0
  private(set) var isAtRest = false

  private static let rateLimit = VQFTuning.restRateLimit * VQFTuning.restRateLimit
  private static let accelerationLimit =
    VQFTuning.restAccelerationLimit * VQFTuning.restAccelerationLimit

  @inline(__always)
  mutating func updateGyroscope(_ sample: Vector3, _ k: LowPassCoefficients) {
    rate.update(sample, k)
    let mean = rate.last
    let deviation = sample - mean
    let limit = VQFTuning.biasLimit
    if deviation.dot(deviation) >= Self.rateLimit || abs(mean.x) > limit || abs(mean.y) > limit
      || abs(mean.z) > limit
    {
      quietTime = 0
      isAtRest = false
    }
  }

  @inline(__always)
  mutating func updateAccelerometer(_ sample: Vector3, _ k: LowPassCoefficients) {
    acceleration.update(sample, k)
    let deviation = sample - acceleration.last
    if deviation.dot(deviation) >= Self.accelerationLimit {
      quietTime = 0
      isAtRest = false
    } else {
      quietTime += k.interval
      if quietTime >= VQFTuning.restTime { isAtRest = true }
    }
  }

  mutating func adaptRate(from old: LowPassCoefficients, to new: LowPassCoefficients) {
    rate.adapt(from: old, to: new)
  }

  mutating func adaptAcceleration(from old: LowPassCoefficients, to new: LowPassCoefficients) {
    acceleration.adapt(from: old, to: new)
  }
}
