import Gathering
import Ground
import Machine
import Values

/// Reads one interface: its attributes below `/sys/class/net`, and its addresses.
final class NetworkReader: InstanceReader {
  private typealias Field = Network.Field

  private let interface: String
  private let path: String
  /// What the files say, in their order.
  private let fields = NetworkReader.attributes.map(\.0)
  private let files: [ParsedFile]
  private let name: KeptOutcome
  private var kind: InterfaceKind
  private let addresses: InterfaceAddressBook
  /// Whether the reading has what is the same in every one.
  private var isNamed = false

  init(_ instance: Instance, on machine: Machine) {
    path = instance.path
    let interface = instance.notes["interface"] ?? instance.name
    self.interface = interface
    name = KeptOutcome(.ok(.string(interface)))
    files = Self.attributes.map { [path] _, file, rule in
      ParsedFile("\(path)/\(file)", rule, in: machine.files)
    }
    kind = InterfaceKind(path: path, on: machine)
    addresses = InterfaceAddressBook(of: interface, on: machine)
  }

  private static let attributes: [(Field, String, TextRule)] =
    [
      (.state, "operstate", operatingState), (.carrier, "carrier", .flag),
      (.speed, "speed", bitRate), (.mtu, "mtu", .count), (.mac, "address", hardwareAddress),
    ]
    + [
      (.rxBytes, "rx_bytes"), (.txBytes, "tx_bytes"), (.rxPackets, "rx_packets"),
      (.txPackets, "tx_packets"), (.rxErrors, "rx_errors"), (.txErrors, "tx_errors"),
      (.rxDropped, "rx_dropped"), (.txDropped, "tx_dropped"),
    ].map { ($0, "statistics/\($1)", .count) }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let showsAddress = request.allow.permits(.mac)
    for place in fields.indices {
      let field = fields[place]
      if field == .mac && !showsAddress { continue }
      files.borrow(place) { $0.read(into: &reading, at: field.rawValue) }
      if field == .carrier || field == .speed { explain(field, &reading) }
    }
    if request.scope == .everything { kind.read(into: &reading) }
    if !isNamed {
      isNamed = true
      reading.set(Field.interface, to: name)
      reading.needTwoReadings(Field.rxRate)
      reading.needTwoReadings(Field.txRate)
    }
    addresses.read(allow: request.allow)
    reading.set(Field.ipv4Addresses, to: addresses.four)
    reading.set(Field.ipv6Addresses, to: addresses.six)
  }

  func raw(ofPropertyAt index: Int) -> RawValue? {
    switch Field(rawValue: index) {
    case .type: kind.raw
    case .interface: RawValue(interface.utf8, place: path)
    case .ipv4Addresses:
      addresses.four.outcome.value.text.map { RawValue($0.utf8, place: "rtnetlink") }
    case .ipv6Addresses: addresses.rawSix
    default: fields.firstIndex { $0.rawValue == index }.flatMap { files[$0].raw }
    }
  }

  /// An interface that is down answers EINVAL.
  private func explain(_ field: Field, _ reading: inout Reading) {
    guard reading.status(at: field.rawValue) == .failed,
      let absence = reading.absence(at: field.rawValue),
      absence.errno == SystemText.invalid, absence.reason.hasSuffix("Invalid argument")
    else { return }
    reading.set(field, to: Self.whileDown)
  }

  private static let whileDown = KeptOutcome(
    .noData("not known while the interface is down", errno: SystemText.invalid))

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

extension Outcome {
  /// Whether a file was read and says nothing.
  fileprivate var isSilence: Bool { status == .noData && absence?.errno == 0 }
}

/// The type of an interface, by the kernel's device type and its hardware type (ARPHRD_…).
private struct InterfaceKind {
  private let event: ParsedFile
  private let hardware: ParsedFile
  private let isLive: Bool
  /// Whether the device type is known: it is that of the driver, and stays.
  private var isTold = false

  init(path: String, on machine: Machine) {
    event = ParsedFile("\(path)/uevent", Self.deviceType, in: machine.files)
    hardware = ParsedFile("\(path)/type", Self.hardwareType, in: machine.files)
    isLive = machine.nature == .live
  }

  var raw: RawValue? { hardware.raw }

  mutating func read(into reading: inout Reading) {
    hardware.update()
    if !isTold {
      event.update()
      isTold = isLive && (event.hasValue || event.outcome.isSilence)
    }
    (event.hasValue ? event : hardware)
      .put(into: &reading, at: Network.Field.type.rawValue)
  }

  private static let deviceType = TextRule { text in
    let key = Array("DEVTYPE=".utf8)
    for line in Lines(of: text) where line.starts(with: key) {
      switch line.dropFirst(key.count).lenientText {
      case "wlan": return .ok(.string("wifi"))
      case "wwan": return .ok(.string("cellular"))
      case "bridge": return .ok(.string("bridge"))
      case "bond", "team": return .ok(.string("bond"))
      case "vlan": return .ok(.string("vlan"))
      case "vxlan", "geneve", "gretap", "ip6gretap", "wireguard", "bareudp":
        return .ok(.string("tunnel"))
      default: return .noData("another device type")
      }
    }
    return .noData("no device type")
  }

  private static let hardwareType = TextRule { text in
    let outcome = TextRule.count(text)
    guard case .int(let number) = outcome.value else { return outcome }
    return .ok(.string(word(forHardwareType: number)))
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
