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
  var current: UInt64 { epoch.load(ordering: .acquiring) }
  func advance() { epoch.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

/// One thing waiting to be delivered to a session's listeners.
struct OutboxItem: Sendable {
  enum Content: Sendable {
    case update([Sample])
    /// Rows of a stream, one block after the other.
    case rows([RowSlice])
    indirect case event(SourceEvent, [Listener])
  }
  let serial: UInt64
  var content: Content
}

/// Everything about one session.
final class SessionState {
  let number: UInt32
  let kindIndex: Int
  let kind: any SourceKind
  /// The full id once bound; before that the id as given.
  var id: SourceIdentifier
  /// The instance bound to; nil until one appears.
  var producer: Int?
  var properties: [Property]
  var phase = Phase.idle
  var asked: Int64 = 0
  var granted: Int64 = 0
  var grantReason = ""
  var grid: Grid?
  let gate = RunGate()
  /// The samples that `allValues` returns.
  var values: [Sample]
  /// The previous update of this session, delivered or not: newness is relative to it.
  var latest: [Sample]
  /// Which of the producer's readings it holds, and how many refused ones are counted.
  var seenReading: UInt64 = 0
  var seenRefusals: UInt64 = 0
  /// The reading behind it, for spans.
  var previous: Reading?
  var strikes = 0
  /// The host's settings by index of the property, and the run's first reading (see SessionFacts).
  var facts = SessionFacts()
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
  var listeners: [Listener] = []
  var eventListeners: [Listener] = []
  var taps: [any UpdateTap] = []
  /// The availability last reported; a change of it is an event.
  var toldAvailability: Availability
  /// The stream's condition when that was reported.
  var toldCondition: Availability?
  /// The update being delivered, and the delivering thread: listeners see it as `allValues`,
  /// whatever is read meanwhile (sources L16).
  var fanOut: (thread: UInt, values: [Sample])?
  /// Whether the loop has been asked to deliver the outbox.
  var isPosted = false
  let isHostMode: Bool
  private var deferred: UInt64 = 0
  private(set) var outbox: [OutboxItem] = []
  private(set) var lastSerial: UInt64 = 0

  init(
    number: UInt32, kindIndex: Int, kind: any SourceKind, id: SourceIdentifier, producer: Int?,
    properties: [Property], availability: Availability, isHostMode: Bool
  ) {
    self.number = number
    self.kindIndex = kindIndex
    self.kind = kind
    self.id = id
    self.producer = producer
    self.properties = properties
    values = [Sample](repeating: .notRead, count: properties.count)
    latest = values
    let first = Reading(properties: properties.count)
    countsFromStart = kind.adapts(to: SessionFacts(first: first))
    self.isHostMode = isHostMode
    toldAvailability = availability
  }

  /// Appends to the outbox and gives the item's number.
  func append(_ content: OutboxItem.Content) -> UInt64 {
    lastSerial += 1
    outbox.append(OutboxItem(serial: lastSerial, content: content))
    return lastSerial
  }

  /// The item up to which a delivery may proceed. While an update is being delivered to several
  /// listeners, the next one waits until all have received it; the same thread then delivers it.
  func reach(of delivery: SessionDelivery) -> UInt64? {
    if fanOut != nil, outbox.first?.content.isUpdate == true {
      deferred = max(deferred, delivery.serial)
      return nil
    }
    return max(delivery.serial, deferred)
  }

  /// Takes the next item up to a number.
  func takeItem(through serial: UInt64) -> OutboxItem.Content? {
    guard let first = outbox.first, first.serial <= serial else { return nil }
    outbox.removeFirst()
    return first.content
  }

  /// Appends rows to the queued ones; beyond a limit the oldest are dropped (sources L18).
  func append(_ slice: RowSlice, limit: Int) -> UInt64 {
    guard let last = outbox.indices.last, case .rows(var slices) = outbox[last].content else {
      return append(.rows([slice]))
    }
    // Out of the item while it grows, so that nothing is copied.
    outbox[last].content = .rows([])
    slices.append(slice)
    let excess = slices.reduce(0) { $0 + $1.rowCount } - limit
    if excess > 0 {
      dropped += UInt64(excess)
      slices = slices.dropping(excess)
    }
    outbox[last].content = .rows(slices)
    return outbox[last].serial
  }

  /// Takes the undelivered update out, if there is one: a session holds at most one (sources L18).
  func takePendingUpdate() -> [Sample]? {
    for index in outbox.indices {
      if case .update(let samples) = outbox[index].content {
        outbox.remove(at: index)
        return samples
      }
    }
    return nil
  }

  /// Drops all that waits to be delivered but events; whether there was any.
  func dropPendingUpdates() -> Bool {
    let waiting = outbox.count
    outbox.removeAll { $0.content.isUpdate }
    return outbox.count < waiting
  }

  /// Adopts the property list of its instance (sources N5), which may have other ranges or
  /// properties. Samples delivered before had no payload; the host's settings follow their
  /// properties.
  func adopt(_ list: [Property]) {
    let former = properties
    properties = list
    if former.areLaidOut(as: list) { return }
    let old = (values: values, latest: latest, settings: facts.settings)
    values = [Sample](repeating: .notRead, count: list.count)
    latest = values
    (facts, owned, previous) = (SessionFacts(), [], nil)
    for (index, setting) in old.settings {
      guard let place = list.firstIndex(where: { $0.isLaidOut(as: former[index]) }) else {
        continue
      }
      facts.settings[place] = setting
      owned.insert(place)
      values[place] = old.values[index]
      latest[place] = old.latest[index]
    }
    fanOut?.values = values
    _ = dropPendingUpdates()
  }

  /// Takes out all callbacks and queued items, for the caller to release.
  func dropEverything() -> Any {
    defer {
      listeners = []
      eventListeners = []
      taps = []
      outbox = []
    }
    return (listeners, eventListeners, taps, outbox)
  }

  /// All that may be called.
  var allListeners: [Listener] { listeners + eventListeners }

  /// Marks an update as being delivered: listeners see it as `allValues`.
  func show(_ samples: [Sample], to thread: UInt) {
    values = samples
    fanOut = (thread, samples)
  }

  /// The value of `allValues` on a thread.
  func shown(to thread: UInt) -> [Sample] {
    if let fanOut, fanOut.thread == thread { return fanOut.values }
    return values
  }

  /// Shows the values read last, also on the requesting thread.
  func showLatest(to thread: UInt) {
    values = latest
    if fanOut?.thread == thread { fanOut?.values = latest }
  }

  /// Replaces addresses that may no longer be shown by their digests (sources P4).
  func withhold(by identity: MachineIdentity, unless categories: [PrivacyCategory?]) {
    values.withhold(by: identity, unless: categories)
    latest.withhold(by: identity, unless: categories)
    fanOut?.values.withhold(by: identity, unless: categories)
    for place in outbox.indices {
      guard case .update(var samples) = outbox[place].content else { continue }
      samples.withhold(by: identity, unless: categories)
      outbox[place].content = .update(samples)
    }
  }

  /// Removes samples that may no longer be shown (sources P4).
  func conceal(_ indices: [Int], as concealed: [Sample]) {
    for index in indices where index < values.count && index < concealed.count {
      if values[index].status.showsContent { values[index] = concealed[index] }
      latest[index].value = .none
      if fanOut?.values[index].status.showsContent == true {
        fanOut?.values[index] = concealed[index]
      }
      outbox.removeAll { if case .rows = $0.content { true } else { false } }
      for place in outbox.indices {
        guard case .update(var samples) = outbox[place].content, samples[index].status.showsContent
        else { continue }
        samples[index] = concealed[index]
        samples[index].flags.insert(.isNew)
        outbox[place].content = .update(samples)
      }
    }
  }
}

extension OutboxItem.Content {
  /// Whether it is a delivery of values.
  var isUpdate: Bool {
    switch self {
    case .update, .rows: true
    case .event: false
    }
  }
}

extension [RowSlice] {
  /// The same rows without the first ones, which were lost.
  func dropping(_ count: Int) -> [RowSlice] {
    var rest = self
    var excess = count
    while let first = rest.first, excess >= first.rowCount {
      excess -= first.rowCount
      rest.removeFirst()
    }
    if let first = rest.first { rest[0] = first.dropping(excess) }
    return rest
  }
}

/// Receives every update of a session as it is gathered, without waiting for the loop: the basis of
/// pull readers. Called under the context's lock, so it only stores.
public protocol UpdateTap: AnyObject, Sendable {
  /// Stores one update.
  func store(_ samples: [Sample], from session: UInt32)
  /// Stores rows of a stream.
  func store(_ rows: RowSlice, from session: UInt32)
}
