import Ground
import Synchronization
import Values

/// Where a session is in its life (sources 3).
enum Phase: Equatable, Sendable {
  case idle
  /// A start waits for a permission.
  case waiting
  case updating
}

/// The flag by which a running delivery notices that its run has ended.
final class RunGate: Sendable {
  private let epoch = Atomic<UInt64>(0)
  @inline(__always)
  var current: UInt64 { epoch.load(ordering: .sequentiallyConsistent) }
  func advance() { epoch.wrappingAdd(1, ordering: .sequentiallyConsistent) }
}

/// Everything about one session.
final class SessionState: @unchecked Sendable {
  // Safe: under the lock of its context, but for what is constant, atomic, or says that it belongs
  // to the thread that has the turn.

  let number: UInt32
  let kindIndex: Int
  let kind: any SourceKind
  /// The full id once bound; before that the id as given.
  var id: SourceIdentifier
  /// The number of the instance bound to; nil until one appears.
  private(set) var producer: Int?
  /// The instance bound to.
  private(set) var instance: ProducerState?
  var properties: [Property]
  var phase = Phase.idle { didSet { instance?.agenda = nil } }
  /// Whether its source has been let go.
  var isRemoved = false
  var asked: Int64 = 0
  var granted: Int64 = 0
  var grantReason = ""
  /// The moments it is due at; nil while it does not update.
  private(set) var grid: Grid?
  let gate = RunGate()
  /// The values that `allValues` returns.
  var values: Block {
    willSet {
      if isFanningOut && fanOut == nil { fanOut = values }
      shown.show(newValue)
    }
  }
  /// The same, for getters and for a delivery.
  let shown: ShownRows
  /// The previous update of this session, delivered or not: newness is relative to it.
  var latest: Block { didSet { shownReading = 0 } }
  /// The number of the instance's reading whose rows `latest` has as they are; 0 if none.
  var shownReading: UInt64 = 0
  /// A block to be written anew, once it is no longer referenced elsewhere.
  var spare: Block?
  /// Which of the producer's readings it holds, and how many refused ones are counted.
  var seenReading: UInt64 = 0
  var seenRefusals: UInt64 = 0
  /// The reading behind it, for spans.
  var previous: SpanBasis?
  var strikes = 0
  /// The host's settings by index of the property, and the run's first reading (see SessionFacts).
  var facts = SessionFacts() { didSet { adapts = kind.adapts(to: facts) } }
  /// Whether the kind has values of their own for these facts.
  private(set) var adapts: Bool
  /// Whether the kind has values that count from the start of a run.
  let countsFromStart: Bool
  /// The properties whose samples differ from the instance's because of this session's facts.
  var owned: Set<Int> = []
  /// Whether the refresh its run begins with has not come yet (sources L3).
  var awaitsRefresh = false
  /// Whether rows were lost that no update has reported.
  var hasLostRows = false
  var times = UpdateTimes()
  var skipped: UInt64 = 0
  var dropped: UInt64 = 0
  var listeners = ListenerList.none { willSet { called = FanOut.Listeners(newValue) } }
  /// The same, for a delivery.
  private var called = FanOut.Listeners(.none)
  /// Replaced as a whole: a delivery under way has the list, and nothing that the thread sanitizer
  /// sees tells when it has let go of that.
  var eventListeners: [Listener] = []
  var taps: [any UpdateTap] = []
  /// The session's handle in C.
  let handle = LentHandle()
  /// What makes another one where the host has given its own back.
  var lender: (any HandleLending)?
  /// The availability last reported; a change of it is an event.
  var toldAvailability: Availability
  /// The stream's condition when that was reported.
  var toldCondition: Availability?
  /// The outcome of its values while there are none, with the availability that explains it.
  private var absence: KeptAbsence?

  /// The thread that delivers an update at present; 0 if none does.
  let fanOutThread = Atomic<UInt>(0)
  /// The update being delivered, if `values` is another by now: its listeners see it as
  /// `allValues`, whatever is read meanwhile (sources L16). Stale while none is.
  private var fanOut: Block? {
    willSet { if isFanningOut, let fanOut { retired.append(fanOut) } }
  }
  /// Blocks that listeners may still read after they were replaced; stale while none is called.
  private var retired: [Block] = []
  /// Up to which item the thread that delivers is to go on after the present update.
  private var deferred: UInt64 = 0
  /// Whether the loop has been asked to deliver the outbox.
  var isPosted = false
  let isHostMode: Bool
  var outbox = Outbox()

  init(
    number: UInt32, kindIndex: Int, kind: any SourceKind, id: SourceIdentifier,
    properties: [Property], availability: Availability, isHostMode: Bool
  ) {
    self.number = number
    self.kindIndex = kindIndex
    self.kind = kind
    self.id = id
    self.properties = properties
    let unread = Block(count: properties.count)
    (values, latest, shown) = (unread, unread, ShownRows(unread))
    let first = Reading(properties: properties.count)
    countsFromStart = kind.adapts(to: SessionFacts(first: first))
    adapts = kind.adapts(to: SessionFacts())
    self.isHostMode = isHostMode
    toldAvailability = availability
  }

  /// Gives it other moments to be due at.
  func schedule(on grid: Grid?) {
    self.grid = grid
    instance?.agenda = nil
  }

  /// Leaves out the ticks up to now.
  func passTicks(until now: Int64) {
    guard var next = grid else { return }
    _ = next.takeTick(at: now)
    schedule(on: next)
  }

  /// Ticks of its grid have come, of which some were missed.
  func follow(_ grid: Grid, skipping missed: UInt64) {
    self.grid = grid
    skipped += missed
  }

  /// Binds it to an instance, or to none.
  func bind(to instance: ProducerState?, numbered number: Int?) {
    (self.instance, producer, shownReading) = (instance, number, 0)
  }

  /// Adopts the property list of its instance (sources N5), which may have other ranges or
  /// properties. Samples delivered before had no payload; the host's settings follow their
  /// properties.
  func adopt(_ list: [Property]) {
    let former = properties
    properties = list
    if former.areLaidOut(as: list) { return }
    let old = (values: values, latest: latest, settings: facts.settings)
    let (set, adopted) = (Block(count: list.count), Block(count: list.count))
    (facts, owned, previous, spare) = (SessionFacts(), [], nil, nil)
    for (index, setting) in old.settings {
      guard let place = list.firstIndex(where: { $0.isLaidOut(as: former[index]) }) else {
        continue
      }
      facts.settings[place] = setting
      owned.insert(place)
      set.set(old.values[index], at: place)
      adopted.set(old.latest[index], at: place)
    }
    (values, latest) = (set, adopted)
    if isFanningOut { fanOut = values }
    _ = outbox.dropUpdates()
  }

  /// The outcome of values that are absent for the reason of an availability; the same one as long
  /// as that stays.
  func absence(for cause: Availability) -> Outcome {
    if let absence, absence.cause == cause { return absence.outcome }
    let new = KeptAbsence(cause)
    absence = new
    return new.outcome
  }

  /// Takes out all callbacks and queued items, for the caller to release.
  func dropEverything() -> Any {
    defer {
      listeners = .none
      eventListeners = []
      taps = []
      instance = nil
    }
    return (eventListeners, taps, outbox.takeAll(), instance as Any)
  }

  /// All that may be called.
  var allListeners: [Listener] { listeners.listeners + eventListeners }

  // MARK: What is shown

  /// Whether an update is being delivered.
  var isFanningOut: Bool { fanOutThread.load(ordering: .relaxed) != 0 }

  /// Marks an update as being delivered: listeners see it as `allValues`.
  func show(_ block: Block, to thread: UInt) -> FanOut {
    values = block
    return beginFanOut(on: thread)
  }

  /// Marks `values` as being delivered. Until that ends they stay in memory, whatever becomes of
  /// them.
  @inline(__always)
  func beginFanOut(on thread: UInt) -> FanOut {
    if fanOut != nil { fanOut = nil }
    if !retired.isEmpty { retired = [] }
    fanOutThread.store(thread, ordering: .relaxed)
    return FanOut(reading: shown.reading, listeners: called, epoch: gate.current)
  }

  /// Whether an update has no listeners.
  var hasNoListeners: Bool { called.entries.isEmpty }

  /// The update has reached all its listeners, on the thread that delivered it; up to which item
  /// it goes on.
  func endFanOut() -> UInt64 {
    fanOutThread.store(0, ordering: .relaxed)
    defer { deferred = 0 }
    return deferred
  }

  /// The value of `allValues` on a thread.
  func shown(to thread: UInt) -> Block {
    fanOutThread.load(ordering: .relaxed) == thread ? fanOut ?? values : values
  }

  /// Shows the values read last, also on the requesting thread.
  func showLatest(to thread: UInt) {
    if values !== latest { values = latest }
    if fanOutThread.load(ordering: .relaxed) == thread { fanOut = latest }
  }

  // MARK: What is delivered

  /// Takes the next item up to a number. While an update is being delivered to several listeners,
  /// the next one waits until all have received it; the same thread then delivers it.
  func takeItem(through serial: UInt64) -> Outbox.Item? {
    if isFanningOut, outbox.beginsWithUpdate {
      deferred = max(deferred, serial)
      return nil
    }
    return outbox.take(through: serial)
  }

  /// Takes the update that waits if nothing else does, and none is being delivered.
  func takeOnlyUpdate() -> Block? { isFanningOut ? nil : outbox.takeOnlyUpdate() }

  /// Drops an update that will not be delivered: newness is then relative to the one before.
  func forgetPendingUpdate() {
    if outbox.dropUpdates() { latest = values }
  }

  // MARK: What is withheld

  /// Replaces addresses that may no longer be shown by their digests (sources P4). Blocks that were
  /// handed on never change: copies take their places.
  func withhold(by identity: MachineIdentity, unless categories: [PrivacyCategory?]) {
    let withheld = { (block: Block) in block.withheld(by: identity, unless: categories) }
    values = withheld(values)
    latest = withheld(latest)
    if isFanningOut { fanOut = fanOut.map(withheld) }
    outbox.replaceUpdates(withheld)
    spare = nil
  }

  /// Removes samples that may no longer be shown (sources P4).
  func conceal(_ indices: [Int], as concealed: Block) {
    let hidden = indices.filter { $0 < values.count && $0 < concealed.count }
    if hidden.isEmpty { return }
    values = values.concealing(hidden, as: concealed)
    latest = latest.withoutPayloads(hidden)
    if isFanningOut { fanOut = fanOut.map { $0.concealing(hidden, as: concealed) } }
    outbox.dropRows()
    outbox.replaceUpdates { $0.concealing(hidden, as: concealed, flags: .isNew) }
    spare = nil
  }
}
