import Glibc

/// A fixed function of time, to be added to a payload (sources 15, wave).
struct Waveform: Equatable, Sendable {
  /// The course of the function, from −1 to 1.
  enum Shape: String, CaseIterable, Sendable {
    /// sin 2πHt.
    case sine
    /// From −1 to 1 each 1/H, then from the start.
    case ramp
    /// A number that looks random, another one each 1/H.
    case noise
  }

  let shape: Shape
  let amplitude: Double
  /// At least 0.
  let hertz: Double
  /// What noise begins with: a number of the property's id.
  let seed: UInt64

  /// A signal of a property, by its id.
  init(_ shape: Shape, amplitude: Double, hertz: Double, id: some StringProtocol) {
    self.shape = shape
    self.amplitude = amplitude
    self.hertz = hertz
    seed = Self.seed(of: id)
  }

  /// A·f(t), t being nanoseconds since the wave began.
  func callAsFunction(at time: Int64) -> Double {
    let cycles = hertz * (Double(time) / 1e9)
    let phase = cycles - cycles.rounded(.down)
    switch shape {
    case .sine: return amplitude * sin(2 * .pi * phase)
    case .ramp: return amplitude * (2 * phase - 1)
    case .noise:
      // Without a frequency every moment has its own number.
      let step = hertz > 0 ? cycles.rounded(.down) : Double(time)
      return amplitude * Self.uniform(seed ^ Self.mixed(step.bitPattern))
    }
  }

  /// The same text gives the same number in every process (FNV-1a).
  private static func seed(of text: some StringProtocol) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// From −1 to 1, both within reach.
  private static func uniform(_ bits: UInt64) -> Double {
    Double(mixed(bits) >> 11) / Double((UInt64(1) << 53) - 1) * 2 - 1
  }

  /// One step of SplitMix64.
  private static func mixed(_ bits: UInt64) -> UInt64 {
    var mixed = bits &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
