import Glibc

/// The heading correction: how far the attitude without a magnetometer is turned from north, and
/// whether the field is worth following.
struct NorthFinder {
  /// The numbers of the correction at one sampling interval of the magnetometer.
  struct Weights {
    var interval: Double
    var gain: Double
    var referenceGain: Double
    var field: LowPassCoefficients

    init(interval: Double) {
      self.interval = interval
      gain = VQFTuning.gain(VQFTuning.magnetometerTime, interval)
      referenceGain = VQFTuning.gain(VQFTuning.fieldReferenceTime, interval)
      field = LowPassCoefficients(timeConstant: VQFTuning.fieldFilterTime, interval: interval)
    }
  }

  /// The field's strength, and how far it points below the horizon.
  private struct Field {
    var norm: Double
    var dip: Double

    func isNear(_ other: Field) -> Bool {
      abs(norm - other.norm) < VQFTuning.normTolerance * other.norm
        && abs(dip - other.dip) < VQFTuning.dipTolerance
    }

    mutating func approach(_ other: Field, _ gain: Double) {
      norm += gain * (other.norm - norm)
      dip += gain * (other.dip - dip)
    }
  }

  /// The angle from the filter's own earth frame to north, in radians.
  private(set) var heading = 0.0
  /// What the last sample would have added to it.
  private(set) var disagreement = 0.0
  private(set) var isDisturbed = true
  private var firstGain = 1.0
  private var field = LowPass3()
  private var reference = Field(norm: 0, dip: 0)
  private var candidate = Field(norm: -1, dip: 0)
  private var undisturbedTime = 0.0
  private var rejectedTime = VQFTuning.longestRejection
  private var candidateTime = 0.0

  /// Follows a field given in the filter's earth frame; `rate` is how fast the body turns.
  @inline(__always)
  mutating func update(_ earth: Vector3, rate: Vector3, _ weights: Weights) {
    let norm = earth.norm
    field.update(Vector3(norm, -asin(earth.z / norm), 0), weights.field)
    judge(Field(norm: field.last.x, dip: field.last.y), rate, weights)
    disagreement = Self.wrapped(atan2(earth.x, earth.y) - heading)
    var gain = weights.gain
    if isDisturbed {
      if rejectedTime <= VQFTuning.longestRejection {
        rejectedTime += weights.interval
        gain = 0
      } else {
        gain /= VQFTuning.rejectionFactor
      }
    } else {
      rejectedTime = max(rejectedTime - VQFTuning.rejectionFactor * weights.interval, 0)
    }
    if firstGain != 0 {
      // The first samples are averaged, so that the heading is there at once.
      gain = max(gain, firstGain)
      firstGain /= firstGain + 1
      if firstGain * VQFTuning.magnetometerTime < weights.interval { firstGain = 0 }
    }
    heading = Self.wrapped(heading + gain * disagreement)
  }

  mutating func adapt(from old: Weights, to new: Weights) {
    field.adapt(from: old.field, to: new.field)
  }

  @inline(__always)
  private mutating func judge(_ field: Field, _ rate: Vector3, _ weights: Weights) {
    if field.isNear(reference) {
      undisturbedTime += weights.interval
      if undisturbedTime >= VQFTuning.undisturbedTime {
        isDisturbed = false
        reference.approach(field, weights.referenceGain)
      }
    } else {
      undisturbedTime = 0
      isDisturbed = true
    }
    guard field.isNear(candidate) else {
      candidateTime = 0
      candidate = field
      return
    }
    if rate.norm >= VQFTuning.newFieldRate { candidateTime += weights.interval }
    candidate.approach(field, weights.referenceGain)
    let isFirst = reference.norm == 0 && candidateTime >= VQFTuning.firstFieldTime
    if isDisturbed, isFirst || candidateTime >= VQFTuning.newFieldTime {
      reference = candidate
      isDisturbed = false
      undisturbedTime = VQFTuning.undisturbedTime
    }
  }

  @inline(__always)
  private static func wrapped(_ angle: Double) -> Double {
    if angle > .pi { return angle - 2 * .pi }
    return angle < -.pi ? angle + 2 * .pi : angle
  }
}
