import Glibc

/// A sum of sines around a number, smooth for ever.
struct SineSum: Sendable {
  private let centre: Double
  private let sines: [(amplitude: Double, hertz: Double, phase: Double)]

  /// Sines of an amplitude, a frequency and a phase in radians.
  init(around centre: Double = 0, _ sines: [(amplitude: Double, hertz: Double, phase: Double)]) {
    self.centre = centre
    self.sines = sines
  }

  /// The sum at a time in seconds, and its first and second derivative.
  func moment(at time: Double) -> (value: Double, rate: Double, acceleration: Double) {
    var moment = (value: centre, rate: 0.0, acceleration: 0.0)
    for sine in sines {
      let speed = 2 * .pi * sine.hertz
      let angle = speed * time + sine.phase
      moment.value += sine.amplitude * sin(angle)
      moment.rate += sine.amplitude * speed * cos(angle)
      moment.acceleration -= sine.amplitude * speed * speed * sin(angle)
    }
    return moment
  }
}
