import Gathering
import Motion

/// Turns the samples of a unit's parts, in the order of their times, into estimates.
struct MotionFusion: Sendable {
  private let unit: MotionUnit
  private var filter: OpeningFilter
  private var paces: Paces
  private var latest = MotionSample(at: .min)
  private var began: Int64?
  /// When the accelerometer first measured something.
  private var levelledAt: Int64?
  private var level: Vector3?
  private var previous: Quaternion?

  private typealias Paces = (
    rotation: SamplePace, acceleration: SamplePace, field: SamplePace, unit: SamplePace
  )

  /// A gap after which nothing of before counts, and how long to wait for a part, in nanoseconds.
  static let longestGap: Int64 = 1_000_000_000

  /// Makes a fusion of parts with a sample about every `interval` seconds, until their times show
  /// it.
  init(_ unit: MotionUnit, interval: Double) {
    let pace = SamplePace(interval > 0 ? interval : 0.01)
    self.init(unit, at: (pace, pace, pace, pace))
  }

  private init(_ unit: MotionUnit, at paces: Paces) {
    self.unit = unit
    self.paces = paces
    filter = OpeningFilter(Self.intervals(paces), hasField: unit.has(.field))
  }

  private static func intervals(_ paces: Paces) -> MotionIntervals {
    MotionIntervals(
      rotation: paces.rotation.mean, acceleration: paces.acceleration.mean,
      field: paces.field.mean)
  }

  private var vqf: VQF { filter.filter.vqf }

  /// Sets the expected interval in seconds; ignored after the first sample.
  mutating func expect(every interval: Double) {
    guard latest.time == .min else { return }
    self = MotionFusion(unit, interval: interval)
  }

  /// The same fusion at its beginning, at the rates that were measured.
  private var restarted: MotionFusion {
    let (rotation, acceleration) = (paces.rotation.resumed, paces.acceleration.resumed)
    return MotionFusion(
      unit, at: (rotation, acceleration, paces.field.resumed, paces.unit.resumed))
  }

  /// Takes in a sample; nil unless it is one of the pacemaker's and all parts have spoken.
  mutating func take(_ sample: MotionSample) -> MotionEstimate? {
    let isPacing = sample.has(unit.pacemaker)
    // Two samples of one part differ in time: repeated or older ones are dropped.
    if isPacing, let last = paces.unit.last, sample.time <= last { return nil }
    if latest.time != .min {
      if sample.time < latest.time { return nil }
      let (gap, overflow) = sample.time.subtractingReportingOverflow(latest.time)
      if overflow || gap > Self.longestGap { self = restarted }
    }
    if began == nil { began = sample.time }
    feed(sample)
    merge(sample)
    guard isPacing else { return nil }
    _ = paces.unit.step(to: sample.time)
    return isComplete(at: sample.time) ? estimate(at: sample.time) : nil
  }

  private mutating func feed(_ sample: MotionSample) {
    guard unit.method != .hardware else { return }
    if sample.rotation != nil { _ = paces.rotation.step(to: sample.time) }
    if sample.field != nil { _ = paces.field.step(to: sample.time) }
    if let acceleration = sample.acceleration {
      let seconds = paces.acceleration.step(to: sample.time)
      if !sample.measuresNoAcceleration {
        if unit.method == .gravityOnly { level(acceleration, after: seconds) }
        levelledAt = levelledAt ?? sample.time
      }
    }
    if unit.method != .gravityOnly { filter.take(sample, at: Self.intervals(paces)) }
  }

  /// A shake of the vertical has decayed after a third of a second.
  private mutating func level(_ acceleration: Vector3, after seconds: Double?) {
    let last = latest.measuresNoAcceleration ? nil : level
    let gain = seconds.map { VQF.gain(timeConstant: 0.3, interval: $0) } ?? 1
    level = last.map { $0 + (acceleration - $0) * gain } ?? acceleration
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

  /// Whether every part has delivered a sample, or has had the time to.
  private func isComplete(at time: Int64) -> Bool {
    let isLate = began.map { time - $0 >= Self.longestGap } ?? false
    return isLate || unit.parts.allSatisfy { latest.has($0.quantity) }
  }

  private mutating func estimate(at time: Int64) -> MotionEstimate {
    var found = MotionEstimate(latest: latest, reference: .gravityOnly)
    found.isHardware = unit.method == .hardware
    found.attitude = attitude(&found.reference).map { $0.continuing(previous ?? $0) }
    previous = found.attitude ?? previous
    found.isLevelled = found.isHardware || levelledAt != nil || !unit.has(.acceleration)
    guard unit.method == .nineAxis || unit.method == .sixAxis else {
      found.accuracy =
        unit.method == .gravityOnly && !latest.measuresNoAcceleration ? .low : nil
      return found
    }
    found.isSparse = isSparse
    found.bias = vqf.bias
    guard !latest.measuresNoAcceleration else { return found }
    found.isAtRest = vqf.isAtRest
    if latest.field != nil, !latest.measuresNoField {
      found.isDisturbed = vqf.isMagneticallyDisturbed
      found.fieldResidual = vqf.fieldResidual
    }
    found.accuracy = accuracy(at: time, found.isDisturbed)
    return found
  }

  private func attitude(_ reference: inout MotionEstimate.Reference) -> Quaternion? {
    switch unit.method {
    case .hardware:
      reference = MotionEstimate.Reference(ofDriver: unit.part(.quaternion)?.device.driver)
      // A quaternion of the hardware is valid by itself, but no rotation with exactly zero inputs
      // is not.
      let isBlank = latest.measuresNoAcceleration && latest.quaternion == .identity
      return isBlank ? nil : latest.quaternion
    case .gravityOnly:
      guard !latest.measuresNoAcceleration, let up = level?.unit else { return nil }
      return EulerAngles(levelFor: up).quaternion
    case .nineAxis, .sixAxis:
      // Without a field the heading stays, but its reference is no longer known.
      reference = latest.field == nil || latest.measuresNoField ? .arbitrary : .magneticNorth
      guard latest.acceleration != nil, !latest.measuresNoAcceleration else { return nil }
      return vqf.attitude9D
    }
  }

  private var isSparse: Bool { paces.unit.mean > 0.0205 }

  /// From the uncertainty of bias and inclination; settling takes three seconds at most.
  private func accuracy(at time: Int64, _ isDisturbed: Bool?) -> MotionEstimate.Accuracy {
    let degree = Double.pi / 180
    let age = levelledAt.map { Double(time - $0) / 1e9 } ?? 0
    let isLevel = vqf.inclinationCorrection < 2 * degree
    if age < 0.5 || (age < 3 && !isLevel) { return .unreliable }
    if isSparse || !isLevel { return .low }
    if vqf.biasUncertainty > 0.45 * degree { return .low }
    return vqf.biasUncertainty > 0.2 * degree || isDisturbed == true ? .medium : .high
  }
}

extension MotionSample {
  /// Whether it has a value of a quantity.
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
