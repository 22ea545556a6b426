import Gathering
import Machine
import Values

/// Power and energy: of processors and memory, of graphics cards, of the battery, and of rails that
/// chips measure.
struct Power: CatalogueKind {
  enum Field: Int, PropertyField {
    case power, energy, limit, limitShort, domain, coverage, parent, energyRange, members, meter
    case systemPower

    var property: Property {
      switch self {
      case .power: Property("power", .double, unit: "W", .continuous)
      case .energy: Property("energy", .double, unit: "J", .continuous, .counter)
      case .limit: Property("limit", .double, unit: "W", .onChange)
      case .limitShort: Property("limit_short", .double, unit: "W", .onChange)
      case .domain: Property("domain", .enumeration(PowerDomain.allCases.map(\.rawValue)), .static)
      case .coverage: Property("coverage", .enumeration(["part", "device", "machine"]), .static)
      case .parent: Property("parent", .string, .static)
      case .energyRange: Property("energy_range", .double, unit: "J", .static)
      case .members: Property("members", .string, .onChange)
      case .meter: Property("meter", .string, .onChange)
      case .systemPower: Property("system_power", .double, unit: "W", .continuous)
      }
    }

    /// What each domain has of its own, and the aggregate not.
    static let own: [Field] = [.limit, .limitShort, .domain, .coverage, .parent, .energyRange]
    /// What the aggregate alone has.
    static let common: [Field] = [.members, .meter, .systemPower]
  }

  let kind = "power"
  let name = "Power"
  let intervals = Intervals(seconds: 1, minimum: 0.1)
  let topics: [ChangeTopic] = ["powercap", "drm", "power_supply", "hwmon"].map {
    .devices(subsystem: $0)
  }
  let spans = [
    PowerSpan.rule(of: Field.power, .own), PowerSpan.rule(of: Field.systemPower, .system),
  ]
  let hasAggregate = true
  let overrulesScripts = true
  static let table = Field.properties

  /// Zones depth first, discrete cards, the battery, then the channels of monitoring chips.
  func discover(on machine: Machine) -> Discovery {
    let domains =
      PowerZone.all(on: machine.files).map(\.instance) + CardPower.instances(on: machine)
      + BatteryPower.instances(on: machine.files) + PowerChannel.all(on: machine.files)
    let absence = Availability.noDevices(in: PowerZone.folder)
    if domains.isEmpty { return Discovery([], orElse: absence) }
    let first = domains.first(where: \.isMember)?.availability
    var all = Instance.aggregate(
      first ?? Availability(.available, backend: domains[0].availability.backend), label: name)
    all.longestGap = domains.filter(\.isMember).compactMap(\.longestGap).min()
    return Discovery(([all] + domains).withDistinctNames(), orElse: absence)
  }

  /// A simulated card sleeps while it takes no power (catalogue G1).
  func overrule(_ reading: inout Reading) {
    guard reading[Field.domain].text == PowerDomain.gpu.rawValue,
      let watts = reading.number(Field.power), watts <= 0
    else { return }
    reading.set(Field.power, to: RuntimePower.asleep)
  }

  /// Opens a domain; the aggregate has nothing of its own.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.isAggregate { return nil }
    return switch instance.notes["backend"] {
    case BatteryPower.backend: BatteryPower(instance, on: machine)
    case CardPower.backend: CardPower(instance, on: machine)
    case "hwmon": PowerReader(PowerChannel.plan(of: instance, machine.files), machine)
    default: PowerReader(PowerZone.plan(of: instance, machine.files), machine)
    }
  }
}

/// What a domain supplies.
enum PowerDomain: String, CaseIterable {
  case package, cores, uncore, memory, platform, gpu, battery, supply, rail, other

  /// Whether the sum over all counts it: nothing else lies outside of the others.
  var isSummed: Bool { [.package, .memory, .gpu].contains(self) }
}
