import Gathering
import Machine
import Values

/// Network interfaces and their traffic, from `/sys/class/net` and rtnetlink.
struct Network: CatalogueKind {
  enum Field: Int, PropertyField {
    case state, carrier, type, speed, mtu, rxBytes, txBytes, rxPackets, txPackets
    case rxErrors, txErrors, rxDropped, txDropped, rxRate, txRate
    case ipv4Addresses, ipv6Addresses, mac, interface

    var property: Property {
      switch self {
      case .state: Property("state", .enumeration(Network.states), .onChange)
      case .carrier: Property("carrier", .bool, .onChange)
      case .type: Property("type", .enumeration(Network.types), .static)
      case .speed: Property("speed", .double, unit: "bit/s", .onChange)
      case .mtu: Property("mtu", .int, unit: "By", .onChange, name: "MTU")
      case .rxBytes:
        Property("rx_bytes", .int, unit: "By", .continuous, .counter, name: "Received bytes")
      case .txBytes:
        Property("tx_bytes", .int, unit: "By", .continuous, .counter, name: "Sent bytes")
      case .rxPackets:
        Property("rx_packets", .int, unit: "1", .continuous, .counter, name: "Received packets")
      case .txPackets:
        Property("tx_packets", .int, unit: "1", .continuous, .counter, name: "Sent packets")
      case .rxErrors:
        Property("rx_errors", .int, unit: "1", .continuous, .counter, name: "Receive errors")
      case .txErrors:
        Property("tx_errors", .int, unit: "1", .continuous, .counter, name: "Send errors")
      case .rxDropped:
        Property("rx_dropped", .int, unit: "1", .continuous, .counter, name: "Received and dropped")
      case .txDropped:
        Property("tx_dropped", .int, unit: "1", .continuous, .counter, name: "Dropped unsent")
      case .rxRate:
        Property("rx_rate", .double, unit: "By/s", .continuous, .derived, name: "Receive rate")
      case .txRate:
        Property("tx_rate", .double, unit: "By/s", .continuous, .derived, name: "Send rate")
      case .ipv4Addresses: Property("ipv4_addresses", .string, .onChange, name: "IPv4 addresses")
      case .ipv6Addresses: Property("ipv6_addresses", .string, .onChange, name: "IPv6 addresses")
      case .mac: Property("mac", .string, .onChange, category: .mac, name: "MAC address")
      case .interface: Property("interface", .string, .onChange)
      }
    }
  }

  let kind = "network"
  let name = "Network"
  let intervals = Intervals(seconds: 1, minimum: 0.25, eventDriven: true)
  let topics: [ChangeTopic] = [.network]
  let hasAggregate = true
  /// Rates over the time between two updates.
  let spans: [SpanRule] = [
    .rate(Field.rxRate.rawValue, of: Field.rxBytes.rawValue),
    .rate(Field.txRate.rawValue, of: Field.txBytes.rawValue),
  ]

  static let table = Field.properties

  static let folder = "/sys/class/net"
  static let states = [
    "up", "down", "dormant", "testing", "lower_layer_down", "not_present", "unknown",
  ]
  static let types = [
    "ethernet", "wifi", "cellular", "loopback", "bridge", "bond", "vlan", "tunnel", "other",
  ]

  /// The interfaces, after the aggregate of all.
  func discover(on machine: Machine) -> Discovery {
    let names: [String]
    do {
      names = try machine.files.entries(of: Self.folder)
    } catch {
      return Discovery([], orElse: Availability(listing: error, backend: "sysfs"))
    }
    var found = names.sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { Self.instance($0, in: machine.files) }.withDistinctNames()
    let none = Availability(
      .noHardware, backend: "sysfs", detail: "\(Self.folder) holds no interface")
    if found.isEmpty { return Discovery([], orElse: none) }
    let hasDevices = found.contains { $0.notes["device"] != nil }
    for index in found.indices {
      let notes = found[index].notes
      found[index].isMember = hasDevices ? notes["device"] != nil : notes["interface"] != "lo"
    }
    let all = Instance.aggregate(Availability(.available, backend: "sysfs"), label: "All networks")
    return Discovery([all] + found, orElse: none)
  }

  /// An interface by its kernel name; nil if there is no such interface.
  static func instance(_ name: String, in files: any FileTree) -> Instance? {
    let path = "\(folder)/\(name)"
    // `bonding_masters` is a file among the interfaces.
    guard (try? files.entries(of: path)) != nil else { return nil }
    var notes = ["interface": name]
    if (try? files.entries(of: "\(path)/device")) != nil { notes["device"] = "\(path)/device" }
    let assigned = Outcome(reading: PolledFile("\(path)/name_assign_type", in: files), .integer())
    let place =
      assigned.value == .int(1) ? notes["device"].flatMap { PersistentPath.of($0, in: files) } : nil
    return Instance(
      place ?? name, label: name, aliases: place == nil ? [] : [name],
      availability: Availability(.available, backend: "sysfs"), path: path, notes: notes)
  }

  /// Opens an interface; the aggregate has nothing of its own.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    instance.isAggregate ? nil : NetworkReader(instance, on: machine)
  }

  /// The loopback never counts.
  func counts(_ place: Int, of members: [Reading]) -> Bool {
    !members.has("loopback", at: Field.type.rawValue, of: place)
  }

  /// Sums of counters; up if any is up; values that differ are no data.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    let none = "no interface to count"
    let several = "several interfaces"
    if members.isPlain(Field.state) {
      aggregate.set(Field.state.rawValue, asIn: members, at: 0)
    } else {
      aggregate.set(Field.state, to: Self.state(of: members, noMember: none))
    }
    if members.isPlain(Field.carrier), members.flag(at: Field.carrier.rawValue, of: 0) != nil {
      aggregate.set(Field.carrier.rawValue, asIn: members, at: 0)
    } else {
      aggregate[Field.carrier] = members.any(Field.carrier, noMember: none)
    }
    members.setCommon(Field.type, in: &aggregate, noMember: none, several: several)
    for index in Field.rxBytes.rawValue...Field.txDropped.rawValue {
      if let field = Field(rawValue: index) {
        members.setSum(field, in: &aggregate, noMember: none)
      }
    }
    let absence = members.isEmpty ? Self.noMember : Self.severalMembers
    for field in Self.ownToEach { aggregate.set(field, to: absence) }
  }

  private static let ownToEach: [Field] = [
    .speed, .mtu, .ipv4Addresses, .ipv6Addresses, .mac, .interface,
  ]
  private static let noMember = KeptOutcome(.noData("no interface to count"))
  private static let severalMembers = KeptOutcome(.noData("several interfaces"))

  /// Up if any is up, else the most active state present.
  private static func state(of members: [Reading], noMember: String) -> Outcome {
    let order = [
      "up", "dormant", "testing", "lower_layer_down", "unknown", "down", "not_present",
    ]
    var best: (place: Int, member: Int)?
    for index in members.indices {
      let outcome = members[index][Field.state]
      guard outcome.status == .ok, case .string(let word) = outcome.value else { continue }
      let place = order.firstIndex(of: word) ?? order.count
      if place < best?.place ?? .max { best = (place, index) }
    }
    guard let member = best?.member ?? members.indices.first else { return .noData(noMember) }
    var outcome = members[member][Field.state]
    if outcome.status == .ok { outcome = .ok(outcome.value) }
    return outcome
  }
}
