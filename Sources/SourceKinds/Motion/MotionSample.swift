import Gathering
import Motion

/// The values of some parts of a unit at one moment.
struct MotionSample: Sendable {
  /// On CLOCK_BOOTTIME in nanoseconds.
  var time: Int64
  var quaternion: Quaternion?
  var magneticHeading: Double?
  var trueHeading: Double?
  var acceleration: Vector3?
  var rotation: Vector3?
  var field: Vector3?

  init(at time: Int64) { self.time = time }

  /// Whether the acceleration is exactly zero, and therefore shows no vertical (catalogue 4.11).
  var measuresNoAcceleration: Bool { acceleration == .zero }

  /// Whether the field is exactly zero, and therefore shows no north.
  var measuresNoField: Bool { field == .zero }

  /// Sets the numbers of a quantity; numbers that are not finite are ignored.
  mutating func set(_ quantity: MotionPart.Quantity, _ numbers: ArraySlice<Double>) {
    guard numbers.allSatisfy(\.isFinite), let first = numbers.first else { return }
    let start = numbers.startIndex
    switch quantity {
    case .magneticHeading: magneticHeading = Self.heading(first)
    case .trueHeading: trueHeading = Self.heading(first)
    case .quaternion:
      guard numbers.count == 4 else { return }
      // On the wire the scalar part is the last.
      quaternion =
        Quaternion(
          w: numbers[start + 3], x: first, y: numbers[start + 1], z: numbers[start + 2]
        ).unit
    case .acceleration, .rotation, .field:
      guard numbers.count == 3 else { return }
      let vector = Vector3(first, numbers[start + 1], numbers[start + 2])
      switch quantity {
      case .acceleration: acceleration = vector
      case .rotation: rotation = vector
      default: field = vector
      }
    }
  }

  /// The kernel's interface defines no unit: only plausible degrees are accepted.
  private static func heading(_ number: Double) -> Double? {
    (0...360).contains(number) ? TiltCompass.wrapped(number) : nil
  }
}

/// The estimate of a unit's motion at one moment.
struct MotionEstimate: Sendable {
  enum Accuracy: String, CaseIterable, Sendable {
    case unreliable, low, medium, high
  }

  enum Reference: String, CaseIterable, Sendable {
    case trueNorth = "true_north"
    case magneticNorth = "magnetic_north"
    case arbitrary
    case hardwareRelative = "hardware_relative"
    case hardwareGeomagnetic = "hardware_geomagnetic"
    case gravityOnly = "gravity_only"
  }

  /// The latest of every part.
  var latest: MotionSample
  /// From body to east, north and up.
  var attitude: Quaternion?
  /// The bias of the gyroscope.
  var bias = Vector3.zero
  var reference: Reference
  /// Whether the attitude is the device's own opinion.
  var isHardware = false
  /// Nil if unknown.
  var accuracy: Accuracy?
  /// Whether the filter has determined the vertical.
  var isLevelled = true
  /// Whether a filter gets fewer than 50 samples a second.
  var isSparse = false
  var isDisturbed: Bool?
  var isAtRest: Bool?
  /// How far strength (as a ratio) and dip (in radians) of the field are off; nil if unknown.
  var fieldResidual: (strength: Double, dip: Double)?

  /// Standard gravity, in m/s².
  static let standardGravity = 9.80665

  /// The part of the acceleration that is gravity, with the accelerometer's sign at rest.
  var gravity: Vector3? {
    guard let attitude else { return nil }
    let up = attitude.conjugate.rotate(Vector3(0, 0, Self.standardGravity))
    // Fusion takes the acceleration for the reaction; the hardware has its own opinion of up.
    let isOpposed = isHardware && (latest.acceleration.map { $0.dot(up) < 0 } ?? false)
    return isOpposed ? -up : up
  }

  var userAcceleration: Vector3? {
    guard let gravity, let acceleration = latest.acceleration, !latest.measuresNoAcceleration
    else { return nil }
    return acceleration - gravity
  }

  /// The rate of turn, its bias taken away.
  var rotationRate: Vector3? { latest.rotation.map { $0 - bias } }
}

extension Outcome {
  /// Of all that is made of an acceleration of exactly nothing, and of a field.
  static let noAcceleration = Outcome.noData(
    "the accelerometer measures nothing: free fall or no data")
  static let noField = Outcome.noData("the magnetometer measures nothing: no data")
}

extension MotionEstimate.Reference {
  /// The reference of a driver's quaternion (catalogue 4.11).
  init(ofDriver name: String?) {
    switch name {
    case "relative_orientation": self = .hardwareRelative
    case "geomagnetic_orientation": self = .hardwareGeomagnetic
    default: self = .magneticNorth
    }
  }
}
