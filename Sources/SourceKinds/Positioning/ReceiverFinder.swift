import Gathering
import Machine

/// Finds the receivers of a machine, and says why there are none, without connecting.
final class ReceiverFinder: Sendable {
  /// What an attempt came to, and what was so when it did (sources A4).
  private struct Failure {
    var availability: Availability
    var moment: Int64
    var cause: Cause
  }

  /// What a failed attempt may owe to: another listener, other devices.
  private struct Cause: Equatable {
    var listening: ListeningPorts.Finding
    var devices: [String]
  }

  private static let serialLinks = "/dev/serial/by-id"
  /// How long a failed attempt counts.
  private static let memory: Int64 = 30_000_000_000

  private let access: PositionAccess
  private let files: any FileTree
  private let clock: any MachineClock
  private let gpsd: ReceiverLink?
  private let port: ReceiverLink?
  private let failure = Monitor<Failure?>(nil)

  private init(_ access: PositionAccess, on machine: Machine) {
    self.access = access
    files = machine.files
    clock = machine.clock
    let (clock, notices) = (machine.clock, machine.notices)
    gpsd = access.gpsd.map {
      ReceiverLink(.gpsd, link: $0.link, clock: clock, notices: notices)
    }
    port = access.receiver.map {
      ReceiverLink(.nmea(device: $0.device), link: $0.link, clock: clock, notices: notices)
    }
  }

  /// The one of a machine; nil where nobody can be asked.
  static func of(_ machine: Machine) -> ReceiverFinder? {
    machine.positions.map { access in
      machine.companions.companion { ReceiverFinder(access, on: machine) }
    }
  }

  /// The link of the backend an instance was found by.
  func link(of instance: Instance) -> ReceiverLink? {
    instance.notes["backend"] == "nmea" ? port : gpsd
  }

  /// The receivers somebody listens to, who brings them, and what time it is; nil while nobody
  /// does.
  func heard() -> (receivers: [Receiver], provider: String, now: Int64)? {
    for link in [gpsd, port].compactMap({ $0 }) where link.phase == .connected {
      return (link.receivers, link.dialect.provider, clock.now.boot)
    }
    return nil
  }

  // MARK: Finding

  /// The receivers as far as they are known, after the aggregate; gpsd's first of all, since two
  /// readers of one port steal each other's bytes.
  func discovery() -> Discovery {
    let none = gpsdAbsence()
    if none == nil || port == nil { return list(gpsd, orElse: none) }
    return list(port, orElse: portAbsence())
  }

  /// Why gpsd cannot be used; nil if it can, or may.
  private func gpsdAbsence() -> Availability? {
    guard let service = access.gpsd, let gpsd else { return .noGpsdInTree }
    if case .lost(let code) = gpsd.phase { return .lost(code, service, in: files) }
    guard gpsd.phase == .closed else { return nil }
    let cause = cause
    if service.address.isLocal && cause.listening == .nothing {
      gpsd.forgetReceivers()
      return .notListening(service.address, in: files)
    }
    return remembered(cause).flatMap { $0.state == .noHardware ? nil : $0 }
  }

  private func portAbsence() -> Availability? {
    guard let receiver = access.receiver, let port else { return nil }
    if case .lost(let code) = port.phase { return .port(receiver.device, code) }
    guard port.phase == .closed else { return nil }
    do {
      _ = try files.canonicalPath(of: receiver.device)
      try files.checkAccess(to: receiver.device, for: .reading)
    } catch {
      return .port(receiver.device, error.code)
    }
    return remembered(cause)
  }

  private func list(_ link: ReceiverLink?, orElse absence: Availability?) -> Discovery {
    guard let link, absence == nil else {
      return Discovery([], orElse: absence ?? .noGpsdInTree)
    }
    let provider = link.dialect.provider
    let isConnected = link.phase == .connected
    let names = linkNames
    let found = link.receivers.sorted { NaturalOrder.areInIncreasingOrder($0.device, $1.device) }
      .map { receiver in
        let state: Availability =
          isConnected && !receiver.hasFix ? .noFix(provider) : .ready(provider)
        return instance(receiver.device, named: names[receiver.device], provider, state)
      }
    var all = Instance.aggregate(allAvailability(link, found), label: "All receivers")
    all.notes = ["backend": provider]
    all.path = provider
    all.topics = link.receivers.map { ReceiverLink.topic(of: $0.device) }
    return Discovery([all] + found.withDistinctNames(), orElse: .ready(provider))
  }

  private func allAvailability(_ link: ReceiverLink, _ found: [Instance]) -> Availability {
    let provider = link.dialect.provider
    switch link.phase {
    case .connected where found.isEmpty: return .noReceiver
    case .connected:
      return found.first { $0.availability.state == .available }?.availability
        ?? .noFix(provider)
    default:
      if let known = remembered(cause) { return known }
      let isElsewhere = link.dialect.provider == "gpsd" && access.gpsd?.address.isLocal == false
      return isElsewhere
        ? Availability(.available, backend: provider, detail: "not contacted") : .ready(provider)
    }
  }

  private func instance(
    _ device: String, named name: String?, _ provider: String, _ availability: Availability
  ) -> Instance {
    var instance = Instance(
      name ?? device, label: name ?? device, aliases: name == nil ? [] : [device],
      availability: availability, path: device, notes: ["backend": provider, "device": device],
      // The aggregate asks all receivers by itself.
      isMember: false)
    if provider == "nmea", let place = placeOfPort(device) {
      instance.name = place
      instance.aliases = [device]
    }
    instance.topics = [ReceiverLink.topic(of: device)]
    return instance
  }

  private func placeOfPort(_ device: String) -> String? {
    guard let path = try? files.canonicalPath(of: device),
      let name = path.split(separator: "/").last
    else { return nil }
    return Place.of("/sys/class/tty/\(name)/device", in: files)
      ?? Place.of("/sys/class/gnss/\(name)/device", in: files)
  }

  /// The names of links that tell one receiver from another, by what they lead to.
  private var linkNames: [String: String] {
    guard access.gpsd?.address.isLocal != false else { return [:] }
    var names: [String: String] = [:]
    for name in ((try? files.entries(of: Self.serialLinks)) ?? []).sorted() {
      if let device = try? files.canonicalPath(of: "\(Self.serialLinks)/\(name)") {
        names[device] = names[device] ?? name
      }
    }
    return names
  }

  // MARK: Attempts

  /// Remembers what an attempt came to; nil for one that came off.
  func note(_ availability: Availability?) {
    let moment = clock.now.boot
    let cause = availability == nil ? nil : cause
    failure.withLock { failure in
      guard let availability, let cause else { return failure = nil }
      failure = Failure(availability: availability, moment: moment, cause: cause)
    }
  }

  private func remembered(_ cause: Cause) -> Availability? {
    let now = clock.now.boot
    return failure.withLock { failure in
      guard let last = failure, last.cause == cause, now - last.moment < Self.memory else {
        failure = nil
        return nil
      }
      return last.availability
    }
  }

  private var cause: Cause {
    let listening = access.gpsd.map { service in
      service.address.isLocal ? service.ports.look(at: service.address) : .unknown
    }
    let devices = ((try? files.entries(of: Self.serialLinks)) ?? []).sorted()
    return Cause(listening: listening ?? .unknown, devices: devices)
  }

  /// Claims an instance's link, and waits until it is made or refused (sources L2).
  func listen(to instance: Instance) throws(SourceError) -> ReceiverListener {
    guard let link = link(of: instance) else { throw .unavailable(.noGpsdInTree) }
    let listener = link.listen()
    let refusal: Availability?
    switch link.awaitDecision(atMost: Self.claimLimit) {
    case .connected:
      let isThere =
        instance.isAggregate
        ? !link.receivers.isEmpty
        : link.receivers.contains { $0.device == instance.notes["device"] }
      refusal = isThere ? nil : instance.isAggregate ? .noReceiver : .away(instance.name)
    // Which devices there are is told later.
    case .greeted: refusal = nil
    case .lost(let code): refusal = absence(code, of: link)
    case .connecting, .closed: refusal = absence(SystemText.timedOut, of: link)
    }
    // One receiver that is away says nothing of the others.
    if refusal?.state != .disconnected { note(refusal) }
    if let refusal { throw .unavailable(refusal) }
    return listener
  }

  /// Less than a claim may take, so that what is told is what happened.
  private static let claimLimit: Int64 = 1_950_000_000

  private func absence(_ code: Int32, of link: ReceiverLink) -> Availability {
    if link.dialect.provider == "nmea" { return .port(access.receiver?.device ?? "", code) }
    guard let service = access.gpsd else { return .noGpsdInTree }
    return .lost(code, service, in: files)
  }
}
