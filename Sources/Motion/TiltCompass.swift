import Glibc

/// Which way a body's +Y axis points over the ground, from gravity and the magnetic field.
public enum TiltCompass {
  /// The heading in degrees, 0 ≤ x < 360, clockwise from magnetic north; nil within 5° of a
  /// vertical +Y, and where the two vectors have no direction of their own.
  ///
  /// `acceleration` is the reaction to gravity at rest (up), both in the same frame of the body.
  public static func heading(acceleration: Vector3, field: Vector3) -> Double? {
    guard let up = acceleration.unit, abs(up.y) <= steepest, let magnetic = field.unit,
      case let cross = magnetic.cross(up), cross.norm > 1e-6, let east = cross.unit
    else { return nil }
    let north = up.cross(east)
    return degrees(atan2(east.y, north.y))
  }

  /// The heading of an attitude from body to east, north and up; nil within 5° of a vertical +Y.
  public static func heading(of attitude: Quaternion) -> Double? {
    let axis = attitude.rotate(Vector3(0, 1, 0))
    guard axis.isFinite, abs(axis.z) <= steepest else { return nil }
    return degrees(atan2(axis.x, axis.y))
  }

  /// What a field that is off may do to a heading, in degrees from 1 to 90: `strength` is how far
  /// off it is as a ratio, `dip` in radians. Across its horizontal part that much is the error.
  public static func uncertainty(
    strength: Double, dip: Double, up: Vector3?, field: Vector3
  ) -> Double {
    var level = 0.5
    if let up = up?.unit, let direction = field.unit { level = up.cross(direction).norm }
    let angle = atan(hypot(strength, dip) / max(level, 0.05)) * 180 / .pi
    return angle.isFinite ? min(max(angle, 1), 90) : 90
  }

  /// An angle in degrees brought into 0 ≤ x < 360.
  public static func wrapped(_ degrees: Double) -> Double {
    let turned = degrees.truncatingRemainder(dividingBy: 360)
    let positive = turned < 0 ? turned + 360 : turned
    // What is barely below zero rounds up to a whole turn; no zero has a sign.
    return positive >= 360 ? 0 : positive + 0
  }

  /// The cosine of 5°: how much of +Y may be vertical.
  private static let steepest = 0.9961946980917455

  private static func degrees(_ radians: Double) -> Double { wrapped(radians * 180 / .pi) }
}
