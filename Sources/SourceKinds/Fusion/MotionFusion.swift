import Gathering
import Motion

/// Turns the samples of a unit's parts, in the order of their times, into estimates.
struct MotionFusion: Sendable {
  /// How a part's samples follow each other.
  private struct Pace {
    var last: Int64?
    /// The mean time between two, in seconds.
    var mean: Double
    var isMeasured = false

    /// The time since the sample before in seconds; nil for the first.
    mutating func step(to time: Int64) -> Double? {
      defer { last = time }
      guard let last else { return nil }
      let seconds = Double(time - last) / 1e9
      mean = isMeasured ? mean + (seconds - mean) / 16 : seconds
      isMeasured = true
      return seconds
    }
  }

  private let unit: MotionUnit
  private let hint: Double
  private var filter: VQF
  private var paces: (rotation: Pace, acceleration: Pace, field: Pace, unit: Pace)
  private var built: (rotation: Double, acceleration: Double, field: Double)
  private var latest = MotionSample(at: .min)
  private var began: Int64?
  private var level: Vector3?
  private var previous: Quaternion?

  /// A gap after which nothing of before counts, and how long to wait for a part, in nanoseconds.
  static let longestGap: Int64 = 1_000_000_000

  /// A fusion of parts that come about every `interval` seconds, until their times tell.
  init(_ unit: MotionUnit, interval: Double) {
    self.unit = unit
    hint = interval > 0 ? interval : 0.01
    filter = VQF(
      gyroscopeInterval: hint, accelerometerInterval: hint, magnetometerInterval: hint)
    let pace = Pace(mean: hint)
    paces = (pace, pace, pace, pace)
    built = (hint, hint, hint)
  }

  /// Takes in a sample; nil unless it is one of the pacemaker's and all parts have spoken.
  mutating func take(_ sample: MotionSample) -> MotionEstimate? {
    let isPacing = sample.has(unit.pacemaker)
    // Between two samples of one part there is time: what repeats or goes back is dropped.
    if isPacing, let last = paces.unit.last, sample.time <= last { return nil }
    if latest.time != .min {
      if sample.time < latest.time { return nil }
      let (gap, overflow) = sample.time.subtractingReportingOverflow(latest.time)
      if overflow || gap > Self.longestGap { self = MotionFusion(unit, interval: hint) }
    }
    if began == nil { began = sample.time }
    feed(sample)
    merge(sample)
    guard isPacing else { return nil }
    _ = paces.unit.step(to: sample.time)
    return isComplete(at: sample.time) ? estimate(at: sample.time) : nil
  }

  private mutating func feed(_ sample: MotionSample) {
    if let rotation = sample.rotation, unit.method != .hardware {
      let usual = paces.rotation.mean
      if let seconds = paces.rotation.step(to: sample.time) {
        adapt()
        let mean = rate(upTo: rotation, isAfterGap: seconds > usual * 1.5)
        filter.updateGyroscope(mean, over: seconds)
      }
    }
    if let acceleration = sample.acceleration, unit.method != .hardware {
      let seconds = paces.acceleration.step(to: sample.time)
      if unit.method == .gravityOnly {
        // What shakes it is gone after a third of a second.
        let gain = seconds.map { VQF.gain(timeConstant: 0.3, interval: $0) } ?? 1
        if acceleration.isFinite {
          level = level.map { $0 + (acceleration - $0) * gain } ?? acceleration
        }
      } else if seconds != 0 {
        adapt()
        filter.updateAccelerometer(acceleration)
      }
    }
    if let field = sample.field, unit.method == .nineAxis,
      paces.field.step(to: sample.time) != 0
    {
      adapt()
      filter.updateMagnetometer(field)
    }
  }

  /// The rate of turn since the sample before: over a gap the mean of its two ends.
  private func rate(upTo rotation: Vector3, isAfterGap: Bool) -> Vector3 {
    guard isAfterGap, let before = latest.rotation else { return rotation }
    return (before + rotation) * 0.5
  }

  /// Builds the filter's numbers anew when the samples come at another rate than they were for.
  private mutating func adapt() {
    func differs(_ pace: Pace, _ interval: Double) -> Bool {
      pace.mean > 0 && abs(pace.mean / interval - 1) > 0.2
    }
    guard
      differs(paces.rotation, built.rotation) || differs(paces.acceleration, built.acceleration)
        || differs(paces.field, built.field)
    else { return }
    built = (paces.rotation.mean, paces.acceleration.mean, paces.field.mean)
    filter.adapt(
      gyroscopeInterval: max(built.rotation, 1e-6),
      accelerometerInterval: max(built.acceleration, 1e-6),
      magnetometerInterval: max(built.field, 1e-6))
  }

  private mutating func merge(_ sample: MotionSample) {
    latest.time = sample.time
    latest.quaternion = sample.quaternion ?? latest.quaternion
    latest.magneticHeading = sample.magneticHeading ?? latest.magneticHeading
    latest.trueHeading = sample.trueHeading ?? latest.trueHeading
    latest.acceleration = sample.acceleration ?? latest.acceleration
    latest.rotation = sample.rotation ?? latest.rotation
    latest.field = sample.field ?? latest.field
  }

  /// Whether every part has said something, or has had the time to.
  private func isComplete(at time: Int64) -> Bool {
    let isLate = began.map { time - $0 >= Self.longestGap } ?? false
    return isLate || unit.parts.allSatisfy { latest.has($0.quantity) }
  }

  private mutating func estimate(at time: Int64) -> MotionEstimate {
    var found = MotionEstimate(latest: latest, reference: .gravityOnly)
    found.isHardware = unit.method == .hardware
    found.attitude = attitude(&found.reference).map { $0.continuing(previous ?? $0) }
    previous = found.attitude ?? previous
    guard unit.method == .nineAxis || unit.method == .sixAxis else {
      found.accuracy = unit.method == .gravityOnly ? .low : nil
      return found
    }
    found.isSparse = isSparse
    found.bias = filter.bias
    found.isAtRest = filter.isAtRest
    if latest.field != nil {
      found.isDisturbed = filter.isMagneticallyDisturbed
      found.fieldResidual = filter.fieldResidual
    }
    found.accuracy = accuracy(at: time, found.isDisturbed)
    return found
  }

  private func attitude(_ reference: inout MotionEstimate.Reference) -> Quaternion? {
    switch unit.method {
    case .hardware:
      reference = MotionEstimate.Reference(ofDriver: unit.part(.quaternion)?.device.driver)
      return latest.quaternion
    case .gravityOnly:
      guard let up = level?.unit else { return nil }
      return EulerAngles(levelFor: up).quaternion
    case .nineAxis, .sixAxis:
      guard latest.acceleration != nil else { return nil }
      reference = latest.field == nil ? .arbitrary : .magneticNorth
      return latest.field == nil ? filter.attitude6D : filter.attitude9D
    }
  }

  private var isSparse: Bool { paces.unit.mean > 0.0205 }

  /// From the uncertainty of bias and inclination; settling takes three seconds at most.
  private func accuracy(at time: Int64, _ isDisturbed: Bool?) -> MotionEstimate.Accuracy {
    let degree = Double.pi / 180
    let age = began.map { Double(time - $0) / 1e9 } ?? 0
    let isLevel = filter.inclinationCorrection < 2 * degree
    if age < 0.5 || (age < 3 && !isLevel) { return .unreliable }
    if isSparse || !isLevel { return .low }
    if filter.biasUncertainty > 0.45 * degree { return .low }
    return filter.biasUncertainty > 0.2 * degree || isDisturbed == true ? .medium : .high
  }
}

extension MotionSample {
  /// Whether it says something of a quantity.
  func has(_ quantity: MotionPart.Quantity) -> Bool {
    switch quantity {
    case .quaternion: quaternion != nil
    case .magneticHeading: magneticHeading != nil
    case .trueHeading: trueHeading != nil
    case .acceleration: acceleration != nil
    case .rotation: rotation != nil
    case .field: field != nil
    }
  }
}
