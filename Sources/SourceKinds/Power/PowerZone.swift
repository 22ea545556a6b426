import Gathering
import Ground
import Machine
import Values

/// A zone of `/sys/class/powercap`: a part of the machine whose energy the kernel counts or models.
struct PowerZone {
  static let folder = "/sys/class/powercap"
  /// Where the same counters of processors show, the first that can be read being used.
  private static let twins = ["intel-rapl", "intel-rapl-mmio", "intel-rapl-tpmi"]
  /// More are not read.
  private static let most = 256

  private let name: String
  /// The names of the zones it lies in, then its own.
  let id: String
  let parent: String?
  private let control: Substring
  private let path: String
  /// Why its energy cannot be read; nil if it can.
  private let refusal: SystemError?
  private let range: Int64?

  /// The zones of a machine, depth first, each once.
  static func all(on files: any FileTree) -> [PowerZone] {
    let entries = ((try? files.entries(of: folder)) ?? []).filter { $0.contains(":") }
      .sorted { left, right in
        let ranks = (rank(of: left), rank(of: right))
        return ranks.0 == ranks.1
          ? NaturalOrder.areInIncreasingOrder(left, right) : ranks.0 < ranks.1
      }
    var zones: [PowerZone] = []
    var ids: [String: String] = [:]
    for entry in entries.prefix(most) {
      let zone = PowerZone(entry, inside: ids[above(entry) ?? ""], files)
      ids[entry] = zone.id
      let twin = zones.firstIndex { $0.id == zone.id && $0.isTwin(of: zone) }
      guard let twin else {
        zones.append(zone)
        continue
      }
      if zones[twin].refusal != nil, zone.refusal == nil { zones[twin] = zone }
    }
    return zones.filter { $0.parent == nil }.flatMap { nested($0, zones, depth: 0) }
  }

  private static func nested(_ zone: PowerZone, _ zones: [PowerZone], depth: Int) -> [PowerZone] {
    // A name of the kernel's has fewer parts.
    guard depth < 16 else { return [zone] }
    return [zone]
      + zones.filter { $0.parent == zone.id }.flatMap { nested($0, zones, depth: depth + 1) }
  }

  private static func rank(of entry: String) -> Int {
    let control = entry.prefix { $0 != ":" }
    return twins.firstIndex { $0 == control } ?? twins.count
  }

  /// `intel-rapl:0` of `intel-rapl:0:2`; nil of a zone that lies in none.
  private static func above(_ entry: String) -> String? {
    guard let colon = entry.lastIndex(of: ":") else { return nil }
    let rest = entry[..<colon]
    return rest.contains(":") ? String(rest) : nil
  }

  private init(_ entry: String, inside parent: String?, _ files: any FileTree) {
    let control = entry.prefix { $0 != ":" }
    self.control = control
    path = "\(Self.folder)/\(entry)"
    let attributes = AttributeFolder(path, ["name", "max_energy_range_uj"], in: files)
    let name = attributes.read(0, .text).text ?? entry
    self.name = name
    range = attributes.read(1, .count).integer.flatMap { $0 > 0 ? $0 : nil }
    // Zones of the thermal framework have names that say where they are.
    id = parent.flatMap { control == "dtpm" ? nil : "\($0).\(name)" } ?? name
    self.parent = parent
    do throws(SystemError) {
      _ = try PolledFile("\(path)/energy_uj", in: files).read()
      refusal = nil
    } catch {
      refusal = error
    }
  }

  private func isTwin(of other: PowerZone) -> Bool {
    control != other.control && Self.twins.contains { $0 == control }
      && Self.twins.contains { $0 == other.control }
  }

  private var domain: PowerDomain {
    switch name {
    case "core": .cores
    case "uncore": .uncore
    case "dram": .memory
    case _ where name.hasPrefix("package-"): .package
    case _ where name.hasPrefix("psys"): .platform
    default: .other
    }
  }

  /// It as an instance. One that shows everything but its energy is there all the same.
  var instance: Instance {
    var availability = Availability(.available, backend: "powercap")
    if let refusal, [SystemText.accessDenied, SystemText.notPermitted].contains(refusal.code) {
      availability = Availability(
        .available, backend: "powercap", detail: "limits only", errno: refusal.code,
        remedy: EnergyMeter.remedy)
    }
    let coverage = parent != nil ? "part" : domain == .platform ? "machine" : "device"
    var notes = ["backend": "powercap", "domain": domain.rawValue, "coverage": coverage]
    notes["parent"] = parent
    var instance = Instance(
      id, aliases: [String(path.dropFirst(Self.folder.count + 1))], availability: availability,
      path: path, notes: notes, isMember: domain.isSummed || domain == .platform)
    instance.longestGap = range.map(EnergyMeter.longestGap(ofRange:))
    return instance
  }

  /// How a zone is read.
  static func plan(of instance: Instance, _ files: any FileTree) -> PowerPlan {
    var plan = PowerPlan(of: instance)
    plan.energy = "energy_uj"
    // A model of the kernel's, not a meter.
    plan.watts = [("power_uw", .microModelled)]
    plan.mayStandStill = ["package", "platform"].contains(instance.notes["domain"])
    plan.range = AttributeFolder(instance.path, ["max_energy_range_uj"], in: files)
      .read(0, .count).integer.flatMap { $0 > 0 ? $0 : nil }
    let names = (0..<8).map { "constraint_\($0)_name" }
    let folder = AttributeFolder(instance.path, names, in: files)
    for (field, word) in [(Power.Field.limit, "long_term"), (.limitShort, "short_term")] {
      if let number = names.indices.first(where: { folder.read($0, .text).text == word }) {
        let file = "constraint_\(number)_power_limit_uw"
        plan.columns.append(.init(field, file, .microLimit))
      } else {
        plan.constants[field.rawValue] = .unsupported("no constraint is called \(word)")
      }
    }
    plan.columns.append(
      .init(Power.Field.energyRange, "max_energy_range_uj", .micro, isStatic: true))
    return plan
  }
}

extension TextRule {
  /// Millionths of a watt that were computed.
  fileprivate static let microModelled = micro.map { .ok($0, lowAccuracy: true) }
}
