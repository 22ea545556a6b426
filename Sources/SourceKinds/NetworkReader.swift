import Gathering
import Machine

/// Reads one interface: its attributes below `/sys/class/net`, and its addresses.
final class NetworkReader: InstanceReader {
  private typealias Field = Network.Field

  private let interface: String
  private let path: String
  private let attributes: AttributeReader
  private let carrier: KeptFile
  private let speed: KeptFile
  private let kind: InterfaceKind
  private let addresses: InterfaceAddressBook

  init(_ instance: Instance, on machine: Machine) {
    path = instance.path
    interface = instance.notes["interface"] ?? instance.name
    attributes = AttributeReader(
      Self.attributes(below: path), of: Network.table, in: machine.files)
    carrier = KeptFile("\(path)/carrier", in: machine.files)
    speed = KeptFile("\(path)/speed", in: machine.files)
    kind = InterfaceKind(path: path, in: machine.files)
    addresses = InterfaceAddressBook(of: interface, on: machine)
  }

  private static func attributes(below path: String) -> [Attribute] {
    let counters: [(Field, String)] = [
      (.rxBytes, "rx_bytes"), (.txBytes, "tx_bytes"), (.rxPackets, "rx_packets"),
      (.txPackets, "tx_packets"), (.rxErrors, "rx_errors"), (.txErrors, "tx_errors"),
      (.rxDropped, "rx_dropped"), (.txDropped, "tx_dropped"),
    ]
    return [
      Attribute(Field.state.rawValue, "\(path)/operstate", operatingState),
      Attribute(Field.mtu.rawValue, "\(path)/mtu", .count),
      Attribute(Field.mac.rawValue, "\(path)/address", hardwareAddress),
    ] + counters.map { Attribute($0.0.rawValue, "\(path)/statistics/\($0.1)", .count) }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    attributes.read(request, into: &reading)
    reading[Field.carrier] = Self.whileUp(Outcome(reading: carrier, .flag))
    reading[Field.speed] = Self.whileUp(Outcome(reading: speed, Self.bitRate))
    if request.scope == .everything {
      reading[Field.type] = kind.read()
      reading[Field.interface] = .ok(.string(interface))
      for rate in [Field.rxRate, .txRate] where reading[rate] == .notRead {
        reading[rate] = .needsTwoReadings
      }
    }
    addresses.read(allow: request.allow)
    reading[Field.ipv4Addresses] = addresses.four
    reading[Field.ipv6Addresses] = addresses.six
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch Field(rawValue: index) {
    case .carrier: carrier.lastRaw
    case .speed: speed.lastRaw
    case .type: kind.raw
    case .interface: RawValue(interface.utf8, place: path)
    case .ipv4Addresses: addresses.four.value.text.map { RawValue($0.utf8, place: "rtnetlink") }
    case .ipv6Addresses: addresses.rawSix
    default: attributes.raw(ofPropertyAt: index)
    }
  }

  /// An interface that is down answers EINVAL.
  private static func whileUp(_ outcome: Outcome) -> Outcome {
    guard outcome.status == .failed, let absence = outcome.absence,
      absence.errno == SystemText.invalid, absence.reason.hasSuffix("Invalid argument")
    else { return outcome }
    return .noData("not known while the interface is down", errno: absence.errno)
  }

  private static let operatingState = TextRule.word([
    "lowerlayerdown": "lower_layer_down", "notpresent": "not_present", "unknown": "unknown",
  ])

  private static let bitRate = TextRule { text in
    switch TextRule.integer()(text).value {
    case .int(-1), .int(0xFFFF_FFFF): .noData("the speed is unknown")
    case .int(let megabits) where megabits >= 0: .ok(.double(Double(megabits) * 1_000_000))
    default: .unparsable(text)
    }
  }

  /// Two-digit groups with colons, upper-case; the loopback's zeros are no address.
  private static let hardwareAddress = TextRule { text in
    let groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    let areGroups = groups.allSatisfy { group in
      group.count == 2 && group.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
    guard areGroups else { return .unparsable(text) }
    if text.allSatisfy({ $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ":") }) {
      return .noData("no hardware address")
    }
    return .ok(.string(text.lenientText.uppercased()))
  }
}

/// What an interface is, by the kernel's device type and its hardware type (ARPHRD_…).
private struct InterfaceKind {
  private let event: KeptFile
  private let hardware: KeptFile

  init(path: String, in files: any FileTree) {
    event = KeptFile("\(path)/uevent", in: files)
    hardware = KeptFile("\(path)/type", in: files)
  }

  var raw: RawValue? { hardware.lastRaw }

  func read() -> Outcome {
    let number = Outcome(reading: hardware, .count)
    if let word = deviceType { return .ok(.string(word)) }
    guard case .int(let number) = number.value else { return number }
    return .ok(.string(Self.word(forHardwareType: number)))
  }

  private var deviceType: String? {
    guard let text = try? event.read() else { return nil }
    let key = Array("DEVTYPE=".utf8)
    for line in Lines(of: text) where line.starts(with: key) {
      switch line.dropFirst(key.count).lenientText {
      case "wlan": return "wifi"
      case "wwan": return "cellular"
      case "bridge": return "bridge"
      case "bond", "team": return "bond"
      case "vlan": return "vlan"
      case "vxlan", "geneve", "gretap", "ip6gretap", "wireguard", "bareudp": return "tunnel"
      default: return nil
      }
    }
    return nil
  }

  private static func word(forHardwareType number: Int64) -> String {
    switch number {
    case 1: "ethernet"
    case 772: "loopback"
    case 768, 769, 776, 778, 823, 65534: "tunnel"
    case 801, 802, 803: "wifi"
    case 519, 530: "cellular"
    default: "other"
    }
  }
}
