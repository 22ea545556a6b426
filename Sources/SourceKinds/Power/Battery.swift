import Gathering
import Machine
import Values

/// Batteries: charge, power and health.
struct Battery: CatalogueKind {
  enum Field: Int, PropertyField {
    case level, levelWord, state, externalPower, energy, energyFull, energyFullDesign, power
    case voltage, current, temperature, cycleCount, health, condition, timeToEmpty, timeToFull
    case technology, manufacturer, model, serial, scope

    var property: Property {
      switch self {
      case .level: Property("level", .double, unit: "1", .onChange, range: 0...1)
      case .levelWord:
        Property(
          "level_word", .enumeration(["critical", "low", "normal", "high", "full"]), .onChange)
      case .state:
        Property(
          "state", .enumeration(["charging", "discharging", "not_charging", "full", "unknown"]),
          .onChange)
      case .externalPower: Property("external_power", .bool, .onChange)
      case .energy: Property("energy", .double, unit: "J", .onChange)
      case .energyFull: Property("energy_full", .double, unit: "J", .onChange)
      case .energyFullDesign: Property("energy_full_design", .double, unit: "J", .onChange)
      case .power: Property("power", .double, unit: "W", .continuous)
      case .voltage: Property("voltage", .double, unit: "V", .continuous)
      case .current: Property("current", .double, unit: "A", .continuous)
      case .temperature: Property("temperature", .double, unit: "Cel", .onChange)
      case .cycleCount: Property("cycle_count", .int, unit: "1", .onChange)
      case .health: Property("health", .double, unit: "1", .onChange, .derived)
      case .condition: Property("condition", .string, .onChange)
      case .timeToEmpty: Property("time_to_empty", .double, unit: "s", .onChange)
      case .timeToFull: Property("time_to_full", .double, unit: "s", .onChange)
      case .technology: Property("technology", .string, .static)
      case .manufacturer: Property("manufacturer", .string, .static)
      case .model: Property("model", .string, .static)
      case .serial: Property("serial", .string, .static, category: .serial)
      case .scope: Property("scope", .enumeration(["system", "device"]), .static)
      }
    }

    /// The fields the aggregate has only if there is a single member.
    static let names: [Field] = [
      .levelWord, .voltage, .current, .temperature, .cycleCount, .condition, .technology,
      .manufacturer, .model, .serial,
    ]
  }

  static let folder = "/sys/class/power_supply"

  let kind = "battery"
  let name = "Battery"
  let intervals = Intervals(seconds: 30, minimum: 5, eventDriven: true)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "power_supply"), .bus(PowerDaemon.service),
  ]
  let hasAggregate = true
  static let table = Field.properties

  /// The machine's batteries, those of devices, and the aggregate once there is any supply; the
  /// kernel's first, then those that only UPower sees.
  func discover(on machine: Machine) -> Discovery {
    let absence = Availability.noDevices(in: Self.folder)
    let supplies = PowerSupply.all(on: machine.files)
    let others = PowerDaemon(on: machine).devices(but: supplies.map(\.name))
    if supplies.isEmpty && others.isEmpty { return Discovery([], orElse: absence) }
    let batteries = supplies.filter(\.isListed)
    let known = others.filter(\.isListed)
    let hasSystemBattery =
      batteries.contains { $0.type == .battery && $0.scope == .system }
      || known.contains { $0.isBattery && $0.isSupply }
    let ordered = [PowerSupply.Scope.system, .device].flatMap { scope in
      batteries.filter { $0.scope == scope }
    }
    let available = Availability(.available, backend: "sysfs")
    let isBare = batteries.isEmpty && known.isEmpty
    let all = Instance.aggregate(isBare ? absence : available, label: name)
    let seen = known.map {
      $0.instance(isMember: $0.isBattery || !hasSystemBattery, on: machine)
    }
    let instances = ordered.map { supply in
      let name = supply.instanceName(on: machine.files)
      return Instance(
        name, label: supply.label, aliases: name == supply.name ? [] : [supply.name],
        availability: available, path: "\(Self.folder)/\(supply.name)",
        notes: ["scope": supply.scope == .device ? "device" : "system"],
        isMember: supply.scope == .system && (supply.type == .battery || !hasSystemBattery))
    }
    let isOwn = { (instance: Instance) in instance.notes["scope"] != "device" }
    let listed = (instances + seen).filter(isOwn) + (instances + seen).filter { !isOwn($0) }
    return Discovery(([all] + listed).withDistinctNames(), orElse: absence)
  }

  /// Opens a battery; for the aggregate, the reader of external power.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.isAggregate { return ExternalPowerReader(machine) }
    if let path = instance.notes["upower"] { return PowerDaemonReader(path, machine) }
    return BatteryReader(instance.path, machine)
  }

  /// A mouse never counts.
  func counts(_ place: Int, of members: [Reading]) -> Bool {
    members[place][Field.scope].text != "device"
  }

  /// Computes the health, and the times the driver does not report.
  func derive(_ reading: inout Reading) {
    let (full, design) = (reading[Field.energyFull], reading[Field.energyFullDesign])
    if let outcome = Self.ratio(full, design) {
      reading[Field.health] = outcome
    } else {
      // Charges give the same ratio if a battery has no energies.
      reading[Field.health] =
        BatteryCharges(reading.counters)?.health
        ?? (full.number == nil ? full : design).asMissingInput
    }
    let energy = reading[Field.energy].number
    let missing = full.number.flatMap { full in energy.map { full - $0 } }
    complete(
      .timeToEmpty, in: &reading, when: "discharging", energy, or: reading[Field.energy])
    complete(
      .timeToFull, in: &reading, when: "charging", missing,
      or: energy == nil ? reading[Field.energy] : full)
  }

  /// The energies' ratio; nil if one of them is missing.
  static func ratio(_ part: Outcome, _ whole: Outcome) -> Outcome? {
    guard let part = part.number, let whole = whole.number else { return nil }
    return whole > 0 ? .ok(.double(part / whole)) : .noData("the whole is not known")
  }

  /// Computes a time the driver does not report, in the matching state only.
  private func complete(
    _ field: Field, in reading: inout Reading, when state: String, _ energy: Double?,
    or absent: Outcome
  ) {
    let reported = reading[field]
    let isComputed =
      reported.isLowAccuracy || (reported.leavesRoom && reported.absence != Self.silentDriver)
    if isComputed { reading[field] = Self.time(reading, when: state, energy, or: absent) }
  }

  /// The time energy lasts at the present power.
  static func time(
    _ reading: Reading, when state: String, _ energy: Double?, or absent: Outcome
  ) -> Outcome {
    guard let word = reading[Field.state].text else { return reading[Field.state].asMissingInput }
    guard word == state else { return .noData("not \(state)") }
    guard let energy else { return absent.asMissingInput }
    guard let power = reading[Field.power].number else {
      return reading[Field.power].asMissingInput
    }
    guard power > 0, energy > 0 else { return .noData("nothing flows at the moment") }
    return .ok(.double(energy / power), lowAccuracy: true)
  }

  /// The reason for a time of zero or less.
  static let silentDriver = Absence("the driver does not know the time")
}
