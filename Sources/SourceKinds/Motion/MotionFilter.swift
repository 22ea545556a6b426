import Motion

/// The times between the samples of a unit's parts, in seconds.
struct MotionIntervals: Equatable, Sendable {
  var rotation: Double
  var acceleration: Double
  var field: Double

  /// Whether other intervals are so close that a filter built for these gives the same result.
  func areNear(_ others: MotionIntervals) -> Bool {
    func isNear(_ one: Double, _ other: Double) -> Bool {
      // The error is a thousandth of a degree.
      abs(one - other) <= 0.002 * one
    }
    return isNear(rotation, others.rotation) && isNear(acceleration, others.acceleration)
      && isNear(field, others.field)
  }
}

/// The filter of a unit with gyroscope and accelerometer, fed by the samples' own times.
struct MotionFilter: Sendable {
  private(set) var vqf: VQF
  private var built: MotionIntervals
  private var rotation: (time: Int64, rate: Vector3)?
  private var accelerationTime: Int64?
  private var fieldTime: Int64?
  private var isLevelled = false

  /// A filter at its beginning, for samples that come at these intervals.
  init(_ intervals: MotionIntervals) {
    built = intervals
    vqf = VQF(
      gyroscopeInterval: intervals.rotation, accelerometerInterval: intervals.acceleration,
      magnetometerInterval: intervals.field)
  }

  /// Processes a sample of a unit with these measured intervals.
  mutating func take(_ sample: MotionSample, at intervals: MotionIntervals, hasField: Bool) {
    if !built.areNear(intervals) {
      built = intervals
      vqf.adapt(
        gyroscopeInterval: intervals.rotation, accelerometerInterval: intervals.acceleration,
        magnetometerInterval: intervals.field)
    }
    if let rate = sample.rotation { turn(by: rate, at: sample.time) }
    if let acceleration = sample.acceleration, accelerationTime != sample.time,
      !sample.measuresNoAcceleration
    {
      vqf.updateAccelerometer(acceleration)
      accelerationTime = sample.time
      isLevelled = true
    }
    // North cannot be determined before the vertical is known.
    if hasField, isLevelled, let field = sample.field, fieldTime != sample.time {
      vqf.updateMagnetometer(field)
      fieldTime = sample.time
    }
  }

  /// Applies the rotation measured since the sample before.
  ///
  /// At an even pace a sample's rate is taken for that of the whole step before it, as the filter
  /// has it: that is half a step ahead of what its samples tell, for ever and harmlessly. Where a
  /// step is longer or shorter it has to stay half an even step ahead, or else jitter and drop-outs
  /// add up to a turn.
  private mutating func turn(by rate: Vector3, at time: Int64) {
    defer { rotation = (time, rate) }
    guard let before = rotation else {
      return vqf.updateGyroscope(rate, over: built.rotation)
    }
    let seconds = Double(time - before.time) / 1e9
    guard seconds > 0 else { return }
    let ahead = 0.5 * (1 - built.rotation / seconds)
    let mean = rate - (rate - before.rate) * ahead
    vqf.updateGyroscope(rate, turning: mean, over: seconds)
  }
}

/// The filter and the samples it began with.
///
/// Its first steps depend strongly on the sampling interval, which only the samples show: until
/// enough have arrived it restarts from the first one, each time with a better estimate.
struct OpeningFilter: Sendable {
  private(set) var filter: MotionFilter
  private var opening: [MotionSample]? = []
  private let hasField: Bool

  /// How many samples determine the rate well enough.
  private static let length = 64

  init(_ intervals: MotionIntervals, hasField: Bool) {
    filter = MotionFilter(intervals)
    self.hasField = hasField
  }

  mutating func take(_ sample: MotionSample, at intervals: MotionIntervals) {
    guard var samples = opening else {
      return filter.take(sample, at: intervals, hasField: hasField)
    }
    // Not in two places at once: that would copy the list for every sample.
    opening = nil
    samples.append(sample)
    // A power of two.
    if samples.count & (samples.count - 1) == 0 {
      filter = MotionFilter(intervals)
      for sample in samples { filter.take(sample, at: intervals, hasField: hasField) }
    } else {
      filter.take(sample, at: intervals, hasField: hasField)
    }
    if samples.count < Self.length { opening = samples }
  }
}
