import Gathering
import Ground
import Machine
import Values

/// Reads a step counter of IIO, and keeps it switched on as long as it is read.
final class StepsReader: InstanceReader {
  private typealias Field = Steps.Field

  private let sensor: SensorReader
  private let activities: [(word: String, file: ParsedFile)]
  private let power: StepPower
  /// Steps counted across resets of the chip's counter, and the count at the first reading.
  private var total: (now: Int64, first: Int64)?
  private var last: Int64 = 0

  init(_ device: IIODevice, _ channel: String, on machine: Machine) {
    power = StepPower(of: device, channel, on: machine)
    let plan = SensorPlan(
      device, numbers: [(Field.count.rawValue, [channel])], tail: Field.tail)
    sensor = SensorReader(plan, on: machine)
    activities = Steps.activities.compactMap { word in
      let name = "in_activity_\(word)_input"
      guard device.attributes.contains(name) else { return nil }
      return (word, ParsedFile("\(device.path)/\(name)", .decimal, in: machine.iio.files))
    }
  }

  var mayBlock: Bool { sensor.mayBlock }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    power.tend()
    sensor.read(request, into: &reading)
    let count = counted(reading[Field.count])
    reading[Field.count] = count
    if let number = count.integer { add(number) }
    reading.counters = total.map { [$0.now, $0.first] } ?? []
    reading[Field.activity] = activity
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard index == Field.activity.rawValue else { return sensor.raw(ofPropertyAt: index) }
    return activities.first?.file.raw
  }

  /// The count as a whole number; while the counter is off and not ours to switch on, why.
  private func counted(_ outcome: Outcome) -> Outcome {
    if let refusal = power.refusal { return refusal }
    guard let number = outcome.number else { return outcome }
    guard let whole = Int64(exactly: number), whole >= 0 else {
      return .failed("\(number) is no count of steps")
    }
    return .ok(.int(whole))
  }

  /// A counter that decreased was reset: its value was walked since then.
  private func add(_ count: Int64) {
    let growth = count >= last ? count - last : count
    last = count
    let known = total ?? (now: 0, first: growth)
    total = (known.now.addingReportingOverflow(growth).partialValue, known.first)
  }

  /// The activity the chip is surest of.
  private var activity: Outcome {
    var best: (word: String, confidence: Double)?
    var absence: Outcome?
    for (word, file) in activities {
      let outcome = file.read()
      guard let confidence = outcome.number else {
        absence = absence ?? outcome
        continue
      }
      if confidence > best?.confidence ?? 0 { best = (word, confidence) }
    }
    if let best { return .ok(.string(best.word)) }
    if let absence { return absence }
    return activities.isEmpty
      ? .unsupported("the sensor tells no activity") : .noData("the chip is sure of no activity")
  }
}

/// The switch of a step counter: turned on for the time it is read, and put back (sources P5).
private final class StepPower {
  /// How long a refusal counts.
  private static let rest: Int64 = 2_000_000_000

  private let files: any FileTree
  private let clock: any TimeSource
  private let path: String
  private let state: ParsedFile?
  private var isOurs = false
  /// Why it could not be turned on, and when that was tried.
  private var error: SystemError?
  private var triedAt = Int64.min

  init(of device: IIODevice, _ channel: String, on machine: Machine) {
    files = machine.iio.files
    clock = machine.clock
    let name = "in_\(channel)_en"
    path = "\(device.path)/\(name)"
    state = device.attributes.contains(name) ? ParsedFile(path, .flag, in: files) : nil
    turnOn()
  }

  /// Retries a refused action (sources A4).
  func tend() {
    if error != nil, clock.now.boot - triedAt >= Self.rest { turnOn() }
  }

  private func turnOn() {
    error = nil
    guard state?.read().flag == false else { return }
    triedAt = clock.now.boot
    do throws(SystemError) {
      try files.write(Array("1\n".utf8), to: path)
      isOurs = true
    } catch {
      self.error = error
    }
  }

  deinit {
    if isOurs { try? files.write(Array("0\n".utf8), to: path) }
  }

  /// Why nothing is counted: we may not switch the counter on, and no other process has since.
  var refusal: Outcome? {
    guard let error, state?.read().flag == false else { return nil }
    guard error.code == SystemText.accessDenied || error.code == SystemText.notPermitted else {
      return nil
    }
    return .permission(
      "\(path): \(SystemText.message(of: error.code))", errno: error.code,
      remedy: "give this user write access to \(path)")
  }
}
