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
    let (full, design) = (reading.number(Field.energyFull), reading.number(Field.energyFullDesign))
    if let full, let design {
      Self.setRatio(.health, in: &reading, full, of: design)
    } else {
      // Charges give the same ratio if a battery has no energies.
      reading[Field.health] =
        BatteryCharges(reading.counters)?.health
        ?? reading[full == nil ? Field.energyFull : .energyFullDesign].asMissingInput
    }
    let energy = reading.number(Field.energy)
    let missing = full.flatMap { full in energy.map { full - $0 } }
    complete(.timeToEmpty, in: &reading, energy, or: .energy)
    complete(.timeToFull, in: &reading, missing, or: energy == nil ? .energy : .energyFull)
  }

  /// Makes a property the ratio of two energies.
  static func setRatio(
    _ field: Field, in reading: inout Reading, _ part: Double, of whole: Double
  ) {
    if whole > 0 {
      reading.set(field, to: part / whole)
    } else {
      reading.set(field, to: noWhole)
    }
  }

  private static let noWhole = KeptOutcome(.noData("the whole is not known"))

  /// Computes a time the driver does not report, in the matching state only.
  private func complete(
    _ field: Field, in reading: inout Reading, _ energy: Double?, or input: Field
  ) {
    let reported = reading[field]
    let isComputed =
      reported.isLowAccuracy || (reported.leavesRoom && reported.absence != Self.silentDriver)
    if isComputed { Self.setTime(field, in: &reading, energy, or: input) }
  }

  /// Makes a property the time energy lasts at the present power, in the state it is a time of;
  /// what the energy comes from tells why there is none.
  static func setTime(
    _ field: Field, in reading: inout Reading, _ energy: Double?, or input: Field
  ) {
    let (state, other) =
      field == .timeToFull ? ("charging", notCharging) : ("discharging", notDischarging)
    guard let word = reading[Field.state].text else {
      return reading.set(field, to: reading[Field.state].asMissingInput)
    }
    guard word == state else { return reading.set(field, to: other) }
    guard let energy else { return reading.set(field, to: reading[input].asMissingInput) }
    guard let power = reading.number(Field.power) else {
      return reading.set(field, to: reading[Field.power].asMissingInput)
    }
    guard power > 0, energy > 0 else { return reading.set(field, to: nothingFlows) }
    reading[field] = .ok(.double(energy / power), lowAccuracy: true)
  }

  private static let notCharging = KeptOutcome(.noData("not charging"))
  private static let notDischarging = KeptOutcome(.noData("not discharging"))
  private static let nothingFlows = KeptOutcome(.noData("nothing flows at the moment"))

  /// The reason for a time of zero or less.
  static let silentDriver = Absence("the driver does not know the time")
}
