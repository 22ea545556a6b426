import Gathering
import Machine

/// One of the catalogue's ways to a position: what is known of it without connecting, and the link
/// to its receivers.
protocol PositionBackend: Sendable {
  /// The way to its receivers.
  var link: any PositionLink { get }
  /// What a failed attempt may owe to: equal as long as nothing about that changed (sources A4).
  var cause: PositionCause { get }
  /// Why it cannot be used, as far as that is to be seen; nil if it can, or may.
  var presence: Availability? { get }
  /// What can be said of it before anybody listens.
  var unasked: Availability { get }
  /// Connected, it has no receiver.
  var empty: Availability { get }
  /// What a connection that was refused or lost means.
  func meaning(of code: Int32) -> Availability
  /// Its receivers as far as they are known, in natural order.
  func instances() -> [Instance]
  /// Whether an attempt that is not decided in time counts as one that came off.
  var isPatient: Bool { get }
  /// Whether its receivers are left to another backend that can be used.
  var givesWay: Bool { get }
}

extension PositionBackend {
  var isPatient: Bool { false }
  var givesWay: Bool { false }

  /// What an instance of a receiver is called, and how it is.
  func instance(
    _ device: String, named name: String, label: String? = nil, aliases: [String] = [],
    _ availability: Availability? = nil
  ) -> Instance {
    let receiver = link.receivers.first { $0.device == device }
    let isSilent = link.phase == .connected && receiver?.hasFix != true
    var instance = Instance(
      name, label: label ?? name, aliases: aliases,
      availability: availability ?? (isSilent ? .noFix(link.provider) : unasked), path: device,
      notes: ["backend": link.provider, "device": device],
      // The aggregate asks all receivers by itself.
      isMember: false)
    instance.topics = [PositionTopic.report(of: device)]
    return instance
  }
}

/// What a failed attempt may owe to: another listener, other devices, a daemon of the bus.
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
  let files: any FileTree

  var link: any PositionLink { own }

  var cause: PositionCause {
    let isLocal = service.address.isLocal
    return PositionCause(
      listening: isLocal ? service.ports.look(at: service.address) : .unknown,
      devices: SerialPorts.links(in: files))
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
    let names = service.address.isLocal ? SerialPorts.names(in: files) : [:]
    return own.receivers.map(\.device).sorted(by: NaturalOrder.areInIncreasingOrder)
      .map { device in
        let name = names[device]
        return instance(device, named: name ?? device, aliases: name == nil ? [] : [device])
      }
  }
}

/// A receiver on a port of its own.
struct PortBackend: PositionBackend {
  let device: String
  let own: ReceiverLink
  let files: any FileTree

  var link: any PositionLink { own }

  var cause: PositionCause { PositionCause(devices: SerialPorts.links(in: files)) }

  var presence: Availability? {
    do {
      _ = try files.canonicalPath(of: device)
      try files.checkAccess(to: device, for: .reading)
      return nil
    } catch {
      return .port(device, error.code)
    }
  }

  var unasked: Availability { .ready("nmea") }
  var empty: Availability { .port(device, SystemText.notConnected) }
  var givesWay: Bool { true }

  func meaning(of code: Int32) -> Availability { .port(device, code) }

  /// The port, by its place.
  func instances() -> [Instance] {
    let place = SerialPorts.place(of: device, in: files)
    return [
      instance(device, named: place ?? device, label: device, aliases: place == nil ? [] : [device])
    ]
  }
}

/// Serial ports of a machine, and how they are told apart.
enum SerialPorts {
  private static let folder = "/dev/serial/by-id"

  /// The names of links, in order.
  static func links(in files: any FileTree) -> [String] {
    ((try? files.entries(of: folder)) ?? []).sorted()
  }

  /// The names of links that tell one receiver from another, by what they lead to.
  static func names(in files: any FileTree) -> [String: String] {
    var names: [String: String] = [:]
    for name in links(in: files) {
      if let device = try? files.canonicalPath(of: "\(folder)/\(name)") {
        names[device] = names[device] ?? name
      }
    }
    return names
  }

  /// Where a port is attached.
  static func place(of device: String, in files: any FileTree) -> String? {
    guard let path = try? files.canonicalPath(of: device),
      let name = path.split(separator: "/").last
    else { return nil }
    return Place.of("/sys/class/tty/\(name)/device", in: files)
      ?? Place.of("/sys/class/gnss/\(name)/device", in: files)
  }
}
