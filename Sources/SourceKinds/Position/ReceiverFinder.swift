import Gathering
import Ground
import Machine

/// Finds the receivers of a machine, and the reason if there are none, without connecting.
final class ReceiverFinder: LooksAnew {
  /// The result of an attempt, and the circumstances at that time (sources A4).
  private struct Failure {
    var availability: Availability
    var moment: Int64
    var cause: PositionCause
  }

  /// A backend at a moment, as sources see it.
  private struct BackendStatus {
    /// Why the backend is absent, if it is.
    var absence: Availability?
    /// The availability of all its receivers, and of each.
    var all: Availability
    var found: [Instance] = []

    /// Whether it is present and can be used, if necessary after a permission (sources A3).
    var isUsable: Bool {
      let group = all.group
      return absence == nil && (group == .available || group == .requiresPermissionsPrompt)
    }
  }

  /// How long a failed attempt counts.
  private static let memory: Int64 = 30_000_000_000
  /// Less than a claim may take, so that the actual result is reported.
  private static let claimLimit: Int64 = 1_950_000_000

  private let clock: any TimeSource
  /// In the catalogue's order.
  private let backends: [any PositionBackend]
  private let failures = Lock<[String: Failure]>([:])
  private let listeners = WeakList<PositionListener>()

  private init(_ machine: Machine) {
    clock = machine.clock
    backends = Self.backends(of: machine)
  }

  private static func backends(of machine: Machine) -> [any PositionBackend] {
    let (clock, notices, files) = (machine.clock, machine.notices, machine.files)
    var found: [any PositionBackend] = []
    if let gpsd = machine.positions?.gpsd {
      let ports = PortNames(in: files, isHere: gpsd.address.isLocal)
      let link = ReceiverLink(
        .gpsd, link: gpsd.link, ports: ports, clock: clock, notices: notices)
      found.append(GpsdBackend(service: gpsd, own: link, ports: ports, files: files))
    }
    if let bus = machine.bus {
      // An object kept with a machine must not keep that machine.
      let parts = Machine(
        nature: machine.nature, files: files, notices: nil, clock: clock,
        switches: machine.switches, addresses: nil, iio: machine.iio, bus: bus)
      found.append(GeoClueBackend(on: parts, bus: bus, notices: notices))
      found.append(ModemBackend(on: parts, bus: bus, notices: notices))
    }
    if let port = machine.positions?.receiver {
      let ports = PortNames(in: files)
      let link = ReceiverLink(
        .nmea(device: port.device), link: port.link, ports: ports, clock: clock, notices: notices)
      found.append(PortBackend(device: port.device, own: link, ports: ports, files: files))
    }
    return found
  }

  /// The finder of a machine; nil if the machine has no position services.
  static func of(_ machine: Machine) -> ReceiverFinder? {
    if machine.positions == nil && machine.bus == nil { return nil }
    return machine.attachments.attachment { ReceiverFinder(machine) }
  }

  /// The receivers of the connected backend, its provider, and the present time; nil while none is
  /// connected.
  func reporting() -> (receivers: [PositionReceiver], provider: String, now: Int64)? {
    for backend in backends where backend.link.phase == .connected {
      return (backend.link.receivers, backend.link.provider, clock.now.boot)
    }
    return nil
  }

  // MARK: Finding

  /// The receivers of the first backend that can be used, after the aggregate; sources that listen
  /// already go with it.
  func discovery() -> Discovery {
    let statuses = backends.map(status)
    guard
      let index = statuses.firstIndex(where: \.isUsable)
        ?? statuses.firstIndex(where: { $0.absence == nil })
    else { return Discovery([], orElse: absence(statuses)) }
    let chosen = statuses[index]
    if chosen.isUsable { lead(to: backends[index].link) }
    var all = Instance.aggregate(chosen.all, label: "All receivers")
    all.notes = ["backend": backends[index].link.provider]
    // The same for all backends: a listener switches to another one by itself, without a new claim.
    all.path = "receivers"
    all.isMember = false
    all.topics = backends[index].link.receivers.map { PositionTopic.report(of: $0.device) }
    return Discovery([all] + chosen.found.withDistinctNames(), orElse: chosen.all)
  }

  private func lead(to link: any PositionLink) {
    for listener in listeners.objects { listener.follow(link) }
  }

  private func status(_ backend: any PositionBackend) -> BackendStatus {
    let link = backend.link
    let trouble = trouble(of: backend)
    if let trouble, trouble.isGone {
      return BackendStatus(absence: trouble.availability, all: trouble.availability)
    }
    let found = backend.instances().map { instance in
      var instance = instance
      if let trouble, trouble.availability.state != .noHardware {
        instance.availability = trouble.availability
      }
      return instance
    }
    let best =
      found.first { $0.availability.state == .available }
      ?? found.first { $0.availability.group == .available } ?? found.first
    let none = link.phase == .connected ? backend.empty : backend.unasked
    return BackendStatus(all: trouble?.availability ?? best?.availability ?? none, found: found)
  }

  /// Why a backend cannot be used, and whether it is absent.
  private func trouble(
    of backend: any PositionBackend
  ) -> (availability: Availability, isGone: Bool)? {
    let found: Availability?
    switch backend.link.phase {
    case .lost(let code): found = backend.meaning(of: code)
    case .refused(let availability): found = availability
    case .connected:
      // An attempt that found no receiver is remembered for when the connection is closed.
      let isEmpty = backend.link.receivers.isEmpty
      note(isEmpty ? backend.empty : nil, of: backend)
      return nil
    case .connecting, .greeted: return nil
    case .closed:
      if let absence = backend.presence { return (absence, true) }
      guard let last = remembered(of: backend) else { return nil }
      return (last, last.state == .serviceNotRunning || last.state == .disconnected)
    }
    guard let found else { return nil }
    note(found, of: backend)
    let gone: [Availability.State] = [.serviceNotRunning, .noHardware, .disconnected]
    return (found, gone.contains(found.state))
  }

  /// Why there are no receivers: a port that was named speaks, else the first backend; the others
  /// are in the detail (sources A3).
  private func absence(_ statuses: [BackendStatus]) -> Availability {
    let speaker = backends.firstIndex { $0 is PortBackend } ?? 0
    // A tree has no gpsd, so that the bus comes first there.
    var absence = backends[speaker] is GeoClueBackend ? .noGpsdInTree : statuses[speaker].all
    for (index, status) in statuses.enumerated() {
      let isReported = index == speaker && !(backends[index] is GeoClueBackend)
      if isReported { continue }
      absence.detail += "; \(backends[index].link.provider): \(status.all.reason)"
    }
    return absence
  }

  // MARK: Attempts

  /// Records the result of an attempt; nil for success.
  private func note(_ availability: Availability?, of backend: any PositionBackend) {
    let failure = availability.map {
      Failure(availability: $0, moment: clock.now.boot, cause: backend.cause)
    }
    failures.withLock { $0[backend.link.provider] = failure }
  }

  /// Retries failed backends, unless one is in use: others are not preferred to it without need.
  func lookAnew(at topics: [ChangeTopic]) {
    guard topics.contains(PositionTopic.list),
      !backends.contains(where: { $0.link.phase == .connected })
    else { return }
    // Plain availabilities.
    failures.withLock { $0 = [:] }
    for backend in backends { backend.link.retry() }
  }

  private func remembered(of backend: any PositionBackend) -> Availability? {
    let provider = backend.link.provider
    guard let last = failures.withLock({ $0[provider] }) else { return nil }
    // A backend in use is not given up repeatedly for one that is present but has no data.
    let isOtherInUse = backends.contains { $0.link.phase == .connected }
    let isOld =
      clock.now.boot - last.moment >= Self.memory
      && !(isOtherInUse && last.availability.state != .serviceNotRunning)
    guard !isOld, last.cause == backend.cause else {
      // A plain availability.
      failures.withLock { $0[provider] = nil }
      return nil
    }
    return last.availability
  }

  /// Claims an instance, and waits until its backend has agreed or refused (sources L2); for all
  /// that is the first backend that works.
  func listen(to instance: Instance) throws(SourceError) -> PositionListener {
    let end = Monitor<Void>.moment(after: Self.claimLimit)
    var first: Availability?
    for backend in candidates(for: instance) {
      let own = instance.isAggregate ? nil : backend.link
      let listener = PositionListener(to: backend.link, own: own, givesWay: backend.givesWay)
      let phase = backend.link.awaitDecision(
        atMost: max(0, end - Monitor<Void>.moment(after: 0)))
      guard let refusal = refusal(phase, of: instance, by: backend) else {
        listeners.add(listener)
        return listener
      }
      first = first ?? refusal
    }
    throw .unavailable(first ?? absence(backends.map(status)))
  }

  private func candidates(for instance: Instance) -> [any PositionBackend] {
    guard instance.isAggregate else {
      return backends.filter { $0.link.provider == instance.notes["backend"] }
    }
    let usable = backends.filter { status($0).isUsable }
    // A listener that was refused a moment ago gets the reason by another attempt.
    return usable.isEmpty
      ? backends.filter { $0.link.provider == instance.notes["backend"] } : usable
  }

  /// The refusal that a decision means for an instance; nil if it may be read.
  private func refusal(
    _ phase: LinkState.Phase, of instance: Instance, by backend: any PositionBackend
  ) -> Availability? {
    switch phase {
    case .connected:
      let found = backend.instances().filter {
        instance.isAggregate || $0.notes["device"] == instance.notes["device"]
      }
      let refusal =
        found.contains { $0.availability.group == .available } ? nil : found.first?.availability
      if instance.isAggregate {
        let refusal = found.isEmpty ? backend.empty : refusal
        note(refusal, of: backend)
        return refusal
      }
      // The absence of one receiver does not concern the others.
      return found.isEmpty ? .away(instance.name, backend: backend.link.provider) : refusal
    // The list of devices follows later.
    case .greeted: return nil
    case .connecting where backend.isPatient: return nil
    default: break
    }
    let refusal: Availability =
      switch phase {
      case .lost(let code): backend.meaning(of: code)
      case .refused(let availability): availability
      default: backend.meaning(of: SystemText.timedOut)
      }
    note(refusal, of: backend)
    return refusal
  }
}
