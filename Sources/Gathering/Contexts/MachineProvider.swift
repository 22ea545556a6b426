import Ground
import Machine
import Synchronization
import Values

/// Finds and reads a machine's instances through the kinds' own backends.
struct MachineProvider: InstanceProvider {
  let machine: Machine
  let loop: any Loop
  /// Libraries and the like. They are looked for when a report asks: loading them all takes as much
  /// memory as the rest of a context, and most of them are never used.
  private let known: @Sendable () -> [Mechanism]
  /// What the last look at each kind depended on, where that can be told.
  private let looks = LastLooks()
  /// A subscription to the kernel wakes the loop, and a captured tree has to be looked at.
  let tellsForFree = false

  init(
    machine: Machine, loop: any Loop, mechanisms: @escaping @Sendable () -> [Mechanism] = { [] }
  ) {
    self.machine = machine
    self.loop = loop
    known = mechanisms
  }

  var isRemote: Bool { machine.iio.isRemote }

  /// A daemon may have started or stopped since the last look.
  var mechanisms: [Mechanism] {
    known() + (machine.positions?.gpsd.map { [.gpsd($0, in: machine.files)] } ?? [])
      + (machine.upsd.map { [.upsd($0)] } ?? [])
  }

  func host(of kind: any SourceKind) -> String? { kind.host(on: machine) }

  /// Another machine serves its IIO devices only (sources 2).
  func discover(_ kind: any SourceKind) -> Discovery {
    let isServed =
      machine.nature != .remote || kind.topics.contains(.devices(subsystem: "iio"))
    guard isServed else {
      return Discovery(
        [], orElse: Availability(.noHardware, detail: "iiod serves IIO devices only"))
    }
    guard looks.takeWish(of: kind), let tree = standingTree else { return find(kind) }
    let (found, stamps) = tree.recording { find(kind) }
    looks.note(stamps, of: kind)
    return found
  }

  func isStillThere(_ instance: Instance, of kind: any SourceKind) -> Bool {
    machine.nature != .remote && kind.isStillThere(instance, on: machine)
  }

  private func find(_ kind: any SourceKind) -> Discovery {
    // Ids are unique, whatever names a kind returns.
    var discovery = withIdentity(kind.discover(on: machine))
    discovery.instances = discovery.instances.withDistinctNames()
    return discovery
  }

  /// The files of a captured tree, if lists of instances depend on nothing else.
  private var standingTree: RootedFileTree? {
    let isAlone =
      machine.nature == .captured && machine.bus == nil && machine.positions == nil
      && machine.radio == nil && machine.sound == nil && machine.upsd == nil
      && !machine.iio.isRemote
    return isAlone ? machine.files as? RootedFileTree : nil
  }

  /// The same list, with the identity for withholding its addresses.
  private func withIdentity(_ found: Discovery) -> Discovery {
    let absence = [found.absence.detail, found.absence.remedy]
    let bearsAddress =
      found.instances.contains(where: \.bearsAddress)
      || absence.contains { HardwareAddress.first(in: $0) != nil }
    guard bearsAddress else { return found }
    let identity = MachineIdentity.of(machine)
    var found = found
    found.identity = identity
    found.instances = found.instances.map { $0.named(by: identity) }
    return found
  }

  func claim(
    _ instance: Instance, of kind: any SourceKind
  ) throws(SourceError) -> sending (any InstanceReader)? {
    try kind.open(instance, on: machine)
  }

  func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, of kind: any SourceKind
  ) throws(SourceError) {
    try kind.write(value, toPropertyAt: index, of: instance, on: machine)
  }

  func floor(of instance: Instance, of kind: any SourceKind) -> (interval: Int64, reason: String) {
    switch machine.nature {
    case .live, .remote:
      if let floor = instance.pollingFloor, floor.interval > kind.intervals.minimum {
        (floor.interval, floor.reason)
      } else {
        (kind.intervals.minimum, "the kind's minimum on a live machine")
      }
    case .captured: (Intervals.smallest, "the library's minimum")
    }
  }

  func beginWatching(
    _ kind: any SourceKind, besides ticks: @escaping @Sendable () -> Int64?,
    changed: @escaping @Sendable (Change) -> Void
  ) -> [any Cancellable] {
    let subscriptions =
      kind.topics.compactMap { topic -> (any Cancellable)? in
        guard let service = topic.service, let bus = machine.bus else {
          return subscribe(to: topic) { _ in changed(topic.isOfLists ? .instances : .notice) }
        }
        let listing = ServiceListing(of: service, on: bus)
        let readings = { @Sendable in
          if listing.hasChanged { return false }
          changed(.values(instance: nil))
          return true
        }
        return bus.subscribe(to: service, on: loop, orHere: readings) { changed(.notice) }
      } + [kind.ask(machine)].compactMap(\.self)
    if machine.notices != nil { return subscriptions }
    let rescan = Rescan(on: loop, besides: ticks) {
      if self.looks.mayDiffer(of: kind) { changed(.instances) }
    }
    return [rescan] + subscriptions
  }

  func hold(_ kinds: [any SourceKind]) -> [any Cancellable] {
    let questions = kinds.compactMap { $0.ask(machine) }
    guard let bus = machine.bus else { return questions }
    return questions + services(of: kinds).map { bus.watch($0) {} }
  }

  func prepare(_ kinds: [any SourceKind]) -> [any Cancellable] {
    // All are queried before the first is waited for.
    let watches = hold(kinds)
    if loop.isCurrent { return watches }
    let limit = Monitor<Void>.moment(after: 2_000_000_000)
    for case let question as any ListQuestion in watches { question.awaitAnswer(until: limit) }
    guard let bus = machine.bus else { return watches }
    for service in services(of: kinds) {
      _ = bus.view(of: service, waiting: max(0, limit - Monitor<Void>.moment(after: 0)))
    }
    return watches
  }

  private func services(of kinds: [any SourceKind]) -> Set<BusService> {
    Set(kinds.flatMap(\.topics).compactMap(\.service))
  }

  func lookAnew(_ kind: any SourceKind) { machine.lookAnew(at: kind.topics) }

  /// A mechanism that is missing costs its events, not the source: it is polled.
  private func subscribe(
    to topic: ChangeTopic, _ notify: @escaping @Sendable (_ bootTime: Int64?) -> Void
  ) -> (any Cancellable)? {
    if let service = topic.service {
      return machine.bus?.subscribe(to: service, on: loop, orHere: { false }) { notify(nil) }
    }
    return try? machine.notices?.subscribe(to: topic, on: loop) { notify($0.bootTime) }
  }

  func listen(
    to topic: ChangeTopic, _ notify: @escaping @Sendable (_ bootTime: Int64?) -> Void
  ) -> (any Cancellable)? {
    subscribe(to: topic, notify)
  }
}

extension ChangeTopic {
  /// The service of the message bus it is about, if it is about one.
  fileprivate var service: BusService? {
    if case .bus(let service) = self { return service }
    return nil
  }

  /// Whether it tells which instances there are, and nothing of those that stay.
  fileprivate var isOfLists: Bool {
    if case .folders = self { return true }
    return false
  }
}

extension Intervals {
  /// The smallest interval of any context: 1 ms (sources C5).
  static let smallest: Int64 = 1_000_000
}

/// What the last look at each kind that is watched depended on, where that can be told.
private final class LastLooks: Sendable {
  private let stamps = Lock<[ExactText: TreeStamps]>([:])
  /// The kinds of which the next look is to be noted, and whether there are any.
  private let wishes = Lock<Set<ExactText>>([])
  private let hasWishes = Atomic(false)

  func note(_ stamps: TreeStamps?, of kind: any SourceKind) {
    self.stamps.withLock { $0[ExactText(kind.kind)] = stamps }
  }

  /// Whether a kind's list may be another than at the last look that was noted; if so, the next one
  /// is.
  func mayDiffer(of kind: any SourceKind) -> Bool {
    if let stamps = stamps.withLock({ $0[ExactText(kind.kind)] }), stamps.stillHold { return false }
    wishes.withLock { wishes in
      wishes.insert(ExactText(kind.kind))
      hasWishes.store(true, ordering: .relaxed)
    }
    return true
  }

  /// Whether a look at a kind is to be noted; most looks are not.
  func takeWish(of kind: any SourceKind) -> Bool {
    guard hasWishes.load(ordering: .relaxed) else { return false }
    return wishes.withLock { wishes in
      defer { hasWishes.store(!wishes.isEmpty, ordering: .relaxed) }
      return wishes.remove(ExactText(kind.kind)) != nil
    }
  }
}

/// Whether a service lists what it listed before, or has new readings only.
private final class ServiceListing: Sendable {
  private let service: BusService
  private let bus: any MessageBus
  private let last = Lock<UInt64?>(nil)

  init(of service: BusService, on bus: any MessageBus) {
    self.service = service
    self.bus = bus
  }

  /// Whether the listing is another since the last question.
  var hasChanged: Bool {
    let listing = bus.view(of: service, waiting: 0).listing
    return last.withLock { last in
      defer { last = listing }
      return last != listing
    }
  }
}
