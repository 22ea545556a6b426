/// A rotation as a unit quaternion, w first.
public struct Quaternion: Equatable, Sendable {
  /// The scalar part.
  public var w: Double
  /// The vector part.
  public var x, y, z: Double

  /// A quaternion of four numbers, which are not normalised.
  @inlinable @inline(__always)
  public init(w: Double, x: Double, y: Double, z: Double) {
    self.w = w
    self.x = x
    self.y = y
    self.z = z
  }

  /// No rotation.
  @inlinable @inline(__always)
  public static var identity: Quaternion { Quaternion(w: 1, x: 0, y: 0, z: 0) }

  /// The inverse of a unit quaternion.
  @inlinable @inline(__always)
  public var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

  /// The rotation of `right`, then that of `left`.
  @inlinable @inline(__always)
  public static func * (left: Quaternion, right: Quaternion) -> Quaternion {
    Quaternion(
      w: left.w * right.w - left.x * right.x - left.y * right.y - left.z * right.z,
      x: left.w * right.x + left.x * right.w + left.y * right.z - left.z * right.y,
      y: left.w * right.y - left.x * right.z + left.y * right.w + left.z * right.x,
      z: left.w * right.z + left.x * right.y - left.y * right.x + left.z * right.w)
  }

  /// The same rotation by the other quaternion that stands for it.
  @inlinable @inline(__always)
  public static prefix func - (q: Quaternion) -> Quaternion {
    Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z)
  }

  /// The scalar product, negative for quaternions on opposite sides of the sphere.
  @inlinable @inline(__always)
  public func dot(_ other: Quaternion) -> Double {
    w * other.w + x * other.x + y * other.y + z * other.z
  }

  /// The unit quaternion in this direction; nil for zero and for what is not finite.
  @inlinable @inline(__always)
  public var unit: Quaternion? {
    let length = dot(self).squareRoot()
    guard length > 0, length.isFinite else { return nil }
    let scale = 1 / length
    return Quaternion(w: w * scale, x: x * scale, y: y * scale, z: z * scale)
  }

  /// This quaternion, which is of length 1 but for rounding, with the rounding taken away once it
  /// exceeds 1e-14: one step of Newton's method, which needs neither root nor division.
  @inlinable @inline(__always)
  public var straightened: Quaternion {
    let excess = dot(self) - 1
    // A branch that is rarely taken: what follows does not wait for the length.
    guard abs(excess) > 1e-14 else { return self }
    let scale = 1 - 0.5 * excess
    return Quaternion(w: w * scale, x: x * scale, y: y * scale, z: z * scale)
  }

  /// A vector after the rotation of a unit quaternion.
  @inlinable @inline(__always)
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
