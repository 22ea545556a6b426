import Gathering
import Ground
import Machine
import Values

/// Reads a proximity sensor of IIO, and decides near or far by its level.
final class ProximityReader: StreamingReader {
  private typealias Field = Proximity.Field

  private let sensor: SensorReader
  private let machine: Machine
  private let device: IIODevice
  private let level: ParsedFile?
  private let rule: NearRule

  init(_ plan: SensorPlan, on machine: Machine) {
    device = plan.device
    self.machine = machine
    level = plan.columns.first?.channels.first
      .flatMap { plan.device.attribute("nearlevel", of: $0) }
      .map { ParsedFile("\(plan.device.path)/\($0)", .count, in: machine.iio.files) }
    rule = NearRule()
    sensor = SensorReader(plan, on: machine, rule: rule)
  }

  var mayBlock: Bool { sensor.mayBlock }
  var streamsBelow: Int64 { sensor.streamsBelow }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    if request.scope == .everything {
      let found = nearLevel
      reading[Field.nearLevel] = found
      // A hub that reports presence has no level and needs none.
      let isPresence = found.status == .unsupported && device.isOnHub
      rule.use(found.number.map(NearLevel.Border.level) ?? (isPresence ? .presence : .unknown))
      let role = Proximity.Role(label: device.label)
      reading[Field.role] = .ok(.string(role.rawValue))
    }
    sensor.read(request, into: &reading)
  }

  /// The level of the kernel, or else of udev.
  private var nearLevel: Outcome {
    if let level { return level.read() }
    let found = device.udev(.proximityNearLevel, on: machine)
    guard let text = found.outcome.text else { return found.outcome }
    return TextRule.count(Array(text.utf8)[...])
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard index == Field.nearLevel.rawValue else { return sensor.raw(ofPropertyAt: index) }
    return level?.raw ?? device.udev(.proximityNearLevel, on: machine).raw
  }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    try sensor.openStream(every: interval, on: loop, deliver: deliver, ended: ended)
  }
}

/// Keeps whether something was near, over readings and streamed rows alike.
private final class NearRule: SensorReadingRule {
  private typealias Field = Proximity.Field

  private let near = Lock(NearLevel(.unknown))

  /// Begins anew if the border is another.
  func use(_ border: NearLevel.Border) {
    near.withLock { near in
      if near.border != border { near = NearLevel(border) }
    }
  }

  func derive(_ reading: inout Reading) {
    let raw = reading[Field.raw]
    guard let number = raw.number else {
      reading[Field.near] = raw.asMissingInput
      return
    }
    guard let whole = Int64(exactly: number) else {
      reading[Field.raw] = .failed("\(number) is no whole number")
      reading[Field.near] = reading[Field.raw]
      return
    }
    reading[Field.raw] = .ok(.int(whole))
    let remedy = "set PROXIMITY_NEAR_LEVEL in udev's hwdb"
    reading[Field.near] =
      near.withLock { $0.update(number) }.map { .ok(.bool($0)) }
      ?? .noData("no near level is known", remedy: remedy)
  }

  func derive(_ block: inout SampleBlock) {
    guard case .numbers(let rows, 1) = block.columns[Field.raw] else { return }
    let answers = near.withLock { near in rows.map { near.update($0) } }
    if answers.contains(nil) { return }
    block.columns[Field.near] = .numbers(
      answers.map { $0 == true ? 1 : 0 }, width: 1)
  }
}
