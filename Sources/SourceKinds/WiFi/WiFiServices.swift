import Gathering
import Ground
import Machine

/// Who tells of wireless links where nl80211 cannot be asked: NetworkManager, then iwd.
struct WiFiServices {
  /// A device, as the first service that knows it shows it.
  struct Device {
    let service: BusService
    /// The path of its object.
    let path: String
    /// Why it is off, if the service has turned it off.
    let block: (detail: String, remedy: String)?
  }

  private let machine: Machine
  private let connections: [String: String]
  private let stations: [String: String]

  /// What the services know at present, without waiting for them.
  init(on machine: Machine) {
    self.machine = machine
    connections = ConnectionDaemon.devices(in: machine.view(of: ConnectionDaemon.service))
    stations = WirelessDaemon.devices(in: machine.view(of: WirelessDaemon.service))
  }

  /// The kernel's names of all interfaces they know.
  var interfaces: Set<String> { Set(connections.keys).union(stations.keys) }

  /// The device of an interface; nil if no service knows it.
  func device(of interface: String) -> Device? {
    if let path = connections[interface] {
      let view = machine.view(of: ConnectionDaemon.service)
      return Device(
        service: ConnectionDaemon.service, path: path, block: ConnectionDaemon.block(in: view))
    }
    guard let path = stations[interface] else { return nil }
    let view = machine.view(of: WirelessDaemon.service)
    return Device(
      service: WirelessDaemon.service, path: path,
      block: WirelessDaemon.block(of: path, in: view))
  }

  /// What an interface is like while nl80211 cannot be asked; nil if no service knows it.
  func adapt(_ instance: Instance, without radio: Availability) -> Instance? {
    guard let interface = instance.notes["interface"], let device = device(of: interface) else {
      return nil
    }
    var adapted = instance
    let backend = device.service.backend
    adapted.notes["service"] = backend
    let folder = "\(instance.path)/phy80211"
    if var block = RadioSwitches.block(of: folder, in: machine.files) {
      block.backend = backend
      adapted.availability = block
    } else if let block = device.block {
      adapted.availability = Availability(
        .poweredOff, backend: backend, detail: block.detail, remedy: block.remedy)
    } else {
      adapted.availability = Availability(
        .available, backend: backend,
        detail: "only \(backend) is used, since nl80211 cannot be asked: \(radio.reason)",
        remedy: radio.remedy)
    }
    if device.service.name == ConnectionDaemon.name {
      // Which access point is in use, and what that is like, the device as such does not tell.
      let place = BusService.ObjectInterface(device.path, ConnectionDaemon.wireless)
      adapted.topics = [.bus(BusGlimpse.service(ConnectionDaemon.service, at: place))]
    }
    return adapted
  }

  /// An interface that is known by a service alone.
  static func instance(_ interface: String) -> Instance {
    Instance(
      interface, availability: Availability(.available),
      path: "\(Network.folder)/\(interface)", notes: ["interface": interface])
  }
}

/// Reads one wireless interface through whichever service knows it at the moment.
final class WiFiServiceReader: InstanceReader {
  private typealias Field = WiFi.Field
  /// How long a service is waited for that is just being asked for what it has.
  private static let patience: Int64 = 300_000_000

  /// A daemon may have to be waited for.
  let mayBlock = true
  private let interface: String
  private let machine: Machine
  private let watches: [any Cancellable]
  private let wireless: BusGlimpse
  private let connection: BusGlimpse
  private let accessPoint: BusGlimpse
  private let diagnostics = RepeatedCall()
  private var raws: [Int: RawValue] = [:]

  init(_ interface: String, on machine: Machine) {
    self.interface = interface
    self.machine = machine
    watches = [ConnectionDaemon.service, WirelessDaemon.service].compactMap { service in
      machine.bus?.watch(service) {}
    }
    wireless = BusGlimpse(of: ConnectionDaemon.service, on: machine)
    connection = BusGlimpse(of: ConnectionDaemon.service, on: machine)
    accessPoint = BusGlimpse(of: ConnectionDaemon.service, on: machine)
  }

  deinit {
    for watch in watches { watch.cancel() }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let reported = reporter()
    for field in Field.allCases {
      let property = WiFi.table[field]
      guard request.allow.permits(property.category) else {
        raws[field] = nil
        continue
      }
      guard request.wants(property) else { continue }
      let (outcome, raw) = reported(field)
      reading[field] = outcome
      raws[field] = raw
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { raws[index] }

  /// The link as the first service that knows it tells of it.
  private func reporter() -> (WiFi.Field) -> ReportedValue {
    for service in [ConnectionDaemon.service, WirelessDaemon.service] {
      _ = machine.bus?.view(of: service, waiting: Self.patience)
    }
    guard let device = WiFiServices(on: machine).device(of: interface),
      let object = machine.view(of: device.service)?.objects[device.path]
    else {
      diagnostics.forget()
      let gone = Outcome.noData("neither NetworkManager nor iwd tells of \(interface) any more")
      return { _ in (gone, nil) }
    }
    if device.service.name == ConnectionDaemon.name {
      return connectionLink(of: object, at: device.path).value
    }
    return wirelessLink(of: object, at: device.path).value
  }

  // MARK: NetworkManager

  private func connectionLink(of device: BusObject, at path: String) -> ConnectionLink {
    let interface = ConnectionDaemon.wireless
    let wireless = wireless.look(at: path, interface, within: Self.patience)
    guard let point = pointPath(device, wireless.object) else {
      accessPoint.close()
      let none = Outcome.noData("NetworkManager names no access point")
      return ConnectionLink(device: device, wireless: wireless, accessPoint: (nil, none))
    }
    if let led = self.wireless.seen?.object(point, ConnectionDaemon.accessPoint) {
      accessPoint.close()
      return ConnectionLink(
        device: device, wireless: wireless, accessPoint: (led, wireless.absence))
    }
    let reported = accessPoint.look(
      at: point, ConnectionDaemon.accessPoint, within: Self.patience)
    return ConnectionLink(device: device, wireless: wireless, accessPoint: reported)
  }

  /// The object of the access point in use. Where the device has no word of it, the one that its
  /// connection was made to.
  private func pointPath(_ device: BusObject, _ wireless: BusObject?) -> String? {
    if let named = wireless?[ConnectionDaemon.wireless, "ActiveAccessPoint"] {
      connection.close()
      return named.path == "/" ? nil : named.path
    }
    guard wireless != nil,
      let active = device[ConnectionDaemon.device, "ActiveConnection"]?.path, active != "/"
    else {
      connection.close()
      return nil
    }
    let known = connection.look(at: active, ConnectionDaemon.connection, within: Self.patience)
    let point = known.object?[ConnectionDaemon.connection, "SpecificObject"]?.path
    return point == "/" ? nil : point
  }

  // MARK: iwd

  private func wirelessLink(of device: BusObject, at path: String) -> WirelessLink {
    let named = device[WirelessDaemon.station, "ConnectedNetwork"]?.path
    let network = named.flatMap {
      machine.view(of: WirelessDaemon.service)?.object($0, WirelessDaemon.network)
    }
    let none = WirelessLink.Diagnosis.absent(.noData("not connected"))
    let link = WirelessLink(device: device, network: network, diagnosis: none)
    guard link.isConnected else {
      diagnostics.forget()
      return link
    }
    return WirelessLink(
      device: device, network: network, diagnosis: diagnosis(of: device, at: path))
  }

  /// What iwd measures, which it tells only who asks.
  private func diagnosis(of device: BusObject, at path: String) -> WirelessLink.Diagnosis {
    guard device.interfaces[WirelessDaemon.diagnostic] != nil, let bus = machine.bus else {
      return .absent(.unsupported("iwd measures nothing of this link"))
    }
    let call = BusCall(
      WirelessDaemon.name, path, WirelessDaemon.diagnostic, "GetDiagnostics")
    diagnostics.send(call, on: bus)
    switch diagnostics.newReply(within: Self.patience) {
    case nil: return .absent(.noData("iwd has not told so far"))
    case .success(let values):
      guard let reported = values.first?.named else {
        return .absent(.failed("GetDiagnostics answers with no dictionary"))
      }
      return .reported(reported)
    case .failure(let failure):
      let words = [".NotConnected", ".Busy"]
      return .absent(
        words.contains { failure.name.hasSuffix($0) }
          ? .noData(failure.message) : .from(failure, of: WirelessDaemon.service))
    }
  }
}
