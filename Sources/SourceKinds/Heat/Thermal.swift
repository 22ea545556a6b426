import Gathering
import Machine
import Values

/// How warm the thermal zones are, and how close to the temperatures at which Linux acts.
struct Thermal: CatalogueKind {
  enum Field: Int, PropertyField {
    case temperature, state, tripActive, tripPassive, tripHot, tripCritical, enabled

    var property: Property {
      switch self {
      case .temperature: Property("temperature", .double, unit: "Cel", .continuous)
      case .state: Property("state", .enumeration(Thermal.states), .onChange, .derived)
      case .tripActive: Property("trip_active", .double, unit: "Cel", .static)
      case .tripPassive: Property("trip_passive", .double, unit: "Cel", .static)
      case .tripHot: Property("trip_hot", .double, unit: "Cel", .static)
      case .tripCritical: Property("trip_critical", .double, unit: "Cel", .static)
      case .enabled: Property("enabled", .bool, .onChange)
      }
    }
  }

  static let states = ["nominal", "fair", "serious", "critical"]
  private static let folder = "/sys/class/thermal"

  let kind = "thermal"
  let name = "Thermal State"
  let intervals = Intervals(seconds: 2, minimum: 0.25, eventDriven: true)
  let topics: [ChangeTopic] = [.devices(subsystem: "thermal")]
  let hasAggregate = true
  static let table = Field.properties

  /// All zones by type, and the aggregate of them.
  func discover(on machine: Machine) -> Discovery {
    let absence = Availability.noDevices(in: Self.folder)
    let entries = (try? machine.files.entries(of: Self.folder)) ?? []
    let zones = entries.filter { $0.hasPrefix("thermal_zone") }
      .sorted(by: NaturalOrder.areInIncreasingOrder)
    if zones.isEmpty { return Discovery([], orElse: absence) }
    let available = Availability(.available, backend: "sysfs")
    var instances = [Instance.aggregate(available, label: name)]
    for zone in zones {
      let path = "\(Self.folder)/\(zone)"
      let type = AttributeFolder(path, ["type"], in: machine.files).read(0, .text).text ?? zone
      instances.append(
        Instance(type, aliases: [zone], availability: available, path: path))
    }
    return Discovery(instances.withDistinctNames(), orElse: absence)
  }

  /// Opens a zone; the aggregate has nothing of its own.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    instance.isAggregate ? nil : ThermalReader(instance.path, machine.files)
  }

  /// Computes the state from the temperature and the trips.
  func derive(_ reading: inout Reading) {
    reading[Field.state] = Self.state(of: reading)
  }

  /// The hottest temperature and the worst state.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    guard let first = members.first else { return }
    let hottest = members.filter { $0[Field.temperature].number != nil }
      .max { $0[Field.temperature].number ?? 0 < $1[Field.temperature].number ?? 0 }
    aggregate[Field.temperature] = (hottest ?? first)[Field.temperature]
    let ranks = members.compactMap { $0[Field.state].text.flatMap(Self.states.firstIndex) }
    aggregate[Field.state] =
      ranks.max().map { .ok(.string(Self.states[$0])) } ?? first[Field.state]
    let own: [Field] = [.tripActive, .tripPassive, .tripHot, .tripCritical, .enabled]
    for field in own {
      aggregate[field] = members.count == 1 ? first[field] : .noData("several zones")
    }
  }

  /// The worst trip reached.
  private static func state(of reading: Reading) -> Outcome {
    guard let temperature = reading[Field.temperature].number else {
      return reading[Field.temperature].asMissingInput
    }
    let ranks: [(Field, Int)] = [
      (.tripActive, 1), (.tripPassive, 2), (.tripHot, 3), (.tripCritical, 3),
    ]
    let trips = ranks.compactMap { field, rank in
      reading[field].number.map { (limit: $0, rank: rank) }
    }
    if trips.isEmpty { return .noData("the zone has no usable trips") }
    let rank = trips.filter { temperature >= $0.limit }.map(\.rank).max() ?? 0
    return .ok(.string(states[rank]))
  }
}

/// Reads one `/sys/class/thermal/thermal_zoneN`.
private final class ThermalReader: InstanceReader {
  private let zone: AttributeFolder
  /// The trips by their number in the kernel: the type, then the temperature.
  private let trips: AttributeFolder
  private let tripCount: Int
  /// Which trip gave a property, for its raw text.
  private var sources: [Int: Int] = [:]

  private static let types: [(word: String, field: Thermal.Field)] = [
    ("active", .tripActive), ("passive", .tripPassive), ("hot", .tripHot),
    ("critical", .tripCritical),
  ]

  init(_ path: String, _ files: any FileTree) {
    zone = AttributeFolder(path, ["temp", "mode"], in: files)
    let entries = (try? files.entries(of: path)) ?? []
    let prefixes = entries.filter { $0.hasPrefix("trip_point_") && $0.hasSuffix("_type") }
      .sorted(by: NaturalOrder.areInIncreasingOrder).map { $0.dropLast(4) }
    tripCount = prefixes.count
    trips = AttributeFolder(path, prefixes.flatMap { ["\($0)type", "\($0)temp"] }, in: files)
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    reading[Thermal.Field.temperature] = Self.temperature(zone.read(0, .milliCelsius))
    reading[Thermal.Field.enabled] = zone.read(1, .mode)
    if request.scope == .everything { readTrips(&reading) }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch Thermal.Field(rawValue: index) {
    case .temperature: zone.raw(0)
    case .enabled: zone.raw(1)
    default: sources[index].flatMap { trips.raw($0) }
    }
  }

  /// A zone that sleeps answers EINVAL, too.
  private static func temperature(_ outcome: Outcome) -> Outcome {
    guard outcome.status == .failed, let absence = outcome.absence,
      absence.errno == SystemText.invalid, !absence.reason.hasPrefix("cannot read")
    else { return outcome }
    return .noData(absence.reason, errno: absence.errno)
  }

  private func readTrips(_ reading: inout Reading) {
    let types = (0..<tripCount).map { trips.read(2 * $0, .text).text }
    for (word, field) in Self.types {
      let positions = types.indices.filter { types[$0] == word }.map { 2 * $0 + 1 }
      guard !positions.isEmpty else {
        reading[field] = .unsupported("the zone has no \(word) trip")
        continue
      }
      let limits = positions.map { (position: $0, outcome: trips.read($0, .limit)) }
      let lowest = limits.filter { $0.outcome.number != nil }
        .min { $0.outcome.number ?? 0 < $1.outcome.number ?? 0 }
      sources[field.rawValue] = lowest?.position ?? positions.first
      reading[field] = lowest?.outcome ?? Self.unusable(limits[0].outcome)
    }
  }

  private static func unusable(_ outcome: Outcome) -> Outcome {
    .noData(outcome.absence?.reason ?? "no limit is set", errno: outcome.absence?.errno ?? 0)
  }
}

extension TextRule {
  /// `enabled` or `disabled`.
  fileprivate static let mode = TextRule { text in
    if text.elementsEqual("enabled".utf8) { return .ok(.bool(true)) }
    return text.elementsEqual("disabled".utf8) ? .ok(.bool(false)) : .unparsable(text)
  }
}
