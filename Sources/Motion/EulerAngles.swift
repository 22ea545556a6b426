import Glibc

/// An attitude as three turns: yaw about Z, pitch about the new Y, roll about the newest X.
public struct EulerAngles: Equatable, Sendable {
  /// The turn about the body's own X, in (−π, π].
  public var roll: Double
  /// The turn about Y between the two others, in [−π/2, π/2].
  public var pitch: Double
  /// The turn about the vertical, in (−π, π].
  public var yaw: Double

  /// Three angles in radians.
  public init(roll: Double, pitch: Double, yaw: Double) {
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
  }

  /// The angles of a unit quaternion. Where X is vertical only the sum or difference of the other
  /// two is defined; then roll is 0.
  public init(_ q: Quaternion) {
    let sine = 2 * (q.w * q.y - q.z * q.x)
    if abs(sine) > 1 - 1e-12 {
      pitch = sine < 0 ? -.pi / 2 : .pi / 2
      roll = 0
      yaw = Self.halfOpen(2 * atan2(sine < 0 ? q.x : -q.x, q.w))
      return
    }
    pitch = asin(sine)
    roll = Self.halfOpen(
      atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y)))
    yaw = Self.halfOpen(
      atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z)))
  }

  /// The unit quaternion of the angles.
  public var quaternion: Quaternion {
    let (r, p, y) = (roll / 2, pitch / 2, yaw / 2)
    return Quaternion(w: cos(y), x: 0, y: 0, z: sin(y))
      * Quaternion(w: cos(p), x: 0, y: sin(p), z: 0)
      * Quaternion(w: cos(r), x: sin(r), y: 0, z: 0)
  }

  /// An angle of at most one turn either way, in (−π, π].
  private static func halfOpen(_ angle: Double) -> Double {
    let turned = angle > .pi ? angle - 2 * .pi : angle
    return turned <= -.pi ? turned + 2 * .pi : turned
  }
}
