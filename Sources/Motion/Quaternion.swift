/// A rotation as a unit quaternion, w first.
public struct Quaternion: Equatable, Sendable {
  /// The scalar part.
  public var w: Double
  /// The vector part.
  public var x, y, z: Double

  /// A quaternion of four numbers, which are not normalised.
  @inlinable
  public init(w: Double, x: Double, y: Double, z: Double) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// No rotation.
  public static let identity = Quaternion(w: 1, x: 0, y: 0, z: 0)

  /// The inverse of a unit quaternion.
  @inlinable
  public var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

  /// The rotation of `right`, then that of `left`.
  @inlinable
  public static func * (left: Quaternion, right: Quaternion) -> Quaternion {
    Quaternion(
      w: left.w * right.w - left.x * right.x - left.y * right.y - left.z * right.z,
      x: left.w * right.x + left.x * right.w + left.y * right.z - left.z * right.y,
      y: left.w * right.y - left.x * right.z + left.y * right.w + left.z * right.x,
      z: left.w * right.z + left.x * right.y - left.y * right.x + left.z * right.w)
  }

  /// The same rotation by the other quaternion that stands for it.
  @inlinable
  public static prefix func - (q: Quaternion) -> Quaternion {
    Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z)
  }

  /// The scalar product, negative for quaternions on opposite sides of the sphere.
  @inlinable
  public func dot(_ other: Quaternion) -> Double {
    w * other.w + x * other.x + y * other.y + z * other.z
  }

  /// The unit quaternion in this direction; nil for zero and for what is not finite.
  public var unit: Quaternion? {
    let length = dot(self).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    return Quaternion(w: w / length, x: x / length, y: y / length, z: z / length)
  }

  /// A vector after the rotation of a unit quaternion.
  @inlinable
  public func rotate(_ vector: Vector3) -> Vector3 {
    let axis = Vector3(x, y, z)
    let twice = axis.cross(vector) * 2
    return vector + twice * w + axis.cross(twice)
  }

  /// This quaternion or its negative, whichever is nearer to the one before it.
  public func continuing(_ previous: Quaternion) -> Quaternion {
    dot(previous) < 0 ? -self : self
  }
}
