import Ground
import Values

/// One instance, and the reading of it that all its sessions share.
final class ProducerState {
  /// By which sessions find it.
  let number: Int
  let kindIndex: Int
  let kind: any SourceKind
  var instance: Instance
  /// Whether the instance was in the list of the last look.
  var isPresent = true
  /// Whether the instance was in any list so far.
  var wasSeen = true
  /// The condition the instance last reported besides its values.
  var condition: Availability?
  /// Why it is not there, where its daemon is away with all its instances.
  var absence: Availability?
  let properties: [Property]
  let spans: [SpanRule]
  /// By index, how the values of a property are taken over.
  let modes: [ReportingMode]
  let categories: [PrivacyCategory?]
  let traits: [PropertyTraits]
  /// By index, what a property shows while its category is not allowed.
  let withheld: [Outcome]
  let box: ReaderBox
  /// The newest value of every property.
  private(set) lazy var newest = Block(count: properties.count)
  /// What its stream's next rows may share with the last ones; nil once something else has written
  /// the newest values.
  var basisOfRows: RowBasis?
  /// Which reading the newest values show.
  var taken: TakenReading
  /// The newest reading as spans need it.
  var lastReading: SpanBasis?
  /// The one before, to be written anew once no session refers to it.
  var spareReading: SpanBasis?
  /// The properties of it that a script set, where there are spans.
  var scripted: Set<Int> = []
  /// The properties whose outcomes spans need.
  let spanInputs: [Int]
  /// The data of the newest reading besides its outcomes.
  var basis = ReadingBasis()
  /// When it was read last, where it must not be left unread for long (boot ns).
  var readAt: Int64?
  /// Counts the readings, so that sessions know which they have seen.
  var readings: UInt64 = 0
  /// The failure of the newest reading as a whole, if it failed (sources L9).
  var failure: SourceError? { didSet { hasFailed = failure != nil } }
  /// Whether there is a failure: a flag is cheaper to look at than an optional error.
  private(set) var hasFailed = false
  /// Whether a session was updating at the last look.
  var isRunning = false
  /// Which callers may read it on their own threads.
  var directness = Directness.none
  /// Whether a property is measured once.
  let hasOneShot: Bool
  /// Whether sessions may have values of their own, by settings or by when they began.
  let mayAdapt: Bool
  /// Sessions bound to it, in the order opened.
  var sessions: [SessionState] = [] { didSet { agenda = nil } }
  /// When they are due; nil when that has to be found out.
  var agenda: Agenda?
  /// The moment it is due at; `.max` if it is not. Changed by `TickQueue`.
  var due: Int64 = .max
  /// Where it stands among those that are due.
  var ticket = MomentHeap<ProducerState>.Ticket.none
  /// When an event-driven update is due; nil if none is.
  var eventDue: Int64?
  var lastEventUpdate: Int64 = .min
  /// The kernel's time of the event that the next reading will show; nil without one.
  var eventTime: Int64?
  /// Readings older than their predecessor, refused (sources V12).
  var refused: UInt64 = 0
  /// The properties the running stream brings, which no reading overwrites.
  var streamed: Set<Int> = []
  /// The interval of the running stream that its sessions follow.
  var followedInterval: Int64 = 0
  var stream = StreamPhase.none { didSet { agenda = nil } }
  /// Sessions with a shorter interval are served by a stream; nil if there is none.
  var streamsBelow: Int64?
  /// How often in a row a stream was refused.
  var refusals = 0
  /// Counts the streams, so that samples of an old one are recognised.
  var streamNumber = 0
  /// The samples of a stream, and whether it ended, before the call that opens it returned.
  var earlyBlocks: [SampleBlock] = []
  var earlyEnd: Bool?

  /// Whether the machine's IIO devices are another machine's.
  private let isRemote: Bool

  /// An instance that was not read so far. What follows from its properties it shares with another
  /// of its kind that has the same.
  init(
    number: Int, kindIndex: Int, kind: any SourceKind, instance: Instance, isRemote: Bool,
    like other: ProducerState? = nil
  ) {
    self.number = number
    self.isRemote = isRemote
    self.kindIndex = kindIndex
    self.kind = kind
    self.instance = instance
    let properties = instance.properties ?? kind.properties
    let other = other.flatMap { $0.properties == properties ? $0 : nil }
    self.properties = properties
    spans = other?.spans ?? kind.spans
    spanInputs = other?.spanInputs ?? spans.compactMap(\.input)
    modes = other?.modes ?? properties.map(\.mode)
    categories = other?.categories ?? properties.map(\.category)
    traits = other?.traits ?? PropertyTraits.list(of: properties, spans)
    withheld = other?.withheld ?? categories.map(Outcome.withheld)
    hasOneShot = modes.contains(.oneShot)
    mayAdapt = other?.mayAdapt ?? kind.mayAdapt(properties)
    taken = TakenReading(traits)
    box = ReaderBox(kind, properties: properties.count)
  }

  /// Takes the place of one of the same name that was never seen, so that sessions count on.
  func replace(_ former: ProducerState) {
    (isPresent, wasSeen) = (false, false)
    (sessions, former.sessions) = (former.sessions, [])
    (readings, refused) = (former.readings, former.refused)
    if former.properties.areLaidOut(as: properties) { newest.copy(former.newest) }
    forgetBasis()
  }

  /// Something that is neither a reading nor a stream has written newest values, or will.
  func forgetBasis() {
    basisOfRows = nil
    taken.forget()
  }

  /// Makes the newest rows name a session as their source, whose update is a copy of them.
  func nameSource(_ session: UInt32) {
    if taken.namedSource == session { return }
    taken.namedSource = session
    newest.nameSource(session)
  }

  /// Whether a property that is measured once has its value (sources 6, `oneShot`).
  var hasOneShotValue: Bool {
    properties.indices.contains { properties[$0].mode == .oneShot && newest.status(at: $0) == .ok }
  }

  /// Whether it is a device of another machine, which may be out of reach.
  var isElsewhere: Bool { isRemote && instance.availability.backend == "iio" }

  /// Whether asking it makes sense: it is there, and in a state that has values.
  func isUsable(allowing allowance: Allowance) -> Bool {
    isPresent && instance.availability.group == .available && allowance.permits(kind.category)
  }

  /// Whether it is an aggregate without members, which may still have values of its own: external
  /// power without a battery (catalogue 4.13).
  var speaksForNone: Bool {
    isPresent && instance.isAggregate && instance.availability.state == .noHardware
  }

  /// The availability as sessions see it: the instance's, its absence, or what the kind needs.
  func availability(allowing allowance: Allowance) -> Availability {
    guard isPresent else {
      if let absence { return absence }
      return wasSeen
        ? Availability(
          .disconnected, backend: instance.availability.backend,
          detail: "\(instance.nameAsFound) is gone", remedy: "connect it again")
        : instance.availability
    }
    let own = instance.availability.needing(kind.category, allowing: allowance)
    if case .refused(let error, _) = stream, own.state == .available {
      return own.limitedToPolling(by: error)
    }
    return own
  }
}

/// What decides how the values of a property are taken over.
struct PropertyTraits: OptionSet {
  let rawValue: UInt8

  /// It is read only as a whole.
  static let `static` = PropertyTraits(rawValue: 1)
  /// Every reading of it is news.
  static let continuous = PropertyTraits(rawValue: 2)
  /// It has a personal category of its own.
  static let personal = PropertyTraits(rawValue: 4)
  /// It shows nothing of the state of the backend: a rule or a span computes it.
  static let computed = PropertyTraits(rawValue: 8)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Those of a list of properties, some of which spans compute.
  static func list(of properties: [Property], _ spans: [SpanRule]) -> [PropertyTraits] {
    var traits = properties.map(PropertyTraits.init)
    for span in spans where traits.indices.contains(span.property) {
      traits[span.property].insert(.computed)
    }
    return traits
  }

  private init(_ property: Property) {
    self = []
    if property.mode == .static { insert(.static) }
    if property.mode == .continuous { insert(.continuous) }
    if property.category != nil { insert(.personal) }
    if property.flags.contains(.derived) { insert(.computed) }
  }
}

extension SourceKind {
  /// Whether sessions may have values of their own, by settings or by when they began.
  fileprivate func mayAdapt(_ properties: [Property]) -> Bool {
    properties.contains { $0.flags.contains(.config) }
      || adapts(to: SessionFacts(first: Reading(properties: properties.count)))
  }
}

extension Availability {
  /// This availability, saying why the instance is polled though a stream was wanted.
  fileprivate func limitedToPolling(by error: SourceError) -> Availability {
    let cause = error.availability
    return Availability(
      .available, backend: backend, detail: "polling only", errno: cause.errno,
      remedy: cause.remedy)
  }

  /// This availability, or what a personal kind needs before it can be used (sources P2).
  func needing(_ category: PrivacyCategory?, allowing allowance: Allowance) -> Availability {
    guard let category, !allowance.permits(category), group == .available else { return self }
    return Availability(
      .requiresPermission, backend: backend, detail: "the kind is personal",
      remedy: category.remedy)
  }
}
