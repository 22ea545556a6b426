import GatheredKitTesting
import Glibc
import Motion
import Testing

@testable import SourceKinds

/// The fusion beside the filter itself, built for the rate there really is. That the filter is the
/// published one is VQFTests' business; bindings/python/tests/test_attitude.py compares both.
@Suite struct FusionRateTests {
  private static let unit: MotionUnit? = {
    guard let chip = try? MotionChips.machine(MotionChips.still) else { return nil }
    let device = IIODevice(MotionChips.path, on: chip.machine)
    return MotionUnit(attitudeOf: device, among: [device])
  }()

  /// What a fusion that was told `hint` says, and the filter at `interval`: the mean angles to
  /// each other and to the truth, in degrees, from five seconds on.
  private func run(
    _ samples: [MotionTrial.Sample], interval: Double, hint: Double
  ) throws -> (apart: Double, fusion: Double, filter: Double) {
    var fusion = MotionFusion(try #require(Self.unit), interval: hint)
    var filter = VQF(
      gyroscopeInterval: interval, accelerometerInterval: interval, magnetometerInterval: interval)
    var sum = (apart: 0.0, fusion: 0.0, filter: 0.0)
    var count = 0.0
    for one in samples {
      var sample = MotionSample(at: Int64((one.time * 1e9).rounded()))
      sample.acceleration = one.acceleration
      sample.rotation = one.rotation
      sample.field = one.field
      let found = fusion.take(sample)?.attitude
      filter.updateGyroscope(one.rotation)
      filter.updateAccelerometer(one.acceleration)
      filter.updateMagnetometer(one.field)
      guard one.time >= 5 else { continue }
      let attitude = try #require(found)
      sum.apart += MotionTrial.angle(attitude, filter.attitude9D)
      sum.fusion += MotionTrial.angle(attitude, one.attitude)
      sum.filter += MotionTrial.angle(filter.attitude9D, one.attitude)
      count += 1
    }
    return (sum.apart / count, sum.fusion / count, sum.filter / count)
  }

  @Test(arguments: [20.0, 26, 50, 84, 100, 119, 238, 500])
  func `at any rate it says what the filter says that was built for it`(rate: Double) throws {
    let samples = MotionTrial.samples(every: 1 / rate, for: 60)
    for hint in [0, 0.01, 1.15 / rate, 0.9 / rate] {
      let found = try run(samples, interval: 1 / rate, hint: hint)
      #expect(found.apart < 0.02, "told \(hint)")
      #expect(abs(found.fusion - found.filter) < 0.02)
    }
  }

  @Test(arguments: [20.0, 84], [0.1, 0.4])
  func `jitter costs nothing beside the filter on even samples`(
    rate: Double, jitter: Double
  ) throws {
    var sum = 0.0
    // One trial says little: jitter errs to either side.
    for trial in 0..<8 {
      let shaken = MotionTrial.samples(every: 1 / rate, for: 60, jitter: jitter, trial: trial)
      let even = MotionTrial.samples(every: 1 / rate, for: 60, trial: trial)
      sum += try run(shaken, interval: 1 / rate, hint: 0).fusion
      sum -= try run(even, interval: 1 / rate, hint: 0).filter
    }
    #expect(abs(sum / 8) < 0.02)
  }

  @Test(arguments: [20.0, 50, 84, 119, 500])
  func `samples lost one by one cost nothing beside the filter that lost none`(
    rate: Double
  ) throws {
    let all = MotionTrial.samples(every: 1 / rate, for: 60)
    let kept = all.enumerated().filter { $0.offset % 30 != 7 }.map(\.element)
    let found = try run(kept, interval: 1 / rate, hint: 0)
    #expect(found.fusion < found.filter + 0.02)
    let whole = try run(all, interval: 1 / rate, hint: 0)
    #expect(found.fusion < whole.filter * 1.05 + 0.02)
  }

  @Test(arguments: [20.0, 50, 84, 119, 500])
  func `a third of a second lost now and then costs less than it costs the filter`(
    rate: Double
  ) throws {
    let kept = MotionTrial.samples(every: 1 / rate, for: 60)
      .filter { $0.time.truncatingRemainder(dividingBy: 9) > 0.3 }
    let found = try run(kept, interval: 1 / rate, hint: 0)
    #expect(found.fusion < found.filter / 2)
  }

  @Test func `a rate that changes is followed, and a gap forgets no rate`() throws {
    var pace = SamplePace(0.01)
    var time: Int64 = 0
    func go(_ count: Int, every seconds: Double) {
      for _ in 0..<count {
        time += Int64(seconds * 1e9)
        _ = pace.step(to: time)
      }
    }
    go(500, every: 0.008)
    #expect(abs(pace.mean - 0.008) < 1e-9)
    go(1, every: 0.9)
    go(100, every: 0.008)
    #expect(abs(pace.mean - 0.008) < 1e-9)
    go(64, every: 0.05)
    #expect(abs(pace.mean / 0.05 - 1) < 0.01)
    go(64, every: 0.002)
    #expect(abs(pace.mean / 0.002 - 1) < 0.01)
    #expect(pace.resumed.mean == pace.mean && pace.resumed.last == nil)
  }

  @Test func `samples that come in bursts have the rate they come at in all`() {
    var pace = SamplePace(0.01)
    var time: Int64 = 0
    for _ in 0..<200 {
      for place in 0..<8 {
        time += place == 0 ? 79_300_000 : 100_000
        _ = pace.step(to: time)
      }
    }
    #expect(abs(pace.mean / 0.01 - 1) < 0.05)
  }
}
