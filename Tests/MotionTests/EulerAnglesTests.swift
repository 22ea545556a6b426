import Motion
import Testing

@Suite struct EulerAnglesTests {
  private func isSame(_ a: Quaternion, _ b: Quaternion) -> Bool { abs(abs(a.dot(b)) - 1) < 1e-12 }

  @Test func `angles to a quaternion and back are the same angles`() {
    for roll in stride(from: -3.1, through: 3.1, by: 0.31) {
      for pitch in stride(from: -1.5, through: 1.5, by: 0.25) {
        for yaw in stride(from: -3.1, through: 3.1, by: 0.31) {
          let angles = EulerAngles(EulerAngles(roll: roll, pitch: pitch, yaw: yaw).quaternion)
          #expect(abs(angles.roll - roll) < 1e-12)
          #expect(abs(angles.pitch - pitch) < 1e-12)
          #expect(abs(angles.yaw - yaw) < 1e-12)
        }
      }
    }
  }

  @Test func `turns are about Z, then the new Y, then the newest X`() {
    let q = EulerAngles(roll: .pi / 2, pitch: 0, yaw: .pi / 2).quaternion
    // Y goes up with the roll, X to the north with the yaw.
    let (x, y) = (q.rotate(Vector3(1, 0, 0)), q.rotate(Vector3(0, 1, 0)))
    #expect((x - Vector3(0, 1, 0)).norm < 1e-15)
    #expect((y - Vector3(0, 0, 1)).norm < 1e-15)
    let nose = EulerAngles(roll: 0, pitch: .pi / 4, yaw: 0).quaternion.rotate(Vector3(1, 0, 0))
    #expect(nose.z < 0)
  }

  @Test func `with X vertical the attitude is kept and roll is 0`() {
    for yaw in stride(from: -3.0, through: 3, by: 0.5) {
      for pitch in [Double.pi / 2, -Double.pi / 2] {
        for roll in [0, 0.7, -2.5] {
          let q = EulerAngles(roll: roll, pitch: pitch, yaw: yaw).quaternion
          let angles = EulerAngles(q)
          #expect(angles.roll == 0 && abs(abs(angles.pitch) - .pi / 2) < 1e-15)
          #expect(angles.yaw > -.pi && angles.yaw <= .pi)
          #expect(isSame(angles.quaternion, q))
        }
      }
    }
  }

  @Test func `half turns are positive`() {
    #expect(EulerAngles(Quaternion(w: 0, x: 1, y: 0, z: 0)).roll == .pi)
    #expect(EulerAngles(Quaternion(w: -0.0, x: -1, y: 0, z: 0)).roll == .pi)
    #expect(EulerAngles(Quaternion(w: -0.0, x: 0, y: 0, z: 1)).yaw == .pi)
  }
}
