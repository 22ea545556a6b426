import GatheredKitTesting
import Glibc
import Motion
import Testing

@testable import SourceKinds

@Suite struct MotionFusionTests {
  /// Swings about x, half a radian to either side in four seconds.
  private func angle(at seconds: Double) -> Double { 0.5 * sin(.pi / 2 * seconds) }
  private func rate(at seconds: Double) -> Double { 0.25 * .pi * cos(.pi / 2 * seconds) }

  @Test func `a gap of the gyroscope costs what its ends do not tell, not the whole turn`() throws {
    let chip = try MotionChips.machine(MotionChips.still.filter { $0.key != "magn" })
    let device = IIODevice(MotionChips.path, on: chip.machine)
    let unit = try #require(MotionUnit(attitudeOf: device, among: [device]))
    var fusion = MotionFusion(unit, interval: 0.01)
    var worst = 0.0
    for step in 0..<1200 {
      let seconds = Double(step) / 100
      var sample = MotionSample(at: 1_000_000_000 + Int64(step) * 10_000_000)
      let turn = angle(at: seconds)
      sample.acceleration = Vector3(0, 9.80665 * sin(turn), 9.80665 * cos(turn))
      // Half a second is missing, in which the device turns round.
      if !(901..<950).contains(step) {
        sample.rotation = Vector3(rate(at: seconds), 0, 0)
      }
      guard let found = fusion.take(sample), let attitude = found.attitude, step > 600 else {
        continue
      }
      worst = max(worst, abs(EulerAngles(attitude).roll - turn))
    }
    #expect(worst < 0.05)
  }
}
