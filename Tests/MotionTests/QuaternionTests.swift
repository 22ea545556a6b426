import Motion
import Testing

@Suite struct QuaternionTests {
  private let half = 0.5.squareRoot()

  @Test func `a rotation and its conjugate cancel`() {
    let turn = Quaternion(w: half, x: 0, y: 0, z: half)
    let nothing = turn * turn.conjugate
    #expect(abs(nothing.w - 1) < 1e-15 && nothing.x == 0 && nothing.y == 0 && nothing.z == 0)
  }

  @Test func `a product rotates by the right one first`() {
    let aboutZ = Quaternion(w: half, x: 0, y: 0, z: half)
    let aboutX = Quaternion(w: half, x: half, y: 0, z: 0)
    let vector = Vector3(1, 2, 3)
    #expect((aboutZ.rotate(Vector3(1, 0, 0)) - Vector3(0, 1, 0)).norm < 1e-15)
    let both = (aboutX * aboutZ).rotate(vector)
    #expect((both - aboutX.rotate(aboutZ.rotate(vector))).norm < 1e-14)
    #expect((both - (Matrix3(aboutX) * Matrix3(aboutZ)) * vector).norm < 1e-14)
    #expect(abs(Matrix3(aboutX * aboutZ).determinant - 1) < 1e-14)
  }

  @Test func `of a quaternion and its negative the one nearer to the last continues`() {
    let q = Quaternion(w: half, x: 0, y: half, z: 0)
    #expect((-q).continuing(q) == q)
    #expect(q.continuing(q) == q)
    #expect(q.continuing(-q) == -q)
  }

  @Test func `only finite numbers that are not all zero have a unit`() {
    #expect(Quaternion(w: 0, x: 0, y: 0, z: 0).unit == nil)
    #expect(Quaternion(w: .nan, x: 0, y: 0, z: 0).unit == nil)
    #expect(Quaternion(w: 1e200, x: 0, y: 0, z: 0).unit == nil)
    #expect(Quaternion(w: 3, x: 0, y: 4, z: 0).unit?.dot(.identity) == 0.6000000000000001)
    #expect(Vector3.zero.unit == nil && Vector3(0, .infinity, 0).unit == nil)
  }
}
