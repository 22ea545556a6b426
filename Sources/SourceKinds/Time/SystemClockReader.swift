import Gathering
import Ground
import Machine
import Values

/// What a daemon that sets the clock tells.
struct ClockReport {
  /// Its word in the property `service`.
  var service: String
  /// What it tells, by property.
  var values: [SystemClock.Field: ReportedValue]

  /// What daemons tell; the rest is the kernel's.
  static let fields: [SystemClock.Field] = [
    .offset, .rootDelay, .rootDispersion, .jitter, .stratum, .leap, .server, .pollInterval,
    .lastUpdate,
  ]
}

/// Reads the state of the system's clock from the kernel, and what a daemon knows besides.
final class SystemClockReader: InstanceReader {
  private typealias Field = SystemClock.Field

  private let machine: Machine
  private let chrony: ChronyDaemon?
  private let timesyncd: TimeDaemon?
  private let counter: ParsedFile
  private var raws: [Int: RawValue] = [:]

  init(_ machine: Machine) {
    self.machine = machine
    chrony = machine.clocks.chrony.map { ChronyDaemon($0) }
    timesyncd = machine.bus.map { TimeDaemon(on: $0) }
    counter = ParsedFile(
      "/sys/devices/system/clocksource/clocksource0/current_clocksource", .text,
      in: machine.files)
  }

  /// A daemon may have to be waited for.
  var mayBlock: Bool { chrony != nil || timesyncd != nil }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    raws = [:]
    let kernel = KernelState(machine.clocks.kernel)
    kernel.read(into: &reading, &raws)
    counter.read(into: &reading, at: Field.clockSource.rawValue)
    raws[Field.clockSource.rawValue] = counter.raw
    reading.lack([.pulses, .pulseTime], Self.noPulses)
    reading.set(Field.label, to: Self.noLabel)
    switch report(isSynchronized: reading.flag(Field.synchronized) == true) {
    case .success(let report):
      reading[Field.service] = .ok(.string(report.service))
      for field in ClockReport.fields where field != .server || request.allow.permits(.hostname) {
        let value = report.values[field]
        reading[field] = value?.outcome ?? .noData("\(report.service) does not tell it")
        raws[field.rawValue] = value?.raw
      }
    case .failure(let none):
      reading[Field.service] = .ok(.string("kernel"))
      let own: [Field] = [.offset, .jitter, .leap]
      for field in ClockReport.fields where !own.contains(field) { reading[field] = none.outcome }
      kernel.readDiscipline(into: &reading, &raws, orElse: none.outcome)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }

  private static let noPulses = KeptOutcome(.unsupported("the system's clock has no pulses"))
  private static let noLabel = KeptOutcome(.unsupported("the system's clock has no name"))

  private struct NoReport: Error {
    let outcome: Outcome
  }

  /// What the first daemon that runs tells; otherwise why none does.
  private func report(isSynchronized: Bool) -> Result<ClockReport, NoReport> {
    let first = chrony?.report()
    if case .success(let report)? = first { return .success(report) }
    if let report = timesyncd?.report() { return .success(report) }
    guard case .failure(let obstacle)? = first else {
      return .failure(NoReport(outcome: .noData("no daemon tells it")))
    }
    // One that refuses to talk is there; one that is not there is missed only by a clock that
    // nothing sets.
    let isMissed = obstacle.isThere || !isSynchronized
    return .failure(NoReport(outcome: isMissed ? obstacle.outcome : obstacle.withoutRemedy))
  }
}
