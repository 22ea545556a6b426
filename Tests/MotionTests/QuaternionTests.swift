import Motion
import Testing

@Suite struct QuaternionTests {
  @Test func `a rotation and its conjugate cancel`() {
    let half = 0.5.squareRoot()
    let turn = Quaternion(w: half, x: 0, y: 0, z: half)
    let nothing = turn * turn.conjugate
    #expect(abs(nothing.w - 1) < 1e-15 && nothing.x == 0 && nothing.y == 0 && nothing.z == 0)
  }
}
