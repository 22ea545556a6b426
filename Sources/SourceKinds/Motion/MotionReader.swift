import Gathering
import Ground
import Machine
import Motion
import Values

/// How a kind shows the motion of a unit.
protocol MotionTable: Sendable {
  /// The columns of estimates, one a row.
  func columns(of rows: [MotionEstimate], interval: Int64) -> [Int: SampleBlock.Column]
  /// Why rows of those columns have no number where they have none.
  func absences(of rows: [MotionEstimate]) -> [Int: [SampleBlock.Run]]
  /// Fills in the values of one estimate; without one, `failures` gives the reasons.
  func fill(
    _ reading: inout Reading, from estimate: MotionEstimate?,
    failures: [MotionPart.Quantity: Outcome])
  /// Fills in the constant values of the devices.
  func fillRest(_ reading: inout Reading, _ request: ReadRequest, isStreaming: Bool)
}

extension MotionTable {
  /// What rows say one after the other, each outcome from its first row on; only those without a
  /// payload, if that is all that is wanted.
  static func runs(
    of rows: [MotionEstimate], onlyAbsent: Bool = false, _ outcome: (MotionEstimate) -> Outcome
  ) -> [SampleBlock.Run] {
    var runs: [SampleBlock.Run] = []
    for (index, row) in rows.enumerated() {
      let outcome = outcome(row)
      if onlyAbsent && outcome.hasPayload || runs.last?.outcome == outcome { continue }
      runs.append(SampleBlock.Run(from: index, outcome))
    }
    return runs
  }

  /// The condition besides the values: a filter that settles is searching, and one without enough
  /// inputs reports that (catalogue 4.11); nil if there is none.
  func condition(_ estimate: MotionEstimate) -> Availability? {
    if !estimate.isLevelled {
      return Availability(
        .searching, backend: "iio", detail: "the accelerometer has measured nothing yet")
    }
    if estimate.accuracy == .unreliable {
      return Availability(.searching, backend: "iio", detail: "the filter is settling")
    }
    guard estimate.isSparse else { return nil }
    return Availability(.available, backend: "iio", detail: "fewer than 50 samples a second")
  }
}

/// Reads a unit: as a stream of all its devices' buffers, or, where there are none, attribute by
/// attribute with the filter run at each reading.
final class MotionReader: StreamingReader {
  let mayBlock: Bool
  let streamsBelow: Int64

  private let unit: MotionUnit
  private let machine: Machine
  private let table: any MotionTable
  private let frame: MotionFrame
  private let held: HeldSensors
  /// Whether all parts were held elsewhere at the last reading, or may have been before the first.
  private var wasRefused = true
  private let channels: [(part: MotionPart, channels: SensorChannels)]
  private let running = Lock(Running())
  private var fusion: MotionFusion

  private struct Running {
    weak var stream: MotionStream?
  }

  init(
    _ unit: MotionUnit, on machine: Machine, table: any MotionTable, streamsBelow: Int64
  ) throws(SourceError) {
    frame = try unit.frame(on: machine)
    self.unit = unit
    self.machine = machine
    self.table = table
    self.streamsBelow = streamsBelow
    mayBlock = machine.iio.mayBlock
    held = .of(machine)
    fusion = MotionFusion(unit, interval: 0.02)
    let frame = frame
    channels = unit.parts.map { ($0, SensorChannels($0.plan(in: frame), on: machine)) }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let stream = running.withLock { $0.stream }.flatMap { $0.isRunning ? $0 : nil }
    if request.isStreaming && mayBlock {
      // The first samples come sooner than attributes could be read.
      leave(&reading)
    } else if let stream, let latest = stream.latest {
      // We hold the buffers, and their filter has more information than one reading.
      table.fill(&reading, from: latest, failures: [:])
    } else {
      poll(into: &reading)
    }
    table.fillRest(&reading, request, isStreaming: stream != nil)
  }

  /// Leaves the values delivered by the stream.
  private func leave(_ reading: inout Reading) {
    var blank = Reading(properties: reading.count, at: reading.instant)
    table.fill(&blank, from: nil, failures: [:])
    for index in blank.indices where blank[index] != .notRead {
      reading[index] = blank[index].status == .noData ? .notRead : blank[index]
    }
  }

  private func poll(into reading: inout Reading) {
    let before = machine.clock.boot
    let moment = machine.nature == .live ? before : nil
    var sample = MotionSample(at: before)
    var failures: [MotionPart.Quantity: Outcome] = [:]
    for (part, channels) in channels {
      channels.read(at: moment) { column in
        let outcome = column.outcome()
        switch outcome.value {
        case .vector(let vector) where outcome.status == .ok:
          sample.set(part.quantity, vector.components[...])
        case .double(let number) where outcome.status == .ok:
          sample.set(part.quantity, [number][...])
        default: failures[part.quantity] = outcome
        }
      }
      if failures[part.quantity] == nil, !sample.has(part.quantity) {
        failures[part.quantity] = .noData("the sensor tells no direction")
      }
    }
    sample.time = before + (machine.clock.boot - before) / 2
    let estimate = fusion.take(sample)
    let isRefused = failures.count == channels.count && failures.values.allSatisfy(\.isBusy)
    if isRefused || wasRefused { held.note(unit.key, isRefused ? .others : nil) }
    wasRefused = isRefused
    table.fill(&reading, from: failures.isEmpty ? estimate : nil, failures: failures)
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    let stream = try MotionStream(
      unit, in: frame, on: machine, table: table, deliver: deliver, ended: ended)
    try stream.open(every: interval, on: loop)
    running.withLock { $0.stream = stream }
    return stream
  }
}
