import Glibc
import Testing
import Values

@testable import Gathering

/// The motion of built-in devices: one attitude, with which every sensor agrees (catalogue 4.3,
/// 4.7, 4.11, 6).
struct SimulatedMotionTests {
  typealias Axes = SIMD3<Double>

  static let motions = [0, 35, 65].map { SimulatedMotion(incline: $0 * .pi / 180) }
  /// Seconds: the first minute, and some time in a year of uptime.
  static let moments =
    (0..<600).map { Double($0) * 0.1037 } + (1...20).map { 3e7 + Double($0) * 7.77 }

  /// Calls a check for every motion and moment, with a look at quantities at seconds since boot.
  private func everywhere(
    _ check: (_ at: Double, _ look: (MotionQuantity, Double) -> Value) -> Void
  ) {
    for motion in Self.motions {
      for moment in Self.moments {
        check(moment) { quantity, seconds in
          let boot = Int64((seconds * 1e9).rounded())
          return quantity.value(of: motion, at: SimulatedTime(opening: 0, position: boot))
        }
      }
    }
  }

  @Test func `the attitude is a unit quaternion that never jumps`() {
    everywhere { time, look in
      let attitude = Turn(look(.attitude, time))
      #expect(abs(attitude.length - 1) < 1e-12)
      #expect(attitude.dot(Turn(look(.attitude, time + 0.01))) > 0.9999)
    }
  }

  @Test func `the gyroscope finds the change of the attitude, within 1e-6`() {
    everywhere { time, look in
      // After a year the differences of a millisecond are too coarse to tell.
      guard time < 1e6 else { return }
      func rate(_ step: Double) -> Axes {
        let turned = Turn(look(.attitude, time - step)).conjugate
          .times(Turn(look(.attitude, time + step)))
        return turned.vector * (asin(turned.vector.length) / turned.vector.length / step)
      }
      // Richardson: the error of the square of the step falls out.
      let found = Axes(look(.rotationRate, time))
      #expect(((rate(1e-3) * 4 - rate(2e-3)) / 3 - found).length < 1e-6, "\(time)")
    }
  }

  @Test func `gravity and the magnetic field stand still in the world`() {
    everywhere { time, look in
      let attitude = Turn(look(.attitude, time))
      let gravity = attitude.turning(Axes(look(.gravity, time)))
      #expect((gravity - Axes(0, 0, 9.80665)).length < 1e-9)
      let field = attitude.turning(Axes(look(.magneticField, time)))
      #expect((field - Axes(0, 20, -44)).length < 1e-9)
    }
  }

  @Test func `4_11: user acceleration is acceleration minus gravity, exactly`() {
    everywhere { time, look in
      let acceleration = Axes(look(.acceleration, time))
      let gravity = Axes(look(.gravity, time))
      #expect(Axes(look(.userAcceleration, time)) == acceleration - gravity)
      #expect(look(.linearAcceleration, time) == look(.userAcceleration, time))
    }
  }

  @Test func `4_11: roll, pitch and yaw are those of the attitude`() {
    everywhere { time, look in
      let (w, x, y, z) = Turn(look(.attitude, time)).parts
      let roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
      let pitch = asin(2 * (w * y - z * x))
      let yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
      #expect(abs((look(.roll, time).number ?? .nan) - roll) < 1e-9)
      #expect(abs((look(.pitch, time).number ?? .nan) - pitch) < 1e-9)
      #expect(abs((look(.yaw, time).number ?? .nan) - yaw) < 1e-9)
    }
  }

  @Test func `6: the heading is 90° minus the angle of the projected Y axis from east`() {
    everywhere { time, look in
      let up = Turn(look(.attitude, time)).turning(Axes(0, 1, 0))
      let heading = look(.magneticHeading, time).number ?? .nan
      #expect(heading >= 0 && heading < 360)
      let expected = 90 - atan2(up.y, up.x) * 180 / .pi
      #expect(abs(remainder(heading - expected, 360)) < 1e-9)
    }
  }

  @Test func `4_7: the tilt-compensated heading of acceleration and field is the same at rest`() {
    everywhere { time, look in
      let up = Axes(look(.gravity, time)).unit
      let east = Axes(look(.magneticField, time)).cross(up).unit
      let north = up.cross(east)
      let heading = atan2(east.y, north.y) * 180 / .pi
      #expect(abs(remainder((look(.magneticHeading, time).number ?? .nan) - heading, 360)) < 1e-9)
    }
  }

  @Test func `the heading goes through north`() {
    let headings = (0..<3000).map { SimulatedMotion(incline: 0).heading(at: Double($0) * 0.01) }
    #expect(headings.contains { $0 > 350 } && headings.contains { $0 < 10 })
  }

  @Test func `linear acceleration is the second derivative of the path`() {
    let motion = SimulatedMotion(incline: 0)
    for time in Self.moments where time < 1e6 {
      let step = 1e-3
      let places = [-1.0, 0, 1].map { motion.path(at: time + $0 * step).place }
      let change = (places[0] - 2 * places[1] + places[2]) / (step * step)
      #expect((change - motion.path(at: time).acceleration).length < 1e-4, "\(time)")
    }
  }

  @Test func `4_3: the pressure is that of the height`() {
    everywhere { time, look in
      let pressure = look(.pressure, time).number ?? .nan
      let height = 44330.769 * (1 - pow(pressure / 101_325, 0.1902632))
      #expect(abs(height - SimulatedMotion(incline: 0).path(at: time).place.z) < 1e-6)
      #expect((30_000...120_000).contains(pressure))
    }
  }
}

/// A rotation, reckoned apart from the library's own.
private struct Turn {
  let w: Double
  let vector: SIMD3<Double>

  init(_ value: Value) {
    let parts = value.vector?.components ?? [.nan, .nan, .nan, .nan]
    (w, vector) = (parts[0], SIMD3(parts[1], parts[2], parts[3]))
  }

  init(w: Double, _ vector: SIMD3<Double>) {
    self.w = w
    self.vector = vector
  }

  var parts: (w: Double, x: Double, y: Double, z: Double) { (w, vector.x, vector.y, vector.z) }
  var length: Double { dot(self).squareRoot() }
  var conjugate: Turn { Turn(w: w, -vector) }

  func dot(_ other: Turn) -> Double { w * other.w + (vector * other.vector).sum() }

  func times(_ right: Turn) -> Turn {
    Turn(
      w: w * right.w - (vector * right.vector).sum(),
      w * right.vector + right.w * vector + vector.cross(right.vector))
  }

  /// Rodrigues' formula.
  func turning(_ axes: SIMD3<Double>) -> SIMD3<Double> {
    let half = vector.cross(axes) * 2
    return axes + w * half + vector.cross(half)
  }
}

extension SIMD3<Double> {
  fileprivate init(_ value: Value) {
    let parts = value.vector?.components ?? [.nan, .nan, .nan]
    self.init(parts[0], parts[1], parts[2])
  }

  fileprivate var length: Double { (self * self).sum().squareRoot() }
  fileprivate var unit: Self { self / length }

  fileprivate func cross(_ right: Self) -> Self {
    Self(y * right.z - z * right.y, z * right.x - x * right.z, x * right.y - y * right.x)
  }
}
