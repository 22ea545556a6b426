import Gathering
import Machine

/// Reads one battery of `/sys/class/power_supply`.
final class BatteryReader: InstanceReader {
  private enum File: String, CaseIterable {
    case capacity, capacity_level, status, energy_now, energy_full, energy_full_design
    case charge_now, charge_full, charge_full_design, voltage_min_design
    case power_now, current_now, voltage_now, temp, cycle_count, health
    case time_to_empty_now, time_to_empty_avg, time_to_full_now, time_to_full_avg
    case technology, manufacturer, model_name, serial_number, scope
  }

  private let folder: AttributeFolder
  private let external: ExternalPowerReader
  private let serial = Battery().properties[Battery.Field.serial.rawValue]
  /// Which file a property came from last.
  private var sources = [File?](repeating: nil, count: Battery.Field.allCases.count)

  init(_ path: String, _ files: any FileTree) {
    folder = AttributeFolder(path, File.allCases.map(\.rawValue), in: files)
    external = ExternalPowerReader(files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    external.read(request, into: &reading)
    read(.levelWord, .capacity_level, .word([:]), &reading)
    read(.state, .status, .word(["unknown": "unknown"]), &reading)
    read(.temperature, .temp, .scaled(over: 10), &reading)
    read(.cycleCount, .cycle_count, .cycles, &reading)
    read(.condition, .health, .name, &reading)
    readCharge(&reading)
    readFlow(&reading)
    readTime(.timeToEmpty, .time_to_empty_now, .time_to_empty_avg, &reading)
    readTime(.timeToFull, .time_to_full_now, .time_to_full_avg, &reading)
    guard request.scope == .everything else { return }
    read(.technology, .technology, .name, &reading)
    read(.manufacturer, .manufacturer, .name, &reading)
    read(.model, .model_name, .name, &reading)
    if request.wants(serial) { read(.serial, .serial_number, .name, &reading) }
    read(.scope, .scope, .word([:]), &reading)
    if reading[Battery.Field.scope].leavesRoom {
      reading[Battery.Field.scope] = .ok(.string("system"))
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard let field = Battery.Field(rawValue: index) else { return nil }
    if field == .externalPower { return external.raw(ofPropertyAt: index) }
    return sources[index].flatMap { folder.raw(Self.index($0)) }
  }

  private static func index(_ file: File) -> Int { File.allCases.firstIndex(of: file) ?? 0 }

  private func number(_ file: File) -> Outcome { folder.number(Self.index(file)) }

  private func read(
    _ field: Battery.Field, _ file: File, _ rule: TextRule, _ reading: inout Reading
  ) {
    sources[field.rawValue] = file
    reading[field] = folder.read(Self.index(file), rule)
  }

  /// Level and energies, from energies where there are any, else from charges.
  private func readCharge(_ reading: inout Reading) {
    let energies = [number(.energy_now), number(.energy_full), number(.energy_full_design)]
    let charges = [number(.charge_now), number(.charge_full), number(.charge_full_design)]
    let voltage = number(.voltage_min_design)
    let files: [(Battery.Field, File, File)] = [
      (.energy, .energy_now, .charge_now), (.energyFull, .energy_full, .charge_full),
      (.energyFullDesign, .energy_full_design, .charge_full_design),
    ]
    for (index, (field, energyFile, chargeFile)) in files.enumerated() {
      let usesCharge = energies[index].leavesRoom && !isAbsent(charges[index])
      sources[field.rawValue] = usesCharge ? chargeFile : energyFile
      reading[field] =
        usesCharge ? Self.energy(charges[index], at: voltage) : Self.energy(energies[index])
    }
    reading.counters =
      BatteryCharges(
        now: charges[0].integer, full: charges[1].integer, design: charges[2].integer
      ).counters
    let level = folder.read(Self.index(.capacity), .percent)
    sources[Battery.Field.level.rawValue] = .capacity
    reading[Battery.Field.level] = level
    guard level.leavesRoom else { return }
    for (parts, file) in [(energies, File.energy_now), (charges, .charge_now)] {
      guard let now = parts[0].integer, let full = parts[1].integer, now >= 0, full > 0 else {
        continue
      }
      sources[Battery.Field.level.rawValue] = file
      reading[Battery.Field.level] = .ok(.double(min(Double(now) / Double(full), 1)))
      return
    }
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

/// Tells whether the machine has power from outside: for every battery the same.
final class ExternalPowerReader: InstanceReader {
  private let files: any FileTree
  private var names: [String]?
  private var supplies: [KeptFile] = []

  init(_ files: any FileTree) { self.files = files }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    update()
    var answer = Outcome.unsupported("no supply from outside is known")
    for supply in supplies {
      let outcome = Outcome(reading: supply, .number)
      let isOnline = outcome.integer.map { Outcome.ok(.bool($0 >= 1)) } ?? outcome
      if isOnline.flag == true {
        answer = isOnline
        break
      }
      // One that answers no counts for more than one that does not answer.
      if answer.flag == nil { answer = isOnline }
    }
    reading[Battery.Field.externalPower] = answer
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    guard index == Battery.Field.externalPower.rawValue else { return nil }
    let on = supplies.first { (NumberText.integer(NumberText.trimmed($0.bytes)) ?? 0) >= 1 }
    return (on ?? supplies.first).flatMap {
      $0.bytes.isEmpty ? nil : RawValue($0.bytes, place: $0.path)
    }
  }

  /// Supplies come and go with docks and cables.
  private func update() {
    let present = try? files.entries(of: Battery.folder)
    if let names, let present, Set(names) == Set(present) { return }
    names = present
    supplies = PowerSupply.all(on: files).filter { $0.type == .external && $0.scope == .system }
      .map { KeptFile("\(Battery.folder)/\($0.name)/online", in: files) }
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
