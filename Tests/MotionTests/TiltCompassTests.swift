import Glibc
import Motion
import Testing

@Suite struct TiltCompassTests {
  /// 20 µT north, 44 down, of an earth frame east, north, up.
  private let field = Vector3(0, 20, -44)
  private let up = Vector3(0, 0, 9.81)

  /// Attitudes all over the sphere: yaw, pitch and roll in steps of 15°.
  private var attitudes: [Quaternion] {
    let steps = (-11...12).map { Double($0) * .pi / 12 }
    let tilts = (-6...6).map { Double($0) * .pi / 12 }
    return steps.flatMap { yaw in
      tilts.flatMap { pitch in
        steps.map { EulerAngles(roll: $0, pitch: pitch, yaw: yaw).quaternion }
      }
    }
  }

  @Test func `flat, pitched and turned`() throws {
    func heading(_ q: Quaternion) -> Double? {
      TiltCompass.heading(
        acceleration: q.conjugate.rotate(up), field: q.conjugate.rotate(field))
    }
    let pitched = EulerAngles(roll: .pi / 6, pitch: 0, yaw: 0).quaternion
    let turned = EulerAngles(roll: 0, pitch: 0, yaw: -.pi / 2).quaternion
    let flat = try #require(heading(.identity))
    #expect(abs(flat.remainder(dividingBy: 360)) < 1e-9)
    let tilted = try #require(heading(pitched))
    #expect(abs(tilted.remainder(dividingBy: 360)) < 1e-9)
    #expect(abs(try #require(heading(turned)) - 90) < 1e-9)
  }

  @Test func `over the whole sphere both ways give the direction of the Y axis`() {
    var (count, steep) = (0, 0)
    for q in attitudes {
      let axis = q.rotate(Vector3(0, 1, 0))
      let back = q.conjugate
      let measured = TiltCompass.heading(
        acceleration: back.rotate(up), field: back.rotate(field))
      let known = TiltCompass.heading(of: q)
      guard abs(axis.z) < cos(5 * Double.pi / 180) else {
        #expect(measured == nil && known == nil)
        steep += 1
        continue
      }
      let expected = atan2(axis.x, axis.y) * 180 / .pi
      for heading in [measured, known] {
        #expect(heading.map { abs(($0 - expected).remainder(dividingBy: 360)) < 1e-9 } == true)
        #expect(heading.map { (0..<360).contains($0) } == true)
      }
      count += 1
    }
    #expect(count > 6000 && steep > 10)
  }

  @Test func `without a direction there is no heading`() {
    let bad = [Vector3.zero, Vector3(.nan, 1, 1), Vector3(.infinity, 0, 0)]
    for vector in bad {
      #expect(TiltCompass.heading(acceleration: vector, field: field) == nil)
      #expect(TiltCompass.heading(acceleration: up, field: vector) == nil)
    }
    #expect(TiltCompass.heading(acceleration: up, field: Vector3(0, 0, -44)) == nil)
    #expect(TiltCompass.heading(of: Quaternion(w: .nan, x: 0, y: 0, z: 0)) == nil)
  }

  @Test func `headings are from 0 up to a turn`() {
    #expect(TiltCompass.wrapped(360) == 0 && TiltCompass.wrapped(-90) == 270)
    #expect(TiltCompass.wrapped(-1e-30) == 0 && TiltCompass.wrapped(725) == 5)
    #expect(TiltCompass.wrapped(-0.0).sign == .plus)
  }
}
