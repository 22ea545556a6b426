import Glibc
import Motion

/// A body that is swung about, and what the sensors of a chip on it find.
enum MotionTrial {
  struct Sample {
    let time: Double
    let attitude: Quaternion
    let acceleration: Vector3
    let rotation: Vector3
    let field: Vector3
  }

  /// Samples of a trial, each number another motion; with jitter each comes up to that part of the
  /// interval early or late.
  static func samples(
    every interval: Double, for seconds: Double, jitter: Double = 0, trial: Int = 0
  ) -> [Sample] {
    // Jitter changes nothing about the noise of the sensors.
    var (random, lateness) = (Noise(trial), Noise(trial + 1000))
    return (1...Int(seconds / interval)).map { step in
      let shift = jitter == 0 ? 0 : jitter * lateness.uniform()
      return sample(at: (Double(step) + shift) * interval, of: Double(trial), &random)
    }
  }

  /// The angle between two attitudes, in degrees.
  static func angle(_ a: Quaternion, _ b: Quaternion) -> Double {
    let turn = a.conjugate * b
    let sine = (turn.x * turn.x + turn.y * turn.y + turn.z * turn.z).squareRoot()
    return 2 * atan2(sine, abs(turn.w)) * 180 / .pi
  }

  /// A sum of sines, and how fast it changes: amplitude, hertz, phase.
  private static func sway(
    _ terms: [(Double, Double, Double)], at time: Double
  ) -> (value: Double, rate: Double) {
    terms.reduce((0, 0)) { sum, term in
      let (a, w, p) = (term.0, 2 * .pi * term.1, term.2)
      return (sum.0 + a * sin(w * time + p), sum.1 + a * w * cos(w * time + p))
    }
  }

  private static func sample(
    at time: Double, of trial: Double, _ random: inout Noise
  ) -> Sample {
    let roll = sway([(0.6, 0.283, trial), (0.25, 0.919, 1 + trial)], at: time)
    let pitch = sway([(0.5, 0.257, 2 + 3 * trial), (0.2, 0.823, 0.5 + trial)], at: time)
    let yaw = sway([(1.8, 0.067, 2 * trial), (0.7, 0.241, 1.5)], at: time)
    let attitude = EulerAngles(roll: roll.value, pitch: pitch.value, yaw: yaw.value).quaternion
    let across = yaw.rate * cos(pitch.value)
    let rotation = Vector3(
      roll.rate - yaw.rate * sin(pitch.value),
      pitch.rate * cos(roll.value) + across * sin(roll.value),
      across * cos(roll.value) - pitch.rate * sin(roll.value))
    // A hand shakes.
    let shaken = Vector3(sin(6.9 * time), sin(4.4 * time + 1), 9.81 / 0.4 + sin(10.7 * time + 2))
    return Sample(
      time: time, attitude: attitude,
      acceleration: attitude.conjugate.rotate(shaken * 0.4) + random.vector(0.03),
      rotation: rotation + Vector3(0.009, -0.006, 0.004) + random.vector(0.002),
      field: attitude.conjugate.rotate(Vector3(0, 20, -44)) + random.vector(0.4))
  }

  /// Numbers that are the same in every run.
  private struct Noise {
    private var state: UInt64

    init(_ trial: Int) { state = UInt64(trial + 1) &* 0x9E37_79B9_7F4A_7C15 }

    /// From −1 to 1.
    mutating func uniform() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 52) - 1
    }

    /// Three numbers about 0, nearly of a normal distribution of this deviation.
    mutating func vector(_ sigma: Double) -> Vector3 {
      var sum = Vector3.zero
      for _ in 0..<3 { sum += Vector3(uniform(), uniform(), uniform()) }
      return sum * sigma
    }
  }
}
