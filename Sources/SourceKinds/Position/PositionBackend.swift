import Gathering
import Ground
import Machine
import Values

/// One of the catalogue's backends for positions: its state without connecting, and the link to its
/// receivers.
protocol PositionBackend: Sendable {
  /// The way to its receivers.
  var link: any PositionLink { get }
  /// The circumstances a failed attempt may depend on: equal while none of them changed (sources
  /// A4).
  var cause: PositionCause { get }
  /// Why it cannot be used, as far as that is to be seen; nil if it can, or may.
  var presence: Availability? { get }
  /// Its availability before a source listens.
  var unasked: Availability { get }
  /// Connected, it has no receiver.
  var empty: Availability { get }
  /// The availability after a connection was refused or lost.
  func meaning(of code: Int32) -> Availability
  /// Its known receivers, in natural order.
  func instances() -> [Instance]
  /// Whether an attempt that is not decided in time counts as one that came off.
  var isPatient: Bool { get }
  /// Whether its receivers are left to another backend that can be used.
  var givesWay: Bool { get }
}

extension PositionBackend {
  var isPatient: Bool { false }
  var givesWay: Bool { false }

  /// The instance of a receiver: its name and availability.
  func instance(
    _ device: String, named name: String, label: String? = nil, aliases: [String] = [],
    _ availability: Availability? = nil
  ) -> Instance {
    let receiver = link.receivers.first { $0.device == device }
    let shown = link.shown(device)
    let isSilent = link.phase == .connected && receiver?.hasFix != true
    var instance = Instance(
      name, label: label ?? name, aliases: aliases,
      availability: availability ?? (isSilent ? .noFix(link.provider) : unasked), path: shown,
      notes: ["backend": link.provider, "device": shown],
      // The aggregate reads all receivers itself.
      isMember: false)
    instance.topics = [PositionTopic.report(of: device)]
    return instance
  }
}

/// The circumstances of a failed attempt: another listener, other devices, a daemon of the bus.
struct PositionCause: Equatable, Sendable {
  var listening = ListeningPorts.Finding.unknown
  var devices: [String] = []
  /// Who runs the daemon, which may be configured otherwise after another start.
  var owner: String?
}

/// A gpsd.
struct GpsdBackend: PositionBackend {
  let service: ServiceAccess
  let own: ReceiverLink
  let ports: PortNames
  let files: any FileTree

  var link: any PositionLink { own }

  var cause: PositionCause {
    let isLocal = service.address.isLocal
    return PositionCause(
      listening: isLocal ? service.ports.look(at: service.address) : .unknown,
      devices: ports.links)
  }

  var presence: Availability? {
    guard service.address.isLocal, service.ports.look(at: service.address) == .nothing else {
      return nil
    }
    own.forgetReceivers()
    return .notListening(service.address, in: files)
  }

  var unasked: Availability {
    service.address.isLocal
      ? .ready("gpsd") : Availability(.available, backend: "gpsd", detail: "not contacted")
  }

  var empty: Availability { .noReceiver }

  func meaning(of code: Int32) -> Availability { .lost(code, service, in: files) }

  func instances() -> [Instance] {
    let names = ports.names
    return own.receivers.map(\.device).sorted(by: NaturalOrder.areInIncreasingOrder)
      .map { device in
        let (port, shown) = (ports.port(device) ?? device, own.shown(device))
        // gpsd may have been told a link itself, which leads nowhere while nothing is connected.
        guard let name = names[port] ?? PortNames.link(in: shown) else {
          return instance(device, named: shown)
        }
        return instance(device, named: name, aliases: port == device && port != shown ? [] : [port])
      }
  }
}

/// A receiver on a port of its own.
struct PortBackend: PositionBackend {
  let device: String
  let own: ReceiverLink
  let ports: PortNames
  let files: any FileTree

  var link: any PositionLink { own }

  var cause: PositionCause { PositionCause(devices: ports.links) }

  var presence: Availability? {
    do {
      _ = try files.canonicalPath(of: device)
      try files.checkAccess(to: device, for: .reading)
      return nil
    } catch {
      return meaning(of: error.code)
    }
  }

  var unasked: Availability { .ready("nmea") }
  var empty: Availability { meaning(of: SystemText.notConnected) }
  var givesWay: Bool { true }

  func meaning(of code: Int32) -> Availability { .port(ports.shown(device), code) }

  /// The port, by its place.
  func instances() -> [Instance] {
    let shown = ports.shown(device)
    guard let place = ports.place(of: device) else {
      return [instance(device, named: shown, label: shown)]
    }
    let alias = shown == device ? device : ports.port(device)
    return [instance(device, named: place, label: shown, aliases: alias.map { [$0] } ?? [])]
  }
}
