import Glibc
import Motion

/// How a built-in device moves: one fixed function of time that all its motion sensors follow.
///
/// The device turns as `angles` says, is carried about as `path` says, and stands in constant
/// fields of gravity and of the Earth. What an accelerometer, a gyroscope, a magnetometer, a
/// compass and a barometer find is computed from these alone, so that they agree at every instant.
/// The guide SimulatedMotion of the documentation has the functions in full.
struct SimulatedMotion: Equatable, Sendable {
  /// The roll the device swings around, in radians: how steeply it is held.
  let incline: Double

  /// Along the axes of a device (x right, y up the screen, z out of it) or east, north and up.
  typealias Axes = SIMD3<Double>

  /// What an accelerometer at rest finds, in m/s²: the reaction to gravity, upwards.
  static let gravity = Axes(0, 0, 9.80665)
  /// The field of the Earth, in µT: to the north and down, without declination.
  static let field = Axes(0, 20, -44)

  // MARK: How it turns

  /// The angles of Z-Y′-X″ in radians, and how fast they change in radians a second.
  struct Angles {
    let roll, pitch, yaw: Double
    let rollRate, pitchRate, yawRate: Double
  }

  /// The angles at a time in seconds.
  func angles(at time: Double) -> Angles {
    let roll = Self.roll.moment(at: time)
    let pitch = Self.pitch.moment(at: time)
    let yaw = Self.yaw.moment(at: time)
    return Angles(
      roll: incline + roll.value, pitch: pitch.value, yaw: yaw.value, rollRate: roll.rate,
      pitchRate: pitch.rate, yawRate: yaw.rate)
  }

  private static let roll = SineSum([(0.14, 0.283, 0), (0.05, 0.919, 1)])
  private static let pitch = SineSum([(0.18, 0.257, 2), (0.04, 0.823, 0.5)])
  private static let yaw = SineSum(around: -0.7, [(1.1, 0.067, 0), (0.3, 0.241, 1.5)])

  /// The rotation from the device's axes to east, north, up; it never jumps.
  func attitude(at time: Double) -> Quaternion {
    let angles = angles(at: time)
    return Quaternion(w: cos(angles.yaw / 2), x: 0, y: 0, z: sin(angles.yaw / 2))
      * Quaternion(w: cos(angles.pitch / 2), x: 0, y: sin(angles.pitch / 2), z: 0)
      * Quaternion(w: cos(angles.roll / 2), x: sin(angles.roll / 2), y: 0, z: 0)
  }

  /// What a gyroscope finds, in rad/s along the device's axes.
  func rotationRate(at time: Double) -> Axes {
    let angles = angles(at: time)
    let across = angles.yawRate * cos(angles.pitch)
    return Axes(
      angles.rollRate - angles.yawRate * sin(angles.pitch),
      angles.pitchRate * cos(angles.roll) + across * sin(angles.roll),
      across * cos(angles.roll) - angles.pitchRate * sin(angles.roll))
  }

  /// From magnetic north, clockwise, to where the screen's upper edge points; 0 ≤ x < 360.
  func heading(at time: Double) -> Double {
    let up = attitude(at: time).turning(Axes(0, 1, 0))
    let degrees = atan2(up.x, up.y) * 180 / .pi
    // A hair below 0 rounds to a full turn, which is 0.
    return degrees < 0 ? (degrees + 360).truncatingRemainder(dividingBy: 360) : degrees
  }

  // MARK: How it is carried about

  /// Metres to the east, to the north and above sea level; then m/s².
  func path(at time: Double) -> (place: Axes, acceleration: Axes) {
    let (east, north, height) = (
      Self.east.moment(at: time), Self.north.moment(at: time), Self.height.moment(at: time)
    )
    return (
      Axes(east.value, north.value, height.value),
      Axes(east.acceleration, north.acceleration, height.acceleration)
    )
  }

  private static let east = SineSum([(0.04, 0.541, 0)])
  private static let north = SineSum([(0.03, 0.829, 1)])
  private static let height = SineSum(around: 120, [(3, 0.0107, 0), (0.03, 0.709, 2)])

  /// What an accelerometer finds, in m/s² along the device's axes, and the part of gravity in it.
  func acceleration(at time: Double) -> (whole: Axes, gravity: Axes) {
    let inverse = attitude(at: time).conjugate
    return (
      inverse.turning(Self.gravity + path(at: time).acceleration), inverse.turning(Self.gravity)
    )
  }

  /// What a magnetometer finds, in µT along the device's axes.
  func magneticField(at time: Double) -> Axes {
    attitude(at: time).conjugate.turning(Self.field)
  }

  /// What a barometer finds, in Pa: that of the standard atmosphere (catalogue 4.3).
  func pressure(at time: Double) -> Double {
    101_325 * pow(1 - path(at: time).place.z / 44330.769, 1 / 0.1902632)
  }
}

extension Quaternion {
  /// A vector turned by a unit quaternion.
  fileprivate func turning(_ axes: SimulatedMotion.Axes) -> SimulatedMotion.Axes {
    let turned = self * Quaternion(w: 0, x: axes.x, y: axes.y, z: axes.z) * conjugate
    return SimulatedMotion.Axes(turned.x, turned.y, turned.z)
  }
}
