import Gathering
import Ground
import Machine
import Values

/// Asks a card of NVIDIA's driver through its management library.
final class NvidiaSource: CardSource {
  private typealias Field = Graphics.Field
  private typealias Answer = NvidiaReading.Answer<Int64>

  private let address: String
  private let device: String
  private let machine: Machine
  private var meter = EnergyMeter(energy: Field.energy, power: Field.power, remedy: nil)
  private var raws: [Int: RawValue] = [:]

  init(_ card: GraphicsCard, on machine: Machine) {
    address = card.address ?? ""
    device = card.device
    self.machine = machine
  }

  func read(whole: Bool, _ request: ReadRequest, into reading: inout Reading) -> Bool {
    raws = [:]
    let staysOpen = !RuntimePower.sleepsByItself(device, in: machine.files)
    guard let cards = machine.nvidia else {
      return fail(NvidiaCodes.captured, whole, into: &reading)
    }
    do throws(NvidiaFailure) {
      let answers = try cards.read(address, texts: whole, staysOpen: staysOpen)
      take(answers, whole, request, into: &reading)
      return true
    } catch {
      _ = fail(error.outcome(on: machine), whole, into: &reading)
      return error != .timedOut
    }
  }

  /// Nothing was told.
  private func fail(_ outcome: Outcome, _ whole: Bool, into reading: inout Reading) -> Bool {
    for field in Field.changing + (whole ? Field.asked : []) { reading.set(field, to: outcome) }
    return true
  }

  // MARK: What was told

  private func take(
    _ answers: NvidiaReading, _ whole: Bool, _ request: ReadRequest, into reading: inout Reading
  ) {
    for field in Self.untold { reading.set(field, to: Self.silent) }
    for row in Self.rows where whole || Graphics.table[row.field].mode != .static {
      reading.set(row.field, to: outcome(of: row, answers))
    }
    takeEnergy(answers, into: &reading)
    takeThrottle(answers[.events], into: &reading)
    if whole {
      reading.set(Field.sharedTotal, to: Self.silent)
      takeTexts(answers.texts ?? [], request, into: &reading)
    }
  }

  /// A property that is a number of the library.
  private struct Row {
    let field: Graphics.Field
    let number: NvidiaReading.Number
    var divisor = 1.0
    /// The payload that is least, the greatest, or what stands for none.
    var range: ClosedRange<Double>?
    var none: Int64?
    /// Whether the library gives it in 32 bits or less.
    var isShort = true
    var isWhole = false
  }

  private static let rows: [Row] = [
    Row(field: .utilization, number: .utilization, divisor: 100, range: 0...1),
    Row(field: .memoryUtilization, number: .memoryUtilization, divisor: 100, range: 0...1),
    Row(field: .encoderUtilization, number: .encoder, divisor: 100, range: 0...1),
    Row(field: .decoderUtilization, number: .decoder, divisor: 100, range: 0...1),
    Row(field: .memoryTotal, number: .memoryTotal, isShort: false, isWhole: true),
    Row(field: .memoryUsed, number: .memoryUsed, isShort: false, isWhole: true),
    Row(field: .temperature, number: .temperature),
    Row(field: .temperatureMemory, number: .memoryTemperature, none: 0),
    Row(field: .powerLimit, number: .powerLimit, divisor: 1000),
    Row(field: .frequency, number: .clock, divisor: 1e-6),
    Row(field: .memoryFrequency, number: .memoryClock, divisor: 1e-6),
    Row(field: .frequencyMaximum, number: .clockMaximum, divisor: 1e-6),
    Row(field: .fanSpeed, number: .fanSpeed),
    Row(field: .fanDuty, number: .fanDuty, divisor: 100, range: 0...1),
    Row(field: .performanceState, number: .state, none: 32, isWhole: true),
  ]
  private static let power = Row(field: .power, number: .power, divisor: 1000)
  private static let untold: [Graphics.Field] = [
    .videoUtilization, .sharedUsed, .temperatureHotspot,
  ]
  private static let silent = KeptOutcome(.unsupported("the library does not tell it"))
  private static let split = Outcome.unsupported("split into MIG instances")

  private func outcome(of row: Row, _ answers: NvidiaReading) -> Outcome {
    let answer = answers[row.number]
    guard case .value(let number) = answer else {
      let isShared = row.field == .utilization || row.field == .memoryUtilization
      if isShared, answer == .refused(3), answers[.mig] == .value(1) { return Self.split }
      return NvidiaCodes.outcome(of: answer)
    }
    raws[row.field.rawValue] = RawValue("\(number)".utf8, place: NvidiaLibrary.file)
    if number == row.none || row.isShort && NvidiaCodes.isNone(number) {
      return .noData("reported as \(number)")
    }
    if number < 0, row.field != .temperature { return .noData("reported as \(number)") }
    if row.isWhole { return .ok(.int(number)) }
    // What is millions is multiplied, without a rounding.
    let value = row.divisor < 1 ? Double(number) * 1e6 : Double(number) / row.divisor
    guard let range = row.range else { return .ok(.double(value)) }
    return .ok(.double(min(max(value, range.lowerBound), range.upperBound)))
  }

  /// Joules since the driver was loaded, and watts where the card measures them itself.
  private func takeEnergy(_ answers: NvidiaReading, into reading: inout Reading) {
    var energy = NvidiaCodes.outcome(of: answers[.energy])
    if case .value(let millijoules) = answers[.energy] {
      let (micro, overflow) = millijoules.multipliedReportingOverflow(by: 1000)
      energy =
        overflow || millijoules < 0 ? .noData("reported as \(millijoules)") : .ok(.int(micro))
      raws[Field.energy.rawValue] = RawValue("\(millijoules)".utf8, place: NvidiaLibrary.file)
    }
    meter.read(energy, asleep: machine.clock.asleep, into: &reading)
    let power = outcome(of: Self.power, answers)
    if power.status == .unsupported, energy.status == .ok { return }
    reading.counters = []
    reading.set(Field.power, to: power)
  }

  private func takeThrottle(_ answer: Answer, into reading: inout Reading) {
    guard case .value(let bits) = answer else {
      return reading.set(Field.throttle, to: NvidiaCodes.outcome(of: answer))
    }
    raws[Field.throttle.rawValue] = RawValue("\(bits)".utf8, place: NvidiaLibrary.file)
    reading.set(
      Field.throttle, to: ThrottleWords.outcome(of: ThrottleWords.words(ofNvidia: bits)))
  }

  private func takeTexts(
    _ texts: [NvidiaReading.Answer<String>], _ request: ReadRequest, into reading: inout Reading
  ) {
    let fields: [Graphics.Field] = [.model, .uuid, .driverVersion]
    for (field, answer) in zip(fields, texts)
    where request.allow.permits(Graphics.table[field].category) {
      switch answer {
      case .value(""): reading.set(field, to: Outcome.noData("empty text"))
      case .value(let text):
        reading.set(field, to: Outcome.ok(.string(text)))
        raws[field.rawValue] = RawValue(text.utf8, place: NvidiaLibrary.file)
      case .refused(let code): reading.set(field, to: NvidiaCodes.outcome(of: code))
      case .missing: reading.set(field, to: NvidiaCodes.old)
      }
    }
  }

  func raw(_ field: Graphics.Field) -> RawValue? { raws[field.rawValue] }
}
