import Gathering
import Ground
import Machine
import Values

/// Reads one IIO sensor by a plan: by its attributes, or as a stream from its buffer.
final class SensorReader: StreamingReader {
  let mayBlock: Bool
  /// For intervals below 0.1 s, or below the smallest polling interval, the buffer is used
  /// (catalogue 3.2).
  let streamsBelow: Int64
  /// Where a sensor held elsewhere is noted; nil if the reader around this one notes it.
  var held: HeldSensors?

  private let plan: SensorPlan
  private let machine: Machine
  private let rule: (any SensorRule)?
  private let readingRule: (any SensorReadingRule)?
  private var channels: SensorChannels
  private let location: KeptOutcome
  private let absent: [(property: Int, outcome: KeptOutcome)]
  private let rate: ParsedFile?
  private let ratePause: Int64
  private let isLive: Bool
  /// The stream opened last. Readings and openings follow each other, never at once.
  private weak var stream: SensorStream?
  /// The properties the buffer brings, once they matter: not to be read where reading takes long.
  private lazy var streamed: Set<Int> = {
    let positions = BufferedChannels(of: plan.device, on: machine).positions(in: plan)
    return Set(positions.map { plan.columns[$0].property })
  }()
  private var lastReading: Int64?
  private var lastRate: Int64?
  /// Whether the reading has all that is constant while the device exists.
  private var isFilled = false
  private let key: String
  /// Whether the sensor was held elsewhere at the last reading, or may have been before the first.
  private var wasRefused = true

  init(_ plan: SensorPlan, on machine: Machine, rule: (any SensorRule)? = nil) {
    self.plan = plan
    self.machine = machine
    self.rule = rule
    readingRule = rule as? any SensorReadingRule
    held = .of(machine)
    key = plan.key
    let device = plan.device
    mayBlock = machine.iio.mayBlock
    isLive = machine.nature == .live
    let floor = machine.nature == .captured ? 0 : device.pollingFloor.interval
    streamsBelow = max(100_000_000, floor)
    channels = SensorChannels(plan, on: machine)
    location = SensorLocation(of: device, on: machine).outcome
    absent = plan.absent.map { ($0, KeptOutcome(.unsupported($1))) }
    let name = plan.columns.first?.channels.first.flatMap {
      device.attribute("sampling_frequency", of: $0)
    }
    rate = name.map { ParsedFile("\(device.path)/\($0)", .frequency, in: machine.iio.files) }
    // A hub wakes up for this question too; elsewhere once a second is soon enough.
    ratePause = device.isOnHub ? .max : 1_000_000_000
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let now = reading.instant.boot
    if request.scope == .everything, channels.mount?.isUnread == true {
      channels = SensorChannels(plan, on: machine)
      isFilled = false
    }
    // Attributes read one after the other above 50 Hz are no coherent sample (catalogue 3.2).
    let isFast = lastReading.map { now - $0 < 19_000_000 } ?? false
    let isIncoherent = request.scope == .changing && isFast
    lastReading = now
    let stream = stream.flatMap { $0.isRunning ? $0 : nil }
    let left = request.isStreaming && mayBlock ? streamed : []
    var isRefused = stream == nil && left.isEmpty && !plan.columns.isEmpty
    channels.read(except: left, at: isLive ? now : nil) { column in
      if let vector = column.vector() {
        isRefused = false
        if isIncoherent {
          reading[column.property] = .ok(.vector(vector), lowAccuracy: true)
        } else {
          reading.set(column.property, to: vector)
        }
        return
      }
      let outcome = column.outcome()
      // A buffer that we hold may make attributes unreadable: their last values stay.
      if stream != nil && outcome.absence?.errno == SystemText.busy { return }
      reading[column.property] = outcome
      if !outcome.isBusy { isRefused = false }
    }
    if !left.isEmpty { for property in left { reading[property] = .notRead } }
    if isRefused || wasRefused { held?.note(key, isRefused ? .others : nil) }
    wasRefused = isRefused
    fillRate(request, into: &reading, at: now, stream)
    let acquisition = plan.tail + SensorTail.Field.acquisition.rawValue
    // Put last, so that a reading which has it has the rest of what does not change.
    if !isFilled || stream != nil || !reading.has(polled, at: acquisition) {
      fillRest(request, into: &reading)
      reading.set(acquisition, to: stream == nil ? polled : streams)
    }
    if let readingRule { readingRule.derive(&reading) }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    if index == plan.tail { return rate?.raw }
    return channels.raw(ofPropertyAt: index)
  }

  private static let noRate = KeptOutcome(.unsupported("the driver tells no rate"))
  private let polled = KeptOutcome(.ok(.string("poll")))
  private let streams = KeptOutcome(.ok(.string("stream")))
  private static let inDevice = KeptOutcome(.ok(.string("device")))
  private static let inSensor = KeptOutcome(.ok(.string("sensor")))

  private func fillRate(
    _ request: ReadRequest, into reading: inout Reading, at now: Int64, _ stream: SensorStream?
  ) {
    let pause = request.scope == .changing ? ratePause : isLive ? 1_000_000_000 : 0
    let isDue = lastRate.map { now.subtractingReportingOverflow($0).partialValue >= pause }
    if let interval = stream?.interval, interval > 0 {
      // The stream has the rate, and a hub that is queried while it reports may lose a sample.
      reading.set(plan.tail, to: 1e9 / Double(interval))
      // Then the rate from before is set again.
      lastRate = nil
    } else if isDue ?? true {
      lastRate = now
      if let rate { rate.read(into: &reading, at: plan.tail) }
      if rate == nil { reading.set(plan.tail, to: Self.noRate) }
    }
  }

  /// Fills in what is the same at every reading.
  private func fillRest(_ request: ReadRequest, into reading: inout Reading) {
    for (property, outcome) in absent { reading.set(property, to: outcome) }
    if plan.hasFrame {
      reading.set(
        plan.tail + SensorTail.Field.frame.rawValue,
        to: channels.isTurned ? Self.inDevice : Self.inSensor)
    }
    guard request.scope == .everything else { return }
    if let index = plan.mountMatrix {
      reading.set(index, to: channels.matrix)
    }
    isFilled = SensorTail.fill(
      &reading, from: plan.tail, of: plan.device, location: location, in: machine.iio.files)
  }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    let stream = try SensorStream(plan, on: machine, rule: rule, deliver: deliver, ended: ended)
    try stream.open(every: interval, on: loop)
    self.stream = stream
    return stream
  }
}
