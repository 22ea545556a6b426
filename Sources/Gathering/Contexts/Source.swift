import Ground
public import Values

/// One live, private session on one instance: its own interval, its own listeners. Any call may be
/// made from any thread and inside any callback (sources T1).
///
/// Its guarantees (sources 3 to 5):
///
/// - **A start is decided when the call returns** (L2): it is updating, or waits for a permission,
///   or has failed, and the event that says so was delivered.
/// - **A start refreshes at once** (L3): the first update has every property, in catalogue order;
///   after that comes one update a tick, and one an event (L4).
/// - **A second start is a new schedule** (L5), not a new claim; nothing of the old one is left.
/// - **Once a stop has returned no callback of the run begins** (L6), not even for an update that
///   was queued.
/// - **One unreadable property is that value's business** (L9). Three readings in a row that fail
///   as a whole end the session.
/// - **Absence is not failure** (L10): while the instance, its daemon or its power is away the
///   source stays updating, its values say why, and it goes on when they are back.
/// - **Sessions are private** (L14): what one of them does changes nothing another can observe.
/// - **A backlog never builds up** (L18): what a slow listener loses is counted and flagged.
/// - **The schedule has no drift** (I4): late ticks are delivered once, the grid stays.
/// - Releasing the last reference ends the session silently.
public final class Source: Sendable {
  /// The context it belongs to.
  public let context: Context
  /// The session's number, unique in its context: what samples carry in C.
  public let number: UInt32
  /// The kind of the source.
  public let kind: any SourceKind
  /// The part of its context that most calls need.
  package let life: ContextLife
  let session: SessionState
  /// What getters copy; held here, so that they count no reference to its session.
  let shown: ShownRows
  private let core: Monitor<CoreState>

  init(_ session: SessionState, in context: Context) {
    self.session = session
    shown = session.shown
    life = context.life
    core = context.core
    number = session.number
    kind = session.kind
    self.context = context
  }

  deinit {
    LockRank.expectNoLock("lets go of a source")
    context.release(number)
  }

  // MARK: Description, without I/O

  /// The full id once it is bound to an instance; before, as it was opened.
  public var id: SourceIdentifier { look { $0.id } ?? .kind(kind.kind) }

  /// The kind's name, for people.
  public var name: String { kind.name }

  /// The instance's label, for people; may change.
  public var label: String { instance?.label ?? kind.name }

  /// Whether it can start now, and if not, why and what to do about it.
  public var availability: Availability {
    if context.fork.isForked { return Availability(.failed, detail: "the process forked") }
    return context.core.withLock { $0.availability(of: number) }
  }

  /// Its properties, in catalogue order.
  public var properties: [Property] { look { $0.properties } ?? kind.properties }

  /// The samples last delivered or read, in catalogue order (sources V10).
  public var allValues: [Sample] { shownBlock?.samples ?? [] }

  /// The block behind `allValues`; nil in a forked process and in a closed context.
  package var shownBlock: Block? { look { $0.shown(to: CurrentThread.identity) } }

  /// Whether it is updating.
  public var isUpdating: Bool { look { $0.phase == .updating } ?? false }

  /// Where it is in its life.
  public var state: State {
    switch look({ $0.phase }) ?? .idle {
    case .idle: .idle
    case .waiting: .waiting
    case .updating: .updating
    }
  }

  /// Idle, waiting for a permission, or updating.
  public enum State: UInt32, Sendable {
    case idle = 0
    case waiting = 1
    case updating = 2
  }

  /// The requested interval in nanoseconds while updating; nil otherwise.
  public var updateInterval: Int64? { look { $0.phase == .updating ? $0.asked : nil } ?? nil }

  /// The requested, granted and measured intervals, and the counts of skipped and dropped updates
  /// (sources I3).
  public var rates: Rates {
    look { session in
      Rates(
        asked: session.phase == .updating ? session.asked : nil,
        granted: session.phase == .updating ? session.granted : nil, measured: session.times.mean,
        skipped: session.skipped, dropped: session.dropped,
        reason: session.phase == .updating ? session.grantReason : "")
    } ?? Rates()
  }

  /// The smallest interval it is granted, in nanoseconds.
  public var minimumInterval: Int64 {
    if instance != nil { return context.floor(of: number).interval }
    return context.provider.floor(of: Instance("", availability: availability), of: kind).interval
  }

  /// The place of the instance on the machine, and its data besides values.
  public var metadata: ValueDictionary {
    var facts = ValueDictionary()
    facts["kind"] = .string(kind.kind)
    facts["backend"] = .string(availability.backend)
    if let instance {
      facts["instance"] = .string(instance.name)
      facts["label"] = .string(instance.label)
      facts["path"] = .string(instance.path)
      facts["aliases"] = .list(instance.aliases.map(Value.string))
      for (key, value) in instance.notes.sorted(by: { $0.key < $1.key }) {
        facts[key] = .string(value)
      }
    }
    return facts
  }

  /// The last payload of a property exactly as the backend returned it, and its place; nil if there
  /// is none or its category is not allowed (sources V3).
  public func rawValue(ofPropertyAt index: Int) -> RawValue? {
    if context.fork.isForked { return nil }
    let known = context.core.withLock { state -> (box: ReaderBox?, identity: MachineIdentity?)? in
      guard let session = state.sessions[number], session.properties.indices.contains(index),
        state.allowance.permits(session.properties[index].category),
        state.allowance.permits(kind.category)
      else { return nil }
      let box = session.producer.flatMap { state.producers[$0]?.box }
      return (box, state.withholder(of: session.kindIndex))
    }
    guard var raw = known?.box?.raw(ofPropertyAt: index) else { return nil }
    if let identity = known?.identity { raw = raw.withheld(by: identity) }
    return raw
  }

  // MARK: Actions

  /// Starts updating, or restarts the schedule if it is (sources L2, L5).
  ///
  /// `interval` is in nanoseconds; nil means the kind's default. The event of the start has been
  /// delivered when this returns; a refused start throws.
  public func startUpdating(every interval: Int64? = nil) throws(SourceError) {
    try check(interval)
    try context.start(number, every: interval ?? DefaultIntervals.interval(of: kind))
  }

  private func check(_ interval: Int64?) throws(SourceError) {
    if let interval, interval <= 0 {
      throw .invalidArgument("the interval must be greater than 0")
    }
  }

  /// Adds a listener, then starts: it receives the first update (sources L7).
  ///
  /// A refused start is reported as `failedToStart` and keeps the listener, until its token is
  /// released. Throws only for mistakes of the caller; then there is no listener.
  public func startUpdating(
    every interval: Int64? = nil,
    sendingUpdatesTo receive: @escaping @Sendable (SourceUpdate) -> Void
  ) throws(SourceError) -> ListenerToken {
    try check(interval)
    let token = addUpdateListener(receive)
    do throws(SourceError) {
      try startUpdating(every: interval)
    } catch .closed {
      throw .closed
    } catch .forked {
      throw .forked
    } catch {
      // The event has reported it.
    }
    return token
  }

  /// Stops updating. When it returns no callback of this run starts any more. Idempotent.
  public func stopUpdating() throws(SourceError) { try context.stop(number) }

  /// Takes one reading outside the schedule and returns all values, whatever their status.
  @discardableResult
  public func updateValues() throws(SourceError) -> [Sample] {
    try updateValuesInPlace()
    return allValues
  }

  /// Takes one reading outside the schedule; `allValues` has it afterwards.
  ///
  /// Values not read within the limit, in nanoseconds, keep their old value (sources L8).
  public func updateValuesInPlace(within limit: Int64 = 1_000_000_000) throws(SourceError) {
    try context.updateValues(session, within: limit)
  }

  /// The same, but what cannot change is read only where that is still to be done.
  package func updateChangingValues(within limit: Int64) throws(SourceError) {
    try context.updateValues(session, within: limit, sparing: true)
  }

  /// Sets a property: on the device itself (flag `writable`), or as a setting of this session alone
  /// (flag `config`), which the next update is made with.
  ///
  /// Throws `notSupported` for a property that cannot be set, `type` for a payload of another type
  /// and `invalidArgument` for one out of range or not finite; of a device also `unavailable` where
  /// it is away or we may not, and `io` with its answer.
  public func set(_ value: Value, ofPropertyAt index: Int) throws(SourceError) {
    try context.check()
    let properties = properties
    guard properties.indices.contains(index) else {
      throw .invalidArgument("there is no property \(index)")
    }
    let property = properties[index]
    guard !property.flags.isDisjoint(with: [.config, .writable]) else {
      throw .notSupported("\(kind.kind)/\(property.key) cannot be set")
    }
    let accepted = try property.accepting(value)
    if property.flags.contains(.writable) {
      return try context.write(accepted, toPropertyAt: index, for: number)
    }
    context.core.withLock {
      $0.sessions[number]?.set(accepted, ofPropertyAt: index, at: context.now)
    }
    context.followFloor(of: number, after: index)
  }

  /// Explains a value: status, reason, errno, remedy, place, clock, and raw unless it is withheld
  /// (sources V3, V5).
  public func explanation(ofPropertyAt index: Int) -> ValueDictionary {
    var facts = ValueDictionary()
    let values = allValues
    guard values.indices.contains(index) else { return facts }
    let sample = values[index]
    let raw = rawValue(ofPropertyAt: index)
    facts["status"] = .string(sample.status.word)
    facts["reason"] = .string(sample.absence?.reason ?? "")
    facts["errno"] = .int(Int64(sample.absence?.errno ?? 0))
    facts["remedy"] = .string(sample.absence?.remedy ?? "")
    facts["place"] = .string(raw?.place ?? "")
    facts["clock"] = .string(sample.clockOrigin.rawValue)
    if let raw {
      facts["raw"] =
        String(validating: raw.bytes, as: UTF8.self).map(Value.string)
        ?? .bytes(raw.bytes)
    }
    return facts
  }

  private var instance: Instance? {
    if context.fork.isForked { return nil }
    return context.core.withLock { state in
      guard let session = state.sessions[number],
        let instance = session.producer.flatMap({ state.producers[$0]?.instance })
      else { return nil }
      return state.withholder(of: session.kindIndex).map(instance.withheld) ?? instance
    }
  }

  private func look<Answer>(_ question: (SessionState) -> Answer) -> Answer? {
    if life.fork.isForked { return nil }
    return core.withLock { _ in session.isRemoved ? nil : question(session) }
  }

  /// Asks about the instance it is bound to; nil without one.
  func lookAtInstance<Answer>(_ question: (ProducerState) -> Answer?) -> Answer? {
    look { $0.instance.flatMap(question) } ?? nil
  }
}
