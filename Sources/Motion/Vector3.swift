/// Three numbers along x, y and z.
public typealias Vector3 = SIMD3<Double>

extension SIMD3<Double> {
  /// The scalar product.
  @inlinable @inline(__always)
  public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

  /// The vector product, perpendicular to both.
  @inlinable @inline(__always)
  public func cross(_ other: Vector3) -> Vector3 {
    Vector3(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The length.
  @inlinable @inline(__always)
  public var norm: Double { dot(self).squareRoot() }

  /// Whether all three are finite.
  @inlinable @inline(__always)
  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The vector of length 1 in this direction; nil for the zero vector and for what is not finite.
  @inlinable @inline(__always)
  public var unit: Vector3? {
    let length = norm
    return length > 0 && length.isFinite ? self * (1 / length) : nil
  }
}
