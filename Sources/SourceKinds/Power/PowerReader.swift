import Gathering
import Ground
import Machine
import Values

/// What a domain's power and energy are read from, and what holds of it for ever.
struct PowerPlan {
  let path: String
  /// The counter in µJ, if it may have one.
  var energy: String?
  /// The attributes in µW, the best first.
  var watts: [(attribute: String, rule: TextRule)] = []
  /// The flag of a fault.
  var fault: String?
  /// The greatest number of the counter.
  var range: Int64?
  /// Whether a counter that stands still for long is none, as in virtual machines.
  var mayStandStill = false
  var columns: [MonitorReader.Column] = []
  var constants: [Int: Outcome] = [:]
  /// By what the aggregate calls it.
  let id: Outcome

  /// The plan of an instance, with what its discovery found out.
  init(of instance: Instance) {
    path = instance.path
    id = .ok(.string(IdentifierGrammar.encoded(instance.name)))
    for (field, note) in [(Power.Field.domain, "domain"), (.coverage, "coverage")] {
      constants[field.rawValue] = .ok(.string(instance.notes[note] ?? ""))
    }
    constants[Power.Field.parent.rawValue] =
      instance.notes["parent"].map { .ok(.string(IdentifierGrammar.encoded($0))) }
      ?? .noData("it lies in no other")
    for field in Power.Field.common {
      constants[field.rawValue] = .unsupported("the aggregate alone has it")
    }
  }
}

/// Reads a zone, or a channel of a chip.
final class PowerReader: InstanceReader {
  private let plan: PowerPlan
  private let others: MonitorReader
  private let files: AttributeFolder
  private let clock: any TimeSource
  private var meter: EnergyMeter
  /// The attribute that the power came from last.
  private var source = 0

  init(_ plan: PowerPlan, _ machine: Machine) {
    self.plan = plan
    others = MonitorReader(plan.path, plan.columns, constants: plan.constants, in: machine.files)
    let names = [plan.energy, plan.fault].map { $0 ?? "" } + plan.watts.map(\.attribute)
    files = AttributeFolder(plan.path, names, in: machine.files)
    clock = machine.clock
    meter = EnergyMeter(
      range: plan.range, mayStandStill: plan.mayStandStill, energy: Power.Field.energy,
      power: Power.Field.power)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    others.read(request, into: &reading)
    if request.isForAggregate { reading.set(Power.Field.members, to: plan.id) }
    if others.isAsleep {
      reading.counters = []
      reading.set(Power.Field.power, to: RuntimePower.asleep)
      return reading.set(Power.Field.energy, to: RuntimePower.asleep)
    }
    let energy = plan.energy == nil ? Self.uncounted : others.heeding(files.read(0, .count))
    let watts = others.heeding(readWatts())
    if watts.status == .unsupported, energy.status != .unsupported {
      source = 0
      meter.read(energy, asleep: clock.asleep, into: &reading)
    } else {
      reading.counters = []
      reading.set(Power.Field.power, to: watts)
      reading.set(Power.Field.energy, to: energy)
    }
    if plan.fault != nil, files.read(1, .flag).flag == true {
      reading.counters = []
      reading.set(Power.Field.power, to: Self.faulty)
      reading.set(Power.Field.energy, to: Self.faulty)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch index {
    // What is computed over time is not as the backend gave it.
    case Power.Field.power.rawValue: source == 0 ? nil : files.raw(source)
    case Power.Field.energy.rawValue: files.raw(0)
    default: others.raw(ofPropertyAt: index)
    }
  }

  /// The power as the driver gives it.
  private func readWatts() -> Outcome {
    for (place, watts) in plan.watts.enumerated() {
      let outcome = files.read(place + 2, watts.rule)
      source = place + 2
      if outcome.status != .unsupported { return outcome }
    }
    return Self.unmeasured
  }

  private static let uncounted = Outcome.unsupported("nothing counts its energy")
  private static let unmeasured = Outcome.unsupported("nothing measures its power")
  private static let faulty = Outcome.failed("the chip reports a fault of the channel")
}
