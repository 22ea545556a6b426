import Gathering
import Machine
import Values

/// A wireless link as iwd describes it.
struct WirelessLink {
  /// What it measures, or why it does not tell.
  enum Diagnosis {
    case reported([String: BusValue])
    case absent(Outcome)
  }

  /// The device, with the station it is.
  let device: BusObject
  /// The network a station is connected to.
  let network: BusObject?
  /// What is measured of the link.
  let diagnosis: Diagnosis

  private typealias Daemon = WirelessDaemon

  /// What is known of a property.
  func value(of field: WiFi.Field) -> ReportedValue {
    switch field {
    case .connected: connected
    case .ssid, .ssidBytes: name(asBytes: field == .ssidBytes)
    case .bssid: measured("ConnectedBss") { $0.asHardwareAddress }
    case .signal: measured("RSSI", Self.signal)
    case .txBitrate: measured("TxBitrate", or: "TxRate", Self.bitrate)
    case .rxBitrate: measured("RxBitrate", or: "RxRate", Self.bitrate)
    case .frequency: measured("Frequency", ConnectionLink.frequency)
    case .security: security
    case .connectedTime: measured("ConnectedTime") { Self.time($0, per: 1) }
    case .inactiveTime: measured("InactiveTime") { Self.time($0, per: 1000) }
    case .mode: device.reported(Daemon.device, "Mode", Self.mode)
    case .interface: device.reported(Daemon.device, "Name") { $0.asText }
    case .mac: device.reported(Daemon.device, "Address") { $0.asHardwareAddress }
    case .signalQuality: (.unsupported("iwd tells dBm, and no percent"), nil)
    default: (.unsupported("iwd does not report it"), nil)
    }
  }

  // MARK: The link

  /// Whether there is a link: one that roams stays connected, an ad-hoc network is one, too.
  var isConnected: Bool { connected.outcome.value == .bool(true) }

  private var connected: ReportedValue {
    if device.interfaces[Daemon.station] != nil {
      return device.reported(Daemon.station, "State") { value in
        switch value.text {
        case "connected", "roaming": .ok(.bool(true))
        case "disconnected", "connecting", "disconnecting": .ok(.bool(false))
        default: nil
        }
      }
    }
    if device.interfaces[Daemon.adHoc] != nil {
      return device.reported(Daemon.adHoc, "Started") { $0.asFlag }
    }
    return (.ok(.bool(false)), nil)
  }

  /// Why there is nothing to tell of a link; nil where there is one.
  private var noLink: Outcome? {
    if isConnected { return nil }
    let reported = connected.outcome
    return reported.status == .ok ? .noData("not connected") : reported
  }

  /// The network's name, which iwd tells as text only; an access point has one of its own.
  private func name(asBytes: Bool) -> ReportedValue {
    let rule = { (value: BusValue) -> Outcome? in
      value.text.flatMap { ConnectionLink.name(.bytes(Array($0.utf8)), asBytes: asBytes) }
    }
    if let own = [Daemon.accessPoint, Daemon.adHoc].first(where: { device[$0, "Name"] != nil }) {
      return device.reported(own, "Name", rule)
    }
    if let noLink { return (noLink, nil) }
    return network?.reported(Daemon.network, "Name", rule)
      ?? (.noData("iwd does not name the network"), nil)
  }

  // MARK: What it measures

  private func measured(
    _ key: String, or other: String? = nil, _ rule: (BusValue) -> Outcome?
  ) -> ReportedValue {
    if let noLink { return (noLink, nil) }
    switch diagnosis {
    case .absent(let outcome): return (outcome, nil)
    case .reported(let values):
      let found = [key, other].compactMap(\.self).first { values[$0] != nil } ?? key
      guard let value = values[found] else {
        return (.noData("iwd does not tell \(key) at present"), nil)
      }
      let place = "\(Daemon.diagnostic).GetDiagnostics.\(found)"
      return (.of(value, found, rule), RawValue(value, place: place))
    }
  }

  /// dBm; a number that is none of a signal's is an error.
  private static func signal(_ value: BusValue) -> Outcome? {
    value.count("RSSI", in: -128...127) { .ok(.double(Double($0))) }
  }

  /// 100 kbit/s.
  private static func bitrate(_ value: BusValue) -> Outcome? {
    value.count("the bit rate", in: 0...Int64(UInt32.max)) { rate in
      rate == 0
        ? .noData("nothing has been sent at a known rate")
        : .ok(.double(Double(rate) * 100_000))
    }
  }

  private static func time(_ value: BusValue, per second: Double) -> Outcome? {
    value.count("the time", in: 0...Int64(UInt32.max)) { .ok(.double(Double($0) / second)) }
  }

  private static func mode(_ value: BusValue) -> Outcome? {
    switch value.text {
    case nil: nil
    case "station": .ok(.string("station"))
    case "ap": .ok(.string("access_point"))
    case "ad-hoc": .ok(.string("ibss"))
    default: .ok(.string("other"))
    }
  }

  // MARK: Security

  /// iwd's words for the security of a connection; what follows ` + ` is about roaming.
  private static let securities: [String: WirelessSecurity] = [
    "Open": .open, "WEP": .wep, "OWE": .owe, "WPA1-Personal": .wpa,
    "WPA2-Personal": .wpa2Personal, "WPA2-Enterprise": .wpa2Enterprise,
    "WPA3-Personal": .wpa3Personal, "WPA3-Enterprise": .wpa3Enterprise,
  ]

  /// What the connection was made with. Of a network iwd tells the family only, which is no more
  /// than a hint but for those without keys.
  private var security: ReportedValue {
    let reported = measured("Security") { value in
      guard let text = value.text else { return nil }
      let word = text.split(separator: "+").first.map { String($0).trimmingEnd } ?? ""
      return Self.securities[word].map { .ok(.string($0.rawValue)) }
        ?? .noData("an unknown key management")
    }
    guard reported.outcome.status == .noData, reported.raw == nil, noLink == nil,
      let type = network?[Daemon.network, "Type"], type.text == "open" || type.text == "wep",
      let word = type.text
    else { return reported }
    return (.ok(.string(word)), RawValue(type, place: "\(Daemon.network).Type"))
  }
}

extension String {
  /// The text without spaces at its end.
  fileprivate var trimmingEnd: String {
    var rest = self[...]
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
