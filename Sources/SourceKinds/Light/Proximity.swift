import Gathering
import Machine
import Values

/// Whether something is near the device, and how near.
struct Proximity: CatalogueKind {
  enum Field: Int, SensorField {
    case near, raw, distance, nearLevel, role
    case samplingFrequency, acquisition, driver, label, location

    var property: Property {
      switch self {
      case .near: Property("near", .bool, .onChange)
      case .raw: Property("raw", .int, unit: "1", .continuous)
      case .distance: Property("distance", .double, unit: "m", .continuous)
      case .nearLevel: Property("near_level", .int, unit: "1", .static)
      case .role: Property("role", .enumeration(Role.allCases.map(\.rawValue)), .static)
      case .samplingFrequency, .acquisition, .driver, .label, .location: tailProperty
      }
    }
  }

  let kind = "proximity"
  let name = "Proximity"
  let intervals = Intervals(seconds: 0.2, minimum: 0.02, eventDriven: true)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "iio"), .devices(subsystem: "input"), .bus(SensorProxy.service),
  ]
  static let table = Field.properties

  /// What a sensor watches: the user's face, an antenna, or a part of the case.
  enum Role: String, CaseIterable {
    case user, wifi, lte, palmrest, lap, other

    /// The role in a label `proximity-wifi-left`; the user's without such a label.
    init(label: String?) {
      guard let label, label.hasPrefix("proximity-") else {
        self = .user
        return
      }
      let word = label.dropFirst("proximity-".count).prefix { $0 != "-" }
      self = Role(rawValue: String(word)) ?? .other
    }
  }

  /// All IIO devices with a proximity channel, then input devices with such a switch; of all these
  /// the ones for the user first.
  func discover(on machine: Machine) -> Discovery {
    var discovery = IIODevice.discover("a proximity sensor", on: machine) { device, _ in
      guard let plan = Self.plan(device) else { return nil }
      let table = plan.properties(Self.table, on: machine)
      var instance = plan.instance(properties: table, on: machine)
      instance.notes["role"] = Role(label: device.label).rawValue
      return instance
    }
    let user = Role.user.rawValue
    let isForUser = { (instance: Instance) in instance.notes["role"] ?? user == user }
    discovery.instances += SensorProxy.instances(
      of: .proximity, beside: discovery.instances, on: machine)
    let all = (discovery.instances + ProximitySwitch.instances(on: machine)).withDistinctNames()
    discovery.instances = all.filter(isForUser) + all.filter { !isForUser($0) }
    return discovery
  }

  /// Opens a sensor or a switch.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.notes["event"] != nil { return try ProximitySwitch(instance, on: machine) }
    if instance.notes["sensor"] != nil { return Self.proxyReader(on: machine) }
    guard let plan = Self.plan(IIODevice(instance.path, on: machine)) else {
      throw .unavailable(.gone(instance))
    }
    return ProximityReader(plan, on: machine)
  }

  private static func proxyReader(on machine: Machine) -> SensorProxyReader {
    SensorProxyReader(
      SensorProxyClaim(.proximity, on: machine), tail: Field.tail,
      count: table.count, names: [Field.near.rawValue: "ProximityNear"]
    ) { reported in
      let near = Outcome.of(reported["ProximityNear"], "ProximityNear", { $0.asFlag })
      return [
        Field.near.rawValue: near, Field.role.rawValue: .ok(.string(Role.user.rawValue)),
      ]
    }
  }

  private static func plan(_ device: IIODevice) -> SensorPlan? {
    guard let channel = device.channels("proximity").first else { return nil }
    let hasScale = device.attribute("scale", of: channel) != nil
    var plan = SensorPlan(
      device,
      numbers: [
        (Field.raw.rawValue, [channel]), (Field.distance.rawValue, hasScale ? [channel] : []),
      ], tail: Field.tail)
    // The scale converts the number to a distance; levels refer to the unscaled number.
    plan.columns[0].device = device.withoutScale(of: channel)
    return plan
  }
}
