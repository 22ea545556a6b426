/// Nine numbers in three rows.
public struct Matrix3: Equatable, Sendable {
  /// The rows from top to bottom.
  public var rows: (Vector3, Vector3, Vector3)

  /// A matrix of three rows.
  @inlinable @inline(__always)
  public init(_ first: Vector3, _ second: Vector3, _ third: Vector3) {
    rows = (first, second, third)
  }

  /// Leaves every vector as it is.
  @inlinable @inline(__always)
  public static var identity: Matrix3 {
    Matrix3(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
  }

  /// The rotation a unit quaternion stands for.
  @inlinable @inline(__always)
  public init(_ q: Quaternion) {
    self.init(
      Vector3(
        1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)),
      Vector3(
        2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)),
      Vector3(
        2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)))
  }

  /// Whether all numbers of both are equal.
  public static func == (left: Matrix3, right: Matrix3) -> Bool {
    left.rows.0 == right.rows.0 && left.rows.1 == right.rows.1 && left.rows.2 == right.rows.2
  }

  /// The product with a column.
  @inlinable @inline(__always)
  public static func * (matrix: Matrix3, column: Vector3) -> Vector3 {
    Vector3(matrix.rows.0.dot(column), matrix.rows.1.dot(column), matrix.rows.2.dot(column))
  }

  /// The product of two matrices.
  @inlinable @inline(__always)
  public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(
      right.combined(by: left.rows.0), right.combined(by: left.rows.1),
      right.combined(by: left.rows.2))
  }

  /// The rows added up, each times its number: the product of a row with this matrix.
  @inlinable @inline(__always)
  public func combined(by row: Vector3) -> Vector3 {
    rows.0 * row.x + rows.1 * row.y + rows.2 * row.z
  }

  /// The determinant: 1 for a rotation, −1 for a reflection.
  public var determinant: Double { rows.0.dot(rows.1.cross(rows.2)) }
}
