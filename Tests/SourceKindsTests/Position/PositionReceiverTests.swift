import Gathering
import Testing
import Values

@testable import SourceKinds

/// How a receiver's messages become readings.
@Suite struct PositionReceiverTests {
  private static let step: Int64 = 30_000_000
  private var receiver = PositionReceiver(device: "/dev/a")

  private func report(_ epoch: PositionReport.Epoch, mode: Int?) -> PositionReport {
    var report = PositionReport(epoch, mode: mode)
    if (mode ?? 0) >= 2 {
      report.values[.latitude] = ReceiverValue(
        .ok(.double(48)), raw: RawValue("48".utf8, place: "TPV.lat"))
    }
    return report
  }

  private func latitude(at now: Int64) -> Outcome {
    var reading = Reading(properties: GPS.table.count)
    receiver.fill(&reading, provider: "gpsd", at: now)
    return reading[GPS.Field.latitude]
  }

  @Test mutating func `reports without a time are epochs of their own, however fast they come`() {
    var count = 0
    for index in 0..<10 as Range<Int64>
    where receiver.take(
      report(.named(nil), mode: 1), at: index * Self.step)
    {
      count += 1
    }
    #expect(count == 9)
    #expect(receiver.hasReported && !receiver.hasFix)
  }

  @Test mutating func `an epoch that never ends is cut`() {
    var moments: [Int64] = []
    for index in 0..<100 as Range<Int64> {
      let now = index * Self.step
      if receiver.take(report(.named(7), mode: 3), at: now) { moments.append(now) }
    }
    #expect(moments.count == 2)
    // A receiver whose clock stands still is heard all the same.
    #expect(latitude(at: 100 * Self.step).status == .ok)
  }

  @Test mutating func `a line that comes late goes on with its epoch`() {
    let quiet = PositionReceiver.quietness
    var isComplete = receiver.take(report(.named(7), mode: 3), at: 0)
    #expect(!isComplete)
    #expect(receiver.due == quiet)
    isComplete = receiver.settle(by: quiet)
    #expect(isComplete && receiver.hasFix)
    // On a slow port the course alone follows, which has no height.
    isComplete = receiver.take(PositionReport(.named(7), mode: 2), at: 2 * quiet)
    #expect(!isComplete)
    isComplete = receiver.settle(by: 3 * quiet)
    #expect(isComplete)
    #expect(latitude(at: 3 * quiet).value == .double(48))
    #expect(latitude(at: 3 * quiet).stamp == 0)
    #expect(receiver.mode == 3)
  }

  @Test mutating func `satellites alone are no position`() {
    var sky = PositionReport(.current)
    sky.values[.hdop] = ReceiverValue(.ok(.double(1)), raw: RawValue("1".utf8, place: "SKY.hdop"))
    var isComplete = receiver.take(sky, at: 0)
    #expect(!isComplete)
    isComplete = receiver.settle(by: PositionReceiver.quietness)
    #expect(isComplete)
    #expect(!receiver.hasReported)
    #expect(latitude(at: 1) == .notRead)
    #expect(receiver.raw(.hdop) == RawValue("1".utf8, place: "SKY.hdop"))
  }
}
