import Gathering
import Machine
import Values

/// A wireless link as NetworkManager describes it.
struct ConnectionLink {
  /// The device, with what it tells as any device.
  let device: BusObject
  /// The device, with what it tells as a wireless one.
  let wireless: (object: BusObject?, absence: Outcome)
  /// The access point in use.
  let accessPoint: (object: BusObject?, absence: Outcome)

  private typealias Daemon = ConnectionDaemon

  /// What is known of a property.
  func value(of field: WiFi.Field) -> ReportedValue {
    switch field {
    case .connected: connected
    case .ssid, .ssidBytes, .bssid, .signalQuality, .frequency, .security: ofAccessPoint(field)
    case .txBitrate: noLink.map { ($0, nil) } ?? ofWireless("Bitrate", Self.bitrate)
    case .mode: ofWireless("Mode", Self.mode)
    case .mac: ofWireless("HwAddress") { $0.asHardwareAddress }
    case .interface: device.reported(Daemon.device, "Interface") { $0.asText }
    case .signal: (.unsupported("NetworkManager reports percent, not dBm"), nil)
    default: (.unsupported("NetworkManager does not report it"), nil)
    }
  }

  // MARK: The link

  /// `Mode`: 1 ad-hoc, 2 a client, 3 an access point, 4 of a mesh.
  private var role: Int64? { wireless.object?[Daemon.wireless, "Mode"]?.integer }

  /// From the moment it asks for addresses (70) until it takes the link down again (110) there is
  /// a link; an access point and a mesh have none of their own.
  private var isConnected: Bool {
    let state = device[Daemon.device, "State"]?.integer ?? 0
    return (70...100).contains(state) && role != 3 && role != 4
  }

  private var connected: ReportedValue {
    device.reported(Daemon.device, "State") { state in
      state.integer.map { _ in .ok(.bool(isConnected)) }
    }
  }

  /// Why there is nothing to tell of a link; nil where there is one.
  private var noLink: Outcome? {
    if isConnected { return nil }
    let reported = connected.outcome
    return reported.status == .ok ? .noData("not connected") : reported
  }

  // MARK: One property

  private func ofWireless(
    _ name: String, _ rule: (BusValue) -> Outcome?
  ) -> ReportedValue {
    wireless.object?.reported(Daemon.wireless, name, rule) ?? (wireless.absence, nil)
  }

  private func ofAccessPoint(_ field: WiFi.Field) -> ReportedValue {
    // An access point has a name and a channel, though it is connected to no network.
    let isOwn = role == 3 && [.ssid, .ssidBytes, .frequency].contains(field)
    if !isOwn, let noLink { return (noLink, nil) }
    guard let point = accessPoint.object else {
      return (wireless.object == nil ? wireless.absence : accessPoint.absence, nil)
    }
    switch field {
    case .ssid: return point.reported(Daemon.accessPoint, "Ssid") { Self.name($0, asBytes: false) }
    case .ssidBytes:
      return point.reported(Daemon.accessPoint, "Ssid") { Self.name($0, asBytes: true) }
    case .bssid: return point.reported(Daemon.accessPoint, "HwAddress") { $0.asHardwareAddress }
    case .signalQuality:
      return point.reported(Daemon.accessPoint, "Strength") { value in
        value.count("Strength", in: 0...100) { .ok(.double(Double($0))) }
      }
    case .frequency: return point.reported(Daemon.accessPoint, "Frequency", Self.frequency)
    default: return Self.security(of: point)
    }
  }

  static func name(_ value: BusValue, asBytes: Bool) -> Outcome? {
    guard let bytes = value.bytes else { return nil }
    if bytes.allSatisfy({ $0 == 0 }) { return .noData("the network hides its name") }
    if bytes.count > 32 {
      return .failed("a name of \(bytes.count) bytes", errno: SystemText.invalid)
    }
    return .ok(asBytes ? .bytes(bytes) : .string(bytes[...].lenientText))
  }

  /// MHz; 0 stands for "unknown".
  static func frequency(_ value: BusValue) -> Outcome? {
    value.count("Frequency", in: 0...1_000_000) { megahertz in
      megahertz == 0 ? .noData("reported as 0") : .ok(.double(Double(megahertz) * 1e6))
    }
  }

  /// kbit/s; 0 before anything was sent.
  private static func bitrate(_ value: BusValue) -> Outcome? {
    value.count("Bitrate", in: 0...Int64(UInt32.max)) { rate in
      rate == 0
        ? .noData("nothing has been sent at a known rate") : .ok(.double(Double(rate) * 1000))
    }
  }

  private static func mode(_ value: BusValue) -> Outcome? {
    value.count { number in
      switch number {
      case 0: .noData("reported as 0")
      case 1: .ok(.string("ibss"))
      case 2: .ok(.string("station"))
      case 3: .ok(.string("access_point"))
      case 4: .ok(.string("mesh"))
      default: .ok(.string("other"))
      }
    }
  }

  // MARK: Security

  /// The key managements of RSN, NM80211ApSecurityFlags.
  private static let keyManagements: [(bit: Int64, security: WirelessSecurity)] = [
    (0x100, .wpa2Personal), (0x200, .wpa2Enterprise), (0x400, .wpa3Personal), (0x800, .owe),
    (0x2000, .wpa3Enterprise),
  ]

  /// The weakest key management the access point accepts, and the property that says so.
  private static func security(of point: BusObject) -> ReportedValue {
    var flags: [String: Int64] = [:]
    for name in ["Flags", "WpaFlags", "RsnFlags"] {
      let reported = point.reported(Daemon.accessPoint, name) { $0.count { _ in .ok(.none) } }
      guard reported.outcome.status == .ok, let number = point[Daemon.accessPoint, name]?.integer
      else { return reported }
      flags[name] = number
    }
    let raw = { (name: String) in
      point[Daemon.accessPoint, name].map { RawValue($0, place: "\(Daemon.accessPoint).\(name)") }
    }
    // WPA, the first of them, by whatever keys. An open network that says it has a sister with OWE
    // (0x1000) stays an open one.
    if flags["WpaFlags", default: 0] & 0x3F00 & ~0x1000 != 0 {
      return (.ok(.string(WirelessSecurity.wpa.rawValue)), raw("WpaFlags"))
    }
    let robust = flags["RsnFlags", default: 0] & ~0x1000
    if robust != 0 {
      let accepted = keyManagements.filter { robust & $0.bit != 0 }.map(\.security).min()
      return (
        accepted.map { .ok(.string($0.rawValue)) } ?? .noData("an unknown key management"),
        raw("RsnFlags")
      )
    }
    let isPrivate = flags["Flags", default: 0] & 1 != 0
    let security = isPrivate ? WirelessSecurity.wep : .open
    return (.ok(.string(security.rawValue)), raw("Flags"))
  }
}
