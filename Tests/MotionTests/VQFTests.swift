import Motion
import Testing

@Suite struct VQFTests {
  /// What the published implementation said after one sample.
  private struct Expected {
    let attitude: Quaternion
    let heading: Double
    let bias: Vector3
    let flags: UInt8

    init(_ file: inout VectorFile) {
      attitude = Quaternion(w: file.double(), x: file.double(), y: file.double(), z: file.double())
      heading = file.double()
      bias = Vector3(file.double(), file.double(), file.double())
      flags = file.byte()
    }
  }

  private static func distance(_ a: Quaternion, _ b: Quaternion) -> Double {
    max(abs(a.w - b.w), abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z))
  }

  private static func begin(_ file: inout VectorFile) -> VQF {
    VQF(
      gyroscopeInterval: file.double(), accelerometerInterval: file.double(),
      magnetometerInterval: file.double())
  }

  /// Takes one record's samples in.
  private static func feed(_ filter: inout VQF, _ file: inout VectorFile, accelerationSign: Double = 1) {
    let mask = file.byte()
    let (rate, acceleration, field) = (file.floats(), file.floats(), file.floats())
    if mask & 1 != 0 { filter.updateGyroscope(rate) }
    if mask & 2 != 0 { filter.updateAccelerometer(acceleration * accelerationSign) }
    if mask & 4 != 0 { filter.updateMagnetometer(field) }
  }

  @Test(arguments: ["rest", "slow", "fast", "disturbed", "gaps", "rates", "pauses"])
  func `after every sample it says what the published filter says`(name: String) {
    var file = VectorFile("\(name).bin")
    var filter = Self.begin(&file)
    var worst = 0.0
    var (count, wrongFlags) = (0, 0)
    var seen: UInt8 = 0
    while !file.isAtEnd {
      Self.feed(&filter, &file)
      let expected = Expected(&file)
      let half = Quaternion(w: 1, x: 0, y: 0, z: 0)
      _ = half
      worst = max(
        worst, Self.distance(filter.attitude9D, expected.attitude),
        abs(filter.heading - expected.heading), abs(filter.bias.x - expected.bias.x),
        abs(filter.bias.y - expected.bias.y), abs(filter.bias.z - expected.bias.z))
      let flags = (filter.isAtRest ? 1 : 0) | (filter.isMagneticallyDisturbed ? 2 : 0) as UInt8
      if flags != expected.flags { wrongFlags += 1 }
      seen |= flags
      count += 1
    }
    #expect(count > 300 - 1)
    #expect(worst < 1e-9)
    #expect(wrongFlags == 0)
  }
}
