import Glibc
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

  private static func begin(
    _ file: inout VectorFile, startingFrom attitude: Quaternion = .identity
  ) -> VQF {
    VQF(
      gyroscopeInterval: file.double(), accelerometerInterval: file.double(),
      magnetometerInterval: file.double(), startingFrom: attitude)
  }

  /// Takes one record's samples in.
  private static func feed(
    _ filter: inout VQF, _ file: inout VectorFile, inverted: Bool = false
  ) {
    let mask = file.byte()
    let (rate, acceleration, field) = (file.floats(), file.floats(), file.floats())
    if mask & 1 != 0 { filter.updateGyroscope(rate) }
    if mask & 2 != 0 { filter.updateAccelerometer(inverted ? -acceleration : acceleration) }
    if mask & 4 != 0 { filter.updateMagnetometer(field) }
  }

  @Test(arguments: ["rest", "slow", "fast", "disturbed", "gaps", "rates", "pauses", "odd"])
  func `after every sample it says what the published filter says`(name: String) {
    var file = VectorFile("\(name).bin")
    var filter = Self.begin(&file)
    var worst = 0.0
    var (count, wrongFlags) = (0, 0)
    var seen: UInt8 = 0
    while !file.isAtEnd {
      Self.feed(&filter, &file)
      let expected = Expected(&file)
      worst = max(
        worst, Self.distance(filter.attitude9D, expected.attitude),
        abs(filter.heading - expected.heading), abs(filter.bias.x - expected.bias.x),
        abs(filter.bias.y - expected.bias.y), abs(filter.bias.z - expected.bias.z))
      let flags = (filter.isAtRest ? 1 : 0) | (filter.isMagneticallyDisturbed ? 2 : 0) as UInt8
      if flags != expected.flags { wrongFlags += 1 }
      seen |= flags
      count += 1
    }
    #expect(count >= 300)
    #expect(worst < 1e-9)
    #expect(wrongFlags == 0)
  }

  @Test(arguments: ["rest", "slow", "fast", "disturbed", "gaps", "rates", "pauses", "odd"])
  func `of the negated acceleration the attitude is turned half about north`(name: String) {
    var (file, copy) = (VectorFile("\(name).bin"), VectorFile("\(name).bin"))
    let aboutNorth = Quaternion(w: 0, x: 0, y: 1, z: 0)
    var filter = Self.begin(&file)
    var inverted = Self.begin(&copy, startingFrom: aboutNorth)
    var worst = 0.0
    while !file.isAtEnd {
      Self.feed(&filter, &file)
      Self.feed(&inverted, &copy, inverted: true)
      _ = (Expected(&file), Expected(&copy))
      let half9D = aboutNorth * filter.attitude9D
      let half6D = aboutNorth * filter.attitude6D
      worst = max(
        worst, Self.distance(half9D.continuing(inverted.attitude9D), inverted.attitude9D),
        Self.distance(half6D.continuing(inverted.attitude6D), inverted.attitude6D),
        (filter.bias - inverted.bias).norm)
      #expect(filter.isMagneticallyDisturbed == inverted.isMagneticallyDisturbed)
      #expect(filter.isAtRest == inverted.isAtRest)
    }
    #expect(worst < 1e-9)
  }

  @Test(arguments: [0.005, 0.01, 0.0137, 0.02])
  func `built for another rate it is told the true one and says what it would have`(
    interval: Double
  ) {
    var file = VectorFile("odd.bin")
    let (gyroscope, accelerometer, magnetometer) = (file.double(), file.double(), file.double())
    var filter = VQF(
      gyroscopeInterval: interval, accelerometerInterval: interval, magnetometerInterval: interval)
    var worst = 0.0
    var count = 0
    while !file.isAtEnd {
      Self.feed(&filter, &file)
      let expected = Expected(&file).attitude
      if count == 0 {
        filter.adapt(
          gyroscopeInterval: gyroscope, accelerometerInterval: accelerometer,
          magnetometerInterval: magnetometer)
      } else if count > 84 {
        // For a second it shows that the first sample turned it for too long or too short.
        let turn = filter.attitude9D.conjugate * expected
        let sine = Vector3(turn.x, turn.y, turn.z).norm
        worst = max(worst, 2 * asin(min(sine, 1)) * 180 / .pi)
      }
      count += 1
    }
    #expect(count == 504)
    #expect(worst < 0.02)
  }

  @Test func `what is no measurement changes nothing`() {
    var file = VectorFile("slow.bin")
    var filter = Self.begin(&file)
    for _ in 0..<100 {
      Self.feed(&filter, &file)
      _ = Expected(&file)
    }
    let (attitude, bias) = (filter.attitude9D, filter.bias)
    for bad in [Vector3(.nan, 0, 0), Vector3(0, .infinity, 0), Vector3(1e200, 1e200, 0)] {
      filter.updateGyroscope(bad)
      filter.updateAccelerometer(bad)
      filter.updateMagnetometer(bad)
    }
    filter.updateAccelerometer(.zero)
    filter.updateMagnetometer(.zero)
    filter.updateGyroscope(Vector3(1, 0, 0), over: .nan)
    #expect(filter.attitude9D == attitude && filter.bias == bias)
  }

  @Test func `samples at another rate go on where the others ended`() {
    var filter = VQF(
      gyroscopeInterval: 0.01, accelerometerInterval: 0.01, magnetometerInterval: 0.01)
    func feed(_ count: Int) {
      for _ in 0..<count {
        filter.updateGyroscope(Vector3(0.01, 0, 0))
        filter.updateAccelerometer(Vector3(0, 4.9, 8.5))
        filter.updateMagnetometer(Vector3(0, -4, -47))
      }
    }
    feed(2000)
    let (attitude, bias) = (filter.attitude9D, filter.bias)
    filter.adapt(
      gyroscopeInterval: 0.04, accelerometerInterval: 0.03, magnetometerInterval: 0.1)
    feed(1)
    #expect(Self.distance(filter.attitude9D, attitude) < 1e-3)
    #expect((filter.bias - bias).norm < 1e-4)
    feed(500)
    #expect(Self.distance(filter.attitude9D, attitude) < 1e-2)
    #expect((filter.bias - Vector3(0.01, 0, 0)).norm < 1e-4)
    #expect(filter.biasUncertainty < 0.05 * .pi / 180 && filter.isAtRest)
  }
}
