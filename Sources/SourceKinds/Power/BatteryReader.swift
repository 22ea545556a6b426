import Gathering
import Machine
import Values

/// Reads one battery of `/sys/class/power_supply`.
final class BatteryReader: InstanceReader {
  private enum File: Int {
    case capacity, capacity_level, status, energy_now, energy_full, energy_full_design
    case charge_now, charge_full, charge_full_design, voltage_min_design
    case power_now, current_now, voltage_now, temp, cycle_count, health
    case time_to_empty_now, time_to_empty_avg, time_to_full_now, time_to_full_avg
    case technology, manufacturer, model_name, serial_number, scope

    /// The names of the files, in the order of the cases.
    static let names = [
      "capacity", "capacity_level", "status", "energy_now", "energy_full", "energy_full_design",
      "charge_now", "charge_full", "charge_full_design", "voltage_min_design",
      "power_now", "current_now", "voltage_now", "temp", "cycle_count", "health",
      "time_to_empty_now", "time_to_empty_avg", "time_to_full_now", "time_to_full_avg",
      "technology", "manufacturer", "model_name", "serial_number", "scope",
    ]
  }

  private let folder: AttributeFolder
  private let external: ExternalPowerReader
  private let daemon: PowerDaemon
  private let name: String
  /// The fields last filled in from UPower.
  private var reported: Set<Battery.Field> = []
  /// Which file a property came from last.
  private var sources = [File?](repeating: nil, count: Battery.Field.allCases.count)

  init(_ path: String, _ machine: Machine) {
    folder = AttributeFolder(path, File.names, in: machine.files)
    external = ExternalPowerReader(machine)
    daemon = PowerDaemon(watchedOn: machine)
    name = path.split(separator: "/").last.map(String.init) ?? path
    // A daemon that runs answers in a moment, and one that does not costs no more than that.
    daemon.await(within: 50_000_000)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    // The aggregate reads it itself, once for all.
    if !request.isForAggregate { external.read(request, into: &reading) }
    read(.levelWord, .capacity_level, .kernelWord, &reading)
    read(.state, .status, .batteryState, &reading)
    read(.temperature, .temp, .deciCelsius, &reading)
    read(.cycleCount, .cycle_count, .cycles, &reading)
    read(.condition, .health, .name, &reading)
    readCharge(&reading)
    readFlow(&reading)
    readTime(.timeToEmpty, .time_to_empty_now, .time_to_empty_avg, &reading)
    readTime(.timeToFull, .time_to_full_now, .time_to_full_avg, &reading)
    defer { complete(request, &reading) }
    guard request.scope == .everything else { return }
    read(.technology, .technology, .name, &reading)
    read(.manufacturer, .manufacturer, .name, &reading)
    read(.model, .model_name, .name, &reading)
    if request.wants(Battery.table[Battery.Field.serial]) {
      read(.serial, .serial_number, .name, &reading)
    }
    read(.scope, .scope, .kernelWord, &reading)
    if reading[Battery.Field.scope].leavesRoom {
      reading[Battery.Field.scope] = Self.ofSystem
    }
  }

  private static let ofSystem = Outcome.ok(.string("system"))

  /// Fills in fields that the kernel does not report and UPower does.
  private func complete(_ request: ReadRequest, _ reading: inout Reading) {
    if request.scope == .everything { reported = [] }
    guard let device = daemon.device(named: name) else { return }
    for field in Battery.fields(wantedBy: request) where reading[field].status == .unsupported {
      reported.remove(field)
      let outcome = device.outcome(of: field)
      guard outcome.status == .ok else { continue }
      reading[field] = outcome
      reported.insert(field)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let field = Battery.Field(rawValue: index) else { return nil }
    if reported.contains(field) { return daemon.device(named: name)?.raw(of: field) }
    if field == .externalPower { return external.raw(ofPropertyAt: index) }
    return sources[index].flatMap { folder.raw($0.rawValue) }
  }

  private func number(_ file: File) -> Outcome { folder.number(file.rawValue) }

  private func read(
    _ field: Battery.Field, _ file: File, _ rule: TextRule, _ reading: inout Reading
  ) {
    sources[field.rawValue] = file
    folder.read(file.rawValue, rule, into: &reading, at: field.rawValue)
  }

  /// Level and energies, from energies where there are any, else from charges.
  private func readCharge(_ reading: inout Reading) {
    let voltage = number(.voltage_min_design)
    let now = readEnergy(.energy, .energy_now, .charge_now, voltage, &reading)
    let full = readEnergy(.energyFull, .energy_full, .charge_full, voltage, &reading)
    let design = readEnergy(
      .energyFullDesign, .energy_full_design, .charge_full_design, voltage, &reading)
    let charges = BatteryCharges(
      now: now.charge.integer, full: full.charge.integer, design: design.charge.integer)
    if BatteryCharges(reading.counters) != charges { reading.counters = charges.counters }
    let level = folder.read(File.capacity.rawValue, .percent)
    sources[Battery.Field.level.rawValue] = .capacity
    reading[Battery.Field.level] = level
    guard level.leavesRoom else { return }
    if let share = Self.share(now.energy, full.energy) {
      sources[Battery.Field.level.rawValue] = .energy_now
      reading[Battery.Field.level] = share
    } else if let share = Self.share(now.charge, full.charge) {
      sources[Battery.Field.level.rawValue] = .charge_now
      reading[Battery.Field.level] = share
    }
  }

  /// One energy in joule, and the contents of the files of energy and charge.
  private func readEnergy(
    _ field: Battery.Field, _ energyFile: File, _ chargeFile: File, _ voltage: Outcome,
    _ reading: inout Reading
  ) -> (energy: Outcome, charge: Outcome) {
    let (energy, charge) = (number(energyFile), number(chargeFile))
    let usesCharge = energy.leavesRoom && !isAbsent(charge)
    sources[field.rawValue] = usesCharge ? chargeFile : energyFile
    reading[field] = usesCharge ? Self.energy(charge, at: voltage) : Self.energy(energy)
    return (energy, charge)
  }

  private static func share(_ now: Outcome, _ full: Outcome) -> Outcome? {
    guard let now = now.integer, let full = full.integer, now >= 0, full > 0 else { return nil }
    return .ok(.double(min(Double(now) / Double(full), 1)))
  }

  private func isAbsent(_ outcome: Outcome) -> Bool { outcome.status == .unsupported }

  /// µWh × 0.0036.
  private static func energy(_ outcome: Outcome) -> Outcome {
    guard let microwattHours = outcome.integer else { return outcome }
    if microwattHours < 0 { return .failed("a negative energy of \(microwattHours) µWh") }
    return .ok(.double(Double(microwattHours) * 36 / 10_000))
  }

  /// µAh × 0.0036 × V.
  private static func energy(_ charge: Outcome, at voltage: Outcome) -> Outcome {
    guard let microampereHours = charge.integer else { return charge }
    if microampereHours < 0 { return .failed("a negative charge of \(microampereHours) µAh") }
    guard let microvolts = voltage.integer else {
      return voltage.leavesRoom
        ? .unsupported("no voltage_min_design turns charge into energy") : voltage
    }
    guard microvolts > 0 else { return .unsupported("voltage_min_design is \(microvolts)") }
    let product = Double(microampereHours) * Double(microvolts) * 36
    return .ok(.double(product / 10_000_000_000), lowAccuracy: true)
  }

  /// Power, voltage and current, the latter as magnitude: drivers differ in sign.
  private func readFlow(_ reading: inout Reading) {
    let (power, current) = (number(.power_now), number(.current_now))
    read(.voltage, .voltage_now, .voltage, &reading)
    sources[Battery.Field.current.rawValue] = .current_now
    reading[Battery.Field.current] = current.magnitude(over: 1e6)
    sources[Battery.Field.power.rawValue] = .power_now
    reading[Battery.Field.power] = power.magnitude(over: 1e6)
    guard power.leavesRoom, let amperes = current.integer,
      let volts = reading[Battery.Field.voltage].number
    else { return }
    sources[Battery.Field.power.rawValue] = .current_now
    reading[Battery.Field.power] = .ok(
      .double(Double(amperes).magnitude * (volts * 1e6).rounded() / 1e12))
  }

  private func readTime(
    _ field: Battery.Field, _ now: File, _ average: File, _ reading: inout Reading
  ) {
    read(field, now, .duration, &reading)
    if reading[field].status == .unsupported { read(field, average, .duration, &reading) }
  }
}

extension Outcome {
  /// The size of a whole number over a divisor, as a double.
  fileprivate func magnitude(over divisor: Double) -> Outcome {
    guard let integer else { return self }
    return .ok(.double(Double(integer).magnitude / divisor))
  }
}

extension TextRule {
  fileprivate static let kernelWord = word([:])
  fileprivate static let deciCelsius = scaled(over: 10)

  /// A percentage as a share; negative stands for "unknown", more than all is all.
  fileprivate static let percent = TextRule { text in
    guard let percent = NumberText.integer(text) else { return .unparsable(text) }
    if percent < 0 { return .noData("reported as \(percent)") }
    return .ok(.double(min(Double(percent) / 100, 1)))
  }

  /// Cycles; zero means that the driver does not count them.
  fileprivate static let cycles = integer().map { value in
    guard case .int(let count) = value, count <= 0 else { return .ok(value) }
    return .noData("the driver does not count cycles")
  }

  /// Microvolts as volts.
  fileprivate static let voltage = TextRule { text in
    guard let microvolts = NumberText.integer(text), microvolts >= 0 else {
      return .unparsable(text)
    }
    return .ok(.double(Double(microvolts) / 1e6))
  }

  /// Seconds; zero and less stand for "unknown".
  fileprivate static let duration = TextRule { text in
    guard let seconds = NumberText.integer(text) else { return .unparsable(text) }
    if seconds > 0 { return .ok(.double(Double(seconds))) }
    return Outcome(status: .noData, absence: Battery.silentDriver)
  }
}
