import Glibc

/// The numbers of a second-order Butterworth low-pass of a time constant, for one sampling interval.
struct LowPassCoefficients {
  var b0 = 1.0
  var a1 = 0.0
  var a2 = 0.0
  /// For how long samples are averaged before the filter runs, in seconds.
  var timeConstant: Double
  /// The time between two samples in seconds.
  var interval: Double

  /// A filter whose step response has a time constant, both in seconds.
  init(timeConstant: Double, interval: Double) {
    let c = tan(interval / (2.squareRoot() * timeConstant))
    let d = c * c + 2.squareRoot() * c + 1
    b0 = c * c / d
    a1 = 2 * (c * c - 1) / d
    a2 = (1 - 2.squareRoot() * c + c * c) / d
    self.timeConstant = timeConstant
    self.interval = interval
  }
}

/// A low-pass for three numbers: the mean of all samples until one time constant has passed, the
/// filter from there on.
struct LowPass3 {
  private var s0 = Vector3.zero
  private var s1 = Vector3.zero
  private var count = 0.0
  private var isRunning = false
  /// What came out last.
  private(set) var last = Vector3.zero

  /// Takes a sample in; what comes out is `last`.
  @inline(__always)
  mutating func update(_ x: Vector3, _ k: LowPassCoefficients) {
    if isRunning {
      let bx = x * k.b0
      last = bx + s0
      s0 = bx * 2 - last * k.a1 + s1
      s1 = bx - last * k.a2
    } else {
      warmUp(x, k)
    }
  }

  @inline(never)
  private mutating func warmUp(_ x: Vector3, _ k: LowPassCoefficients) {
    count += 1
    s0 += x
    last = s0 / count
    guard count * k.interval >= k.timeConstant else { return }
    // What the filter would hold had the mean been its input for ever.
    s0 = last * (1 - k.b0)
    s1 = last * (k.b0 - k.a2)
    isRunning = true
  }

  /// Goes on with other coefficients without a step in what comes out.
  mutating func adapt(from old: LowPassCoefficients, to new: LowPassCoefficients) {
    guard isRunning else { return }
    s0 += last * (old.b0 - new.b0)
    s1 += last * (new.b0 - new.a2 - old.b0 + old.a2)
  }
}
