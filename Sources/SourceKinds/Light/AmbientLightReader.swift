import Gathering
import Ground
import Machine

/// Reads a light sensor of IIO, and holds back the 0 some hubs report right after a resume.
final class AmbientLightReader: StreamingReader {
  private let sensor: SensorReader
  private let clock: any TimeSource
  /// How often the machine has slept and woken; nil where that has no effect on the sensor.
  private let wakes: ParsedFile?
  private var zeros = ZeroAfterResume()

  init(_ plan: SensorPlan, on machine: Machine) {
    sensor = SensorReader(plan, on: machine)
    clock = machine.clock
    let isOurs = plan.device.isOnHub && machine.nature != .remote
    wakes =
      isOurs ? ParsedFile("/sys/power/suspend_stats/success", .count, in: machine.files) : nil
  }

  var mayBlock: Bool { sensor.mayBlock }
  var streamsBelow: Int64 { sensor.streamsBelow }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    sensor.read(request, into: &reading)
    guard let wakes else { return }
    let fields: [AmbientLight.Field] = [.illuminance, .intensity]
    let dark = fields.filter { reading[$0].number == 0 }
    let isHeld = zeros.holds(
      isZero: !dark.isEmpty, wakes: wakes.read().integer, at: clock.now.boot)
    guard isHeld else { return }
    for field in dark { reading[field] = .noData("a lone 0 right after a resume") }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { sensor.raw(ofPropertyAt: index) }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    try sensor.openStream(every: interval, on: loop, deliver: deliver, ended: ended)
  }
}

/// Distinguishes the 0 that a light sensor may report before its first measurement from real
/// darkness.
struct ZeroAfterResume {
  private var wakes: Int64?
  private var resumedAt: Int64?
  private var wasZero = false

  /// Whether a reading is to be held back: it is the first 0, within a second of finding that the
  /// machine has woken. A second 0 confirms it.
  mutating func holds(isZero: Bool, wakes: Int64?, at now: Int64) -> Bool {
    if let wakes {
      if let known = self.wakes, known != wakes {
        resumedAt = now
        wasZero = false
      }
      self.wakes = wakes
    }
    defer { wasZero = isZero }
    guard isZero, !wasZero, let resumedAt else { return false }
    return now - resumedAt < 1_000_000_000
  }
}
