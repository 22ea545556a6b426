import Gathering
import Machine
import Values

/// What nl80211 answers about one interface, each request for itself, and what that means.
struct WiFiReplies {
  /// A value, and how the kernel put it.
  typealias ReportedValue = (outcome: Outcome, raw: RawValue?)

  private let interface: Result<RadioInterface, NetlinkError>
  private let network: Result<RadioNetwork?, NetlinkError>
  private let stations: Result<[RadioStation], NetlinkError>
  private let savesPower: Result<Bool, NetlinkError>

  /// Asks about the interface of an index.
  init(of index: UInt32, from link: any RadioLink) {
    interface = Result { () throws(NetlinkError) in try link.interface(index) }
    network = Result { () throws(NetlinkError) in try link.network(of: index) }
    stations = Result { () throws(NetlinkError) in try link.stations(of: index) }
    savesPower = Result { () throws(NetlinkError) in try link.savesPower(index) }
  }

  /// What is known of a property.
  func value(of field: WiFi.Field) -> ReportedValue {
    switch field {
    case .connected: (connected, joined.map { count($0.status, "BSS_STATUS") })
    case .ssid, .ssidBytes, .bssid, .security: ofNetwork(field)
    case .signal, .signalQuality: ofSignal(field)
    case .frequency, .channelWidth, .mode, .interface, .mac: ofInterface(field)
    case .powerSave:
      of(savesPower) { saves in
        (.ok(.bool(saves)), count(UInt32(saves ? 1 : 0), "ATTR_PS_STATE"))
      }
    default: ofStation(field)
    }
  }
}

// MARK: - The link

extension WiFiReplies {
  private static let notConnected = Outcome.noData("not connected")

  private var type: RadioWords.InterfaceType? {
    (try? interface.get().type).flatMap(RadioWords.InterfaceType.init)
  }
  /// Whether it is a client of an access point: a station, or that of Wi-Fi Direct.
  private var isClient: Bool { type == .station || type == .directClient }

  private var joined: RadioNetwork? { (try? network.get()) ?? nil }

  /// The one station at the other end: of a client its access point, of an ad-hoc network the only
  /// other member.
  private var station: RadioStation? {
    let all = (try? stations.get()) ?? []
    if !isClient { return type == .adHoc && all.count == 1 ? all[0] : nil }
    // Under multi-link the address of the station is that of the whole device.
    return all.first { $0.address == joined?.address } ?? all.first { !$0.isDirect }
  }

  private var isConnected: Bool {
    joined != nil || (isClient && station?.isAssociated == true)
  }

  private var connected: Outcome {
    if isConnected { return .ok(.bool(true)) }
    if case .failure(let error) = network { return .from(error) }
    return .ok(.bool(false))
  }

  /// Why there is nothing to tell of a link; nil where there is one.
  private var noLink: Outcome? {
    if isConnected { return nil }
    if case .failure(let error) = network { return .from(error) }
    return Self.notConnected
  }
}

// MARK: - One request

extension WiFiReplies {
  private func ofInterface(_ field: WiFi.Field) -> ReportedValue {
    of(interface) { interface in
      switch field {
      case .mode:
        return (.ok(.string(RadioWords.mode(interface.type))), count(interface.type, "ATTR_IFTYPE"))
      case .interface:
        return (
          .ok(.string(interface.name)), RawValue(interface.name.utf8, place: "nl80211 ATTR_IFNAME")
        )
      case .mac: return address(interface.address, "ATTR_MAC", ofWhat: "the interface")
      default: break
      }
      if isClient, let noLink { return (noLink, nil) }
      let none = Outcome.noData("on no channel")
      if field == .frequency {
        return reported(interface.frequency, "ATTR_WIPHY_FREQ", orElse: none) {
          $0 == 0 ? none : .ok(.double(Double($0) * 1e6))
        }
      }
      return reported(interface.width, "ATTR_CHANNEL_WIDTH", orElse: none) { number in
        RadioWords.width(number).map { .ok(.double($0)) }
          ?? .failed("\(number) is no width of a channel", errno: SystemText.invalid)
      }
    }
  }

  private func ofNetwork(_ field: WiFi.Field) -> ReportedValue {
    if field == .ssid || field == .ssidBytes { return name(asBytes: field == .ssidBytes) }
    if let noLink { return (noLink, nil) }
    if field == .bssid {
      return joined.map { address($0.address, "BSS_BSSID", ofWhat: "the network") }
        ?? address(station?.address ?? [], "ATTR_MAC", ofWhat: "the access point")
    }
    if case .failure(let error) = network { return (.from(error), nil) }
    return Beacon(capability: joined?.capability, elements: joined?.elements ?? []).security
  }

  /// The network's name; of an access point also its own, though it is connected to none.
  private func name(asBytes: Bool) -> ReportedValue {
    if case .failure(let error) = interface { return (.from(error), nil) }
    if isClient, let noLink { return (noLink, nil) }
    var bytes = (try? interface.get().ssid) ?? []
    var place = "nl80211 ATTR_SSID"
    if bytes.isEmpty, let joined {
      bytes = Beacon(capability: nil, elements: joined.elements).name ?? []
      place = "nl80211 BSS element 0"
    }
    if bytes.allSatisfy({ $0 == 0 }) {
      return (noLink ?? .noData("the network hides its name"), nil)
    }
    let raw = RawValue(bytes, place: place)
    if bytes.count > 32 {
      return (.failed("a name of \(bytes.count) bytes", errno: SystemText.invalid), raw)
    }
    return (.ok(asBytes ? .bytes(bytes) : .string(bytes.lenientText)), raw)
  }

  private func ofSignal(_ field: WiFi.Field) -> ReportedValue {
    if let noLink { return (noLink, nil) }
    if field == .signalQuality {
      if case .failure(let error) = network { return (.from(error), nil) }
      let none = Outcome.unsupported("the driver measures in dBm, or not at all")
      return reported(joined?.quality, "BSS_SIGNAL_UNSPEC", orElse: none) { quality in
        quality <= 100
          ? .ok(.double(Double(quality)))
          : .failed("\(quality) is more than 100 %", errno: SystemText.invalid)
      }
    }
    if let signal = station?.signal {
      return (.ok(.double(Double(Int8(bitPattern: signal)))), count(signal, "STA_INFO_SIGNAL"))
    }
    let none = (try? stations.get()) == nil ? ofStations : .unsupported("the driver tells no dBm")
    return reported(joined?.signal, "BSS_SIGNAL_MBM", orElse: none) {
      .ok(.double(Double($0) / 100))
    }
  }

  /// Why nothing is known of the station.
  private var ofStations: Outcome {
    if case .failure(let error) = stations { return .from(error) }
    return .noData("the driver tells of no station")
  }

  private func ofStation(_ field: WiFi.Field) -> ReportedValue {
    if let noLink { return (noLink, nil) }
    guard let station else { return (ofStations, nil) }
    let never = Outcome.unsupported("the driver does not tell")
    let noRate = Outcome.noData("nothing has been sent at a known rate")
    let rate = { (rate: UInt32) -> Outcome in
      rate == 0 ? noRate : .ok(.double(Double(rate) * 100_000))
    }
    switch field {
    case .txBitrate:
      return reported(station.transmitRate, "STA_INFO_TX_BITRATE", orElse: noRate, rate)
    case .rxBitrate:
      return reported(station.receiveRate, "STA_INFO_RX_BITRATE", orElse: noRate, rate)
    case .connectedTime:
      return reported(station.connectedTime, "STA_INFO_CONNECTED_TIME", orElse: never) {
        .ok(.double(Double($0)))
      }
    case .inactiveTime:
      return reported(station.inactiveTime, "STA_INFO_INACTIVE_TIME", orElse: never) {
        .ok(.double(Double($0) / 1000))
      }
    case .rxBytes: return counter(station.receivedBytes, "STA_INFO_RX_BYTES64", orElse: never)
    case .txBytes: return counter(station.sentBytes, "STA_INFO_TX_BYTES64", orElse: never)
    case .txRetries: return counter(station.retries, "STA_INFO_TX_RETRIES", orElse: never)
    default: return counter(station.failures, "STA_INFO_TX_FAILED", orElse: never)
    }
  }
}

// MARK: - One value

extension WiFiReplies {
  private func of<Reply>(
    _ reply: Result<Reply, NetlinkError>, _ make: (Reply) -> ReportedValue
  ) -> ReportedValue {
    switch reply {
    case .success(let reply): make(reply)
    case .failure(let error): (.from(error), nil)
    }
  }

  private func reported<Number: BinaryInteger>(
    _ number: Number?, _ place: String, orElse none: Outcome, _ make: (Number) -> Outcome
  ) -> ReportedValue {
    guard let number else { return (none, nil) }
    return (make(number), count(number, place))
  }

  private func counter(
    _ number: (some BinaryInteger)?, _ place: String, orElse none: Outcome
  ) -> ReportedValue {
    reported(number, place, orElse: none) { number in
      Int64(exactly: number).map { .ok(.int($0)) }
        ?? .failed("\(number) is too large to be counted", errno: SystemText.invalid)
    }
  }

  private func count(_ number: some BinaryInteger, _ place: String) -> RawValue {
    RawValue("\(number)".utf8, place: "nl80211 \(place)")
  }

  private func address(_ bytes: [UInt8], _ place: String, ofWhat: String) -> ReportedValue {
    guard let text = HardwareAddress.text(of: bytes) else {
      return (.noData("\(ofWhat) has no hardware address"), nil)
    }
    return (.ok(.string(text)), RawValue(bytes, place: "nl80211 \(place)"))
  }
}
