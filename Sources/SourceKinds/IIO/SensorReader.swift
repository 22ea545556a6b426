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
  private var channels: SensorChannels
  private let location: KeptOutcome
  private let absent: [(property: Int, outcome: KeptOutcome)]
  private let rate: ParsedFile?
  private let ratePause: Int64
  private let isLive: Bool
  private let state = Lock(StreamState())
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
    let now = machine.clock.boot
    if request.scope == .everything, channels.mount?.isUnread == true {
      channels = SensorChannels(plan, on: machine)
    }
    // Attributes read one after the other above 50 Hz are no coherent sample (catalogue 3.2).
    let isFast = lastReading.map { now - $0 < 19_000_000 } ?? false
    let isIncoherent = request.scope == .changing && isFast
    lastReading = now
    let isStreaming = state.isStreaming
    let left = request.isStreaming && mayBlock ? streamed : []
    var isRefused = !isStreaming && left.isEmpty && !plan.columns.isEmpty
    channels.read(except: left, at: isLive ? now : nil) { property, outcome, isVector in
      // A buffer that we hold may make attributes unreadable: their last values stay.
      if isStreaming && outcome.absence?.errno == SystemText.busy { return }
      reading[property] = outcome
      if !outcome.isBusy { isRefused = false }
      if isVector && isIncoherent && outcome.status == .ok {
        reading[property].isLowAccuracy = true
      }
    }
    for property in left { reading[property] = .notRead }
    if isRefused || wasRefused { held?.note(key, isRefused ? .others : nil) }
    wasRefused = isRefused
    for (property, outcome) in absent { reading.set(property, to: outcome) }
    fillTail(request, into: &reading, at: now, isStreaming)
    rule?.derive(&reading)
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    if index == plan.tail { return rate?.raw }
    return channels.raw(ofPropertyAt: index)
  }

  private static let noRate = KeptOutcome(.unsupported("the driver tells no rate"))
  private static let poll = KeptOutcome(.ok(.string("poll")))
  private static let stream = KeptOutcome(.ok(.string("stream")))
  private static let inDevice = KeptOutcome(.ok(.string("device")))
  private static let inSensor = KeptOutcome(.ok(.string("sensor")))

  private func fillTail(
    _ request: ReadRequest, into reading: inout Reading, at now: Int64, _ isStreaming: Bool
  ) {
    let pause = request.scope == .changing ? ratePause : isLive ? 1_000_000_000 : 0
    let isDue = lastRate.map { now.subtractingReportingOverflow($0).partialValue >= pause }
    if let interval = state.interval {
      // The stream has the rate, and a hub that is queried while it reports may lose a sample.
      reading.set(plan.tail, to: 1e9 / Double(interval))
      // Then the rate from before is set again.
      lastRate = nil
    } else if isDue ?? true {
      lastRate = now
      if let rate { rate.read(into: &reading, at: plan.tail) }
      if rate == nil { reading.set(plan.tail, to: Self.noRate) }
    }
    reading.set(
      plan.tail + SensorTail.Field.acquisition.rawValue, to: isStreaming ? Self.stream : Self.poll)
    if plan.hasFrame {
      reading.set(
        plan.tail + SensorTail.Field.frame.rawValue,
        to: channels.isTurned ? Self.inDevice : Self.inSensor)
    }
    guard request.scope == .everything else { return }
    if let index = plan.mountMatrix {
      reading.set(index, to: channels.matrix)
    }
    if isFilled { return }
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
    state.withLock { $0.stream = stream }
    return stream
  }
}

/// Which stream of a reader runs, if one does.
private struct StreamState {
  weak var stream: SensorStream?
}

extension Lock<StreamState> {
  /// The time between two samples of a running stream, if it is known.
  fileprivate var interval: Int64? {
    guard let stream, stream.isRunning, stream.interval > 0 else { return nil }
    return stream.interval
  }

  fileprivate var isStreaming: Bool { stream?.isRunning ?? false }

  /// The stream is used outside the lock: this may be its last reference.
  private var stream: SensorStream? { withLock { $0.stream } }
}
