import Ground
import Synchronization
import Values

/// The state of a context, behind one lock. Its methods make decisions and never call out: actions
/// to carry out are returned, or wait in an outbox for the dispatcher.
struct CoreState {
  var isClosed = false
  var allowance: Allowance
  var kinds: [KindState]
  /// Where the kind of each word stands among them.
  private let kindPlaces: [ExactText: Int]
  var producers: [Int: ProducerState] = [:]
  var sessions: [UInt32: SessionState] = [:]
  var watchers: [Watcher] = []
  /// When which producers are due.
  var ticks = TickQueue()
  private(set) var lastProducer = 0
  private(set) var lastSession: UInt32 = 0

  /// Whether callbacks wait for the host to dispatch.
  let isHostMode: Bool

  /// Which machine instances live on.
  private let device: DeviceName
  /// The same of kinds whose instances live on another one, by their words.
  private let hosts: [ExactText: DeviceName]

  /// Whether the IIO devices are another machine's.
  private let isRemote: Bool
  /// Whether the last values of an instance that goes away are shown on, as stale.
  let keepsValuesOfAbsent: Bool

  init(
    kinds: [any SourceKind], allowance: Allowance, isHostMode: Bool, device: DeviceName = .own,
    hosts: [ExactText: DeviceName] = [:], isRemote: Bool = false, keepsValuesOfAbsent: Bool = false
  ) {
    self.isHostMode = isHostMode
    self.device = device
    self.hosts = hosts
    self.isRemote = isRemote
    self.keepsValuesOfAbsent = keepsValuesOfAbsent
    self.kinds = kinds.map { KindState(kind: $0) }
    kindPlaces = Dictionary(
      zip(kinds.map { ExactText($0.kind) }, kinds.indices), uniquingKeysWith: { first, _ in first })
    self.allowance = allowance
  }

  mutating func nextProducer() -> Int {
    lastProducer += 1
    return lastProducer
  }

  /// A producer of an instance, of which nothing was read yet.
  func newProducer(
    _ number: Int, of kind: any SourceKind, at index: Int, _ instance: Instance
  ) -> ProducerState {
    let other = kinds[index].producers.values.first.flatMap { producers[$0] }
    return ProducerState(
      number: number, kindIndex: index, kind: kind, instance: instance, isRemote: isRemote,
      like: other)
  }

  mutating func nextSession() -> UInt32 {
    lastSession &+= 1
    return lastSession
  }

  /// The full id of an instance a kind listed; such names are never empty (sources N9).
  func id(of instance: String, of kind: any SourceKind) -> SourceIdentifier {
    device(of: kind.kind).identifier(of: instance, kind: kind.kind)
  }

  /// Which machine the instances of a kind live on.
  func device(of kind: String) -> DeviceName {
    hosts.isEmpty ? device : hosts[ExactText(kind)] ?? device
  }

  /// The index of a kind by its word.
  func kindIndex(of word: String) -> Int? { kindPlaces[ExactText(word)] }
}

/// The state of one kind in a context.
struct KindState {
  let kind: any SourceKind
  /// The list of the last look; nil before one.
  private(set) var discovery: Discovery?
  /// Rises whenever what is told of its instances is another; 0 before a look.
  var listNumber: UInt64 = 0
  /// Whether there are notices about some of its instances.
  private(set) var hasTopics = false
  /// Where the instance of each name stands in that list.
  private var places: [ExactText: Int] = [:]
  /// When that look was, on CLOCK_BOOTTIME in nanoseconds.
  var listedAt: Int64?
  /// The identity for digests of addresses in names and places, once there were any.
  var identity: MachineIdentity?
  /// When a caller last requested a discovery without remembered failures, on CLOCK_BOOTTIME in
  /// nanoseconds.
  var lookedAnewAt: Int64?
  /// The producer of every instance ever seen, by stable name.
  var producers: [ExactText: Int] = [:]
  /// The watches that make the provider report changes; empty while no watcher and no session needs
  /// them.
  var watches: [any Cancellable] = []
  var isWatching = false
  /// The number of the watching; watches begun for an earlier one are not kept.
  var watching: UInt64 = 0
  /// The notice subscriptions of single instances while they update.
  var notices = InstanceNotices()

  init(kind: any SourceKind) { self.kind = kind }

  /// Takes the list of a look over.
  mutating func list(_ found: Discovery) {
    discovery = found
    hasTopics = found.instances.contains { !$0.topics.isEmpty }
    places = Dictionary(
      zip(found.instances.map { ExactText($0.name) }, found.instances.indices),
      uniquingKeysWith: { first, _ in first })
  }

  /// Puts an instance in the place of the one of its name; whether there is one.
  mutating func replace(_ instance: Instance) -> Bool {
    guard let place = places[ExactText(instance.name)] else { return false }
    discovery?.instances[place] = instance
    return true
  }

  /// The instance of a name, as of the last look.
  func instance(named name: String) -> Instance? {
    places[ExactText(name)].flatMap { discovery?.instances[$0] }
  }
}

/// A registration for instances coming and going.
struct Watcher {
  let kindIndex: Int?
  /// Whether it hears that a list has changed, instead of which instances come and go.
  var isOfLists = false
  let listener: Listener
}
