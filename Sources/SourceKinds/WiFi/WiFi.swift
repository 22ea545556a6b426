import Gathering
import Machine
import Values

/// The link of each wireless interface, from nl80211, or from a service where that cannot be
/// asked. It never scans.
struct WiFi: CatalogueKind {
  enum Field: Int, PropertyField {
    case connected, ssid, ssidBytes, bssid, signal, signalQuality, txBitrate, rxBitrate
    case frequency, channelWidth, mode, security, connectedTime, inactiveTime
    case rxBytes, txBytes, txRetries, txFailed, powerSave, interface, mac

    var property: Property {
      switch self {
      case .connected: Property("connected", .bool, .onChange)
      case .ssid: Property("ssid", .string, .onChange, category: .ssid, name: "Network name")
      case .ssidBytes:
        Property("ssid_bytes", .bytes, .onChange, category: .ssid, name: "Network name as bytes")
      case .bssid: Property("bssid", .string, .onChange, category: .ssid, name: "Access point")
      case .signal: Property("signal", .double, unit: "dB{mW}", .continuous)
      case .signalQuality:
        Property("signal_quality", .double, unit: "%", .continuous, range: 0...100)
      case .txBitrate:
        Property("tx_bitrate", .double, unit: "bit/s", .continuous, name: "Send bit rate")
      case .rxBitrate:
        Property("rx_bitrate", .double, unit: "bit/s", .continuous, name: "Receive bit rate")
      case .frequency: Property("frequency", .double, unit: "Hz", .onChange)
      case .channelWidth: Property("channel_width", .double, unit: "Hz", .onChange)
      case .mode: Property("mode", .enumeration(RadioWords.modes), .onChange)
      case .security:
        Property("security", .enumeration(WirelessSecurity.allCases.map(\.rawValue)), .onChange)
      case .connectedTime: Property("connected_time", .double, unit: "s", .continuous)
      case .inactiveTime: Property("inactive_time", .double, unit: "s", .continuous)
      case .rxBytes:
        Property("rx_bytes", .int, unit: "By", .continuous, .counter, name: "Received bytes")
      case .txBytes:
        Property("tx_bytes", .int, unit: "By", .continuous, .counter, name: "Sent bytes")
      case .txRetries:
        Property("tx_retries", .int, unit: "1", .continuous, .counter, name: "Sent again")
      case .txFailed:
        Property("tx_failed", .int, unit: "1", .continuous, .counter, name: "Not sent")
      case .powerSave: Property("power_save", .bool, .onChange)
      case .interface: Property("interface", .string, .onChange)
      case .mac: Property("mac", .string, .static, category: .mac, name: "MAC address")
      }
    }
  }

  let kind = "wifi"
  let name = "Wi-Fi"
  let intervals = Intervals(seconds: 1, minimum: 0.2, eventDriven: true)
  /// What the kernel tells of it by itself; of single links it tells besides.
  let topics: [ChangeTopic] = [
    .network, .devices(subsystem: "rfkill"), .bus(ConnectionDaemon.service),
    .bus(WirelessDaemon.service),
  ]
  static let table = Field.properties

  /// The wireless interfaces, named as `network` names them.
  func discover(on machine: Machine) -> Discovery {
    let radio = Availability(asking: machine.radio)
    let isAsked = radio.state == .available
    let services = isAsked ? nil : WiFiServices(on: machine)
    let names: [String]
    do {
      names = try machine.files.entries(of: Network.folder)
    } catch {
      if isAsked { return Discovery([], orElse: Availability(listing: error, backend: "sysfs")) }
      names = []
    }
    let found = Set(names).union(services?.interfaces ?? [])
      .sorted(by: NaturalOrder.areInIncreasingOrder)
      .compactMap { Self.instance($0, services, in: machine.files) }.withDistinctNames()
      .map { services?.adapt($0, without: radio) ?? Self.asked($0, radio, in: machine.files) }
    let none = Availability(
      .noHardware, backend: "nl80211", detail: "\(Network.folder) holds no wireless interface")
    return Discovery(found, orElse: isAsked ? none : radio)
  }

  /// An interface that the kernel shows as a wireless one, or that a service knows.
  private static func instance(
    _ name: String, _ services: WiFiServices?, in files: any FileTree
  ) -> Instance? {
    let path = "\(Network.folder)/\(name)"
    let isKnown = services?.interfaces.contains(name) == true
    guard isKnown || isWireless(path, in: files) else { return nil }
    return Network.instance(name, in: files) ?? (isKnown ? WiFiServices.instance(name) : nil)
  }

  /// Opens an interface.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.notes["service"] != nil, let interface = instance.notes["interface"] {
      return WiFiServiceReader(interface, on: machine)
    }
    let link: any RadioLink
    do throws(NetlinkError) {
      guard let opened = try machine.radio?.open() else { throw .noFamily(Self.noRadio) }
      link = opened
    } catch {
      throw .unavailable(Availability(radio: error))
    }
    return WiFiReader(instance, asking: link, on: machine)
  }

  /// Why a machine that is known by its files alone has no radio to ask.
  static let noRadio = "only files of this machine are known, and they tell nothing of its radio"

  private static func isWireless(_ path: String, in files: any FileTree) -> Bool {
    let folders = ["wireless", "phy80211"]
    if folders.contains(where: { (try? files.entries(of: "\(path)/\($0)")) != nil }) { return true }
    // The folders may be empty, so that some copies of a tree have lost them.
    guard let event = try? PolledFile("\(path)/uevent", in: files).read() else { return false }
    return Assignments.rawValue(of: "DEVTYPE", in: event)?.elementsEqual("wlan".utf8) == true
  }

  /// An interface of which nl80211 is asked: as the radio is, unless a switch has turned it off.
  /// Without nl80211 it is known that the interface exists, and no more.
  private static func asked(
    _ instance: Instance, _ radio: Availability, in files: any FileTree
  ) -> Instance {
    var asked = instance
    asked.topics = [.radio]
    if radio.state == .available {
      let block = RadioSwitches.block(of: "\(instance.path)/phy80211", in: files)
      asked.availability = block ?? radio
    } else {
      asked.availability = radio
      asked.availability.detail +=
        "; neither NetworkManager nor iwd reports the interface, so only \(instance.path) is known"
    }
    return asked
  }
}
