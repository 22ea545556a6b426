import Gathering
import Ground
import Machine
import Recording
import Values

/// What is known of a fleet, and what is wanted of its broker. Moments are of CLOCK_MONOTONIC.
struct FleetState {
  /// How far the list of machines is (fleet F40).
  enum Listing: Equatable {
    case none
    /// The machines that are there or were, until none has come for a while.
    case machines(quietAt: Int64)
    /// Their lists of sources.
    case sources(quietAt: Int64)
    case complete
  }

  /// A source that is read.
  struct Held {
    var streams: [FleetStream] = []
    /// Whether its last stream ended with its machine or the broker: it is opened again when both
    /// are back, and gets what comes before that.
    var lingers = false
    var deferred: [DeferredRows] = []
    var deferredBytes = 0
    /// What has come of its rows.
    var history: RowsHistory?
    /// How many callers wait for its state.
    var readers = 0
    var state: StateMessage?
    /// When the broker has said that it is subscribed: what is retained follows at once.
    var subscribedAt: Int64?

    var isWanted: Bool { !streams.isEmpty || readers > 0 || lingers }

    /// What is subscribed of it.
    var whats: [FleetTopic.What] {
      if !isWanted { return [] }
      return streams.isEmpty && !lingers ? [.state] : [.state, .rows, .late]
    }
  }

  /// How long nothing retained must have come for a list to be complete, in nanoseconds.
  static let quiet: Int64 = 250_000_000
  /// How many machines are asked at once what their sources are.
  private static let questionLimit = 8

  var devices: [String: FleetDevice] = [:]
  var held: [FleetKey: Held] = [:]
  private(set) var listing = Listing.none
  /// Whether there was a complete list in the life of the fleet.
  private(set) var wasListed = false
  private(set) var isConnected = false
  /// When messages that were not taken are tried again.
  var retryAt: Int64?
  /// When it was connected last.
  var connectedAt: Int64 = 0
  /// Why there is no broker.
  private(set) var failure: BrokerFailure?
  /// What the broker was asked to subscribe and has not answered, by the requests.
  var requests: [Int32: [FleetFilter]] = [:]
  /// What is to be subscribed, and what no longer.
  var subscriptions: [FleetFilter] = []
  var ends: [FleetFilter] = []
  /// The machines that are known by halves.
  private var seeking = FleetSeeking()
  /// The machines whose sources are to be described, in turn.
  private var questions: [String] = []
  /// Those that are being asked.
  private var asked: [String] = []
  var watches: [(number: UInt64, kind: String, changed: @Sendable (Change) -> Void)] = []
  var lastWatch: UInt64 = 0
  /// How many blocks of a source are missing so far.
  var missing: [FleetKey: Int] = [:]
  /// The kinds whose watchers are to look.
  var changed: Set<String> = []
  var isEverythingChanged = false { didSet { if isEverythingChanged { news.forget() } } }
  /// What of these kinds has changed.
  var news = FleetNews()
  var isTelling = false
  /// What was ignored, and how often.
  var faults: [MessageFault: Int] = [:]
  var faultsLoggedAt: Int64?
  var isClosed = false

  /// Whether the list of machines is complete.
  var isListed: Bool { listing == .complete }

  /// Why the whole fleet has no values; nil while the broker is there.
  var absence: Availability? { isConnected ? nil : failure.map(Availability.init) }

  /// The names of the machines, those online first, each group in natural order.
  var order: [String] {
    let names = devices.keys.sorted(by: NaturalOrder.areInIncreasingOrder)
    return names.filter { devices[$0]?.isOnline == true }
      + names.filter { devices[$0]?.isOnline != true }
  }

  // MARK: The connection

  /// The broker has accepted: all that is wanted is asked of it.
  mutating func connect(at now: Int64) {
    (isConnected, failure, isEverythingChanged, requests) = (true, nil, true, [:])
    (connectedAt, seeking, asked) = (now, FleetSeeking(), [])
    listing = .machines(quietAt: now + 4 * Self.quiet)
    subscriptions = [.all("online")]
    for (key, held) in held { subscriptions += held.whats.map { .topic(key.topic($0)) } }
    for (name, device) in devices where device.isAsked {
      devices[name]?.asking = .waits
      if !questions.contains(name) { questions.append(name) }
    }
  }

  mutating func disconnect(_ failure: BrokerFailure) {
    (isConnected, listing, isEverythingChanged) = (false, .none, true)
    self.failure = failure
  }

  /// The broker has answered a request.
  mutating func noteAnswer(to request: Int32, at now: Int64) {
    for case .topic(let topic) in requests.removeValue(forKey: request) ?? [] {
      // What is retained follows this one.
      guard case .source(_, _, .state) = topic.subject, let key = FleetKey(topic) else { continue }
      held[key]?.subscribedAt = now
    }
  }

  /// Has a machine's sources described; whether they are already, or cannot be.
  mutating func ask(_ name: String) -> Bool {
    guard let device = devices[name], isConnected else { return true }
    if case .done = device.asking { return true }
    if case .not = device.asking {
      devices[name]?.asking = .waits
      questions.append(name)
    }
    return false
  }

  // MARK: In time

  /// Does what is due at a moment.
  mutating func goOn(at now: Int64) {
    switch listing {
    case .machines(let quietAt) where now >= quietAt:
      listing = .sources(quietAt: now + Self.quiet)
      subscriptions.append(.all("device"))
    case .sources(let quietAt) where now >= quietAt:
      (listing, wasListed) = (.complete, true)
      for (name, device) in devices where device.isHalf { seeking.note(name, due: now) }
    default: break
    }
    for name in seeking.take(at: now) {
      guard let device = devices[name], device.isHalf else { continue }
      let missing = device.online == nil ? FleetTopic.Subject.online : .device
      subscriptions.append(.topic(FleetTopic(device: name, subject: missing)))
    }
    askQuestions(at: now)
    endLingering(at: now)
  }

  /// Asks machines what their sources are, some at a time.
  private mutating func askQuestions(at now: Int64) {
    let running = asked.filter { name in
      guard let device = devices[name], case .asked(let quietAt) = device.asking else {
        return false
      }
      return now < quietAt && !device.isDescribed(as: name)
    }
    for name in asked where !running.contains(name) { devices[name]?.asking = .done }
    asked = running
    while asked.count < Self.questionLimit, let name = questions.first {
      questions.removeFirst()
      guard devices[name] != nil else { continue }
      devices[name]?.asking = .asked(quietAt: now + 4 * Self.quiet)
      subscriptions.append(.abouts(of: name))
      asked.append(name)
    }
  }

  /// When something is due of itself.
  var next: Int64? {
    var moments = asked.compactMap { name -> Int64? in
      if case .asked(let quietAt)? = devices[name]?.asking { quietAt } else { nil }
    }
    switch listing {
    case .machines(let quietAt), .sources(let quietAt): moments.append(quietAt)
    case .none, .complete: break
    }
    if let due = seeking.due { moments.append(due) }
    if let retryAt { moments.append(retryAt) }
    moments += held.filter(\.value.lingers).compactMap { steadiness(of: $0.key.device) }
    return moments.min()
  }

  /// While retained messages come, the list is not complete.
  private mutating func prolong(from now: Int64) {
    switch listing {
    case .machines: listing = .machines(quietAt: now + Self.quiet)
    case .sources: listing = .sources(quietAt: now + Self.quiet)
    case .none, .complete: break
    }
  }

  // MARK: Messages

  private mutating func noteChange(of name: String) {
    for key in devices[name]?.keys(of: name) ?? [] {
      changed.insert(key.kind)
      news.forget(key.kind)
    }
  }

  /// Makes room for a machine. Throws where there are too many.
  private mutating func admit(_ name: String) throws(MessageFault) {
    if devices[name] != nil { return }
    guard devices.count < FleetJSON.deviceLimit else { throw .tooMany }
    devices[name] = FleetDevice()
  }

  /// A machine is there or not; nil for one that is forgotten.
  mutating func take(
    _ online: OnlineMessage?, of name: String, _ arrival: Instant, at now: Int64
  ) throws(MessageFault) {
    prolong(from: now)
    guard let online else {
      noteChange(of: name)
      devices[name] = nil
      return
    }
    try admit(name)
    let wasOnline = devices[name]?.isOnline
    devices[name]?.online = online
    if online.isOnline || wasOnline == true { devices[name]?.lastHeard = arrival.realtime }
    if online.isOnline, wasOnline != true { devices[name]?.returnedAt = now }
    if wasOnline != online.isOnline { noteChange(of: name) }
    seek(name, at: now)
  }

  /// What a broker has dropped of a machine comes if it is asked for by name (fleet F41).
  private mutating func seek(_ name: String, at now: Int64) {
    guard listing == .complete, devices[name]?.isHalf == true else { return }
    seeking.note(name, due: now + 4 * Self.quiet)
  }

  /// What a machine publishes; nil for one that publishes nothing any more.
  mutating func take(
    _ list: DeviceMessage?, of name: String, _ arrival: Instant, isRetained: Bool, at now: Int64
  ) throws(MessageFault) {
    prolong(from: now)
    try admit(name)
    noteChange(of: name)
    devices[name]?.list = list
    guard let list else { return }
    devices[name]?.clock.note(boot: list.boot)
    devices[name]?.clock.note(sent: list.sent, arrival: arrival, isRetained: isRetained)
    noteChange(of: name)
  }

  /// What a source is; nil for one that is gone.
  mutating func take(
    _ about: AboutMessage?, of key: FleetKey, _ arrival: Instant, isRetained: Bool, at now: Int64
  ) throws(MessageFault) {
    try admit(key.device)
    guard devices[key.device]?.abouts.count ?? 0 < FleetJSON.sourceLimit else { throw .tooMany }
    if devices[key.device]?.abouts[key]?.series != about?.series {
      changed.insert(key.kind)
      news.note(key)
    }
    devices[key.device]?.abouts[key] = about
    if let about {
      devices[key.device]?.clock.note(sent: about.sent, arrival: arrival, isRetained: isRetained)
    }
    if case .asked? = devices[key.device]?.asking {
      devices[key.device]?.asking = .asked(quietAt: now + Self.quiet)
    }
  }

  /// A state has come: the streams that are to get it, what is added to boot times, and whether
  /// rows come as well.
  mutating func take(
    _ message: StateMessage, of key: FleetKey, _ arrival: Instant, isRetained: Bool
  ) throws(MessageFault) -> (streams: [FleetStream], shift: Int64, hasRows: Bool) {
    try admit(key.device)
    devices[key.device]?.clock.note(sent: message.sent, arrival: arrival, isRetained: isRetained)
    let shift = devices[key.device]?.clock.shift ?? 0
    guard let known = held[key] else { return ([], shift, false) }
    held[key]?.state = message
    return (known.streams, shift, devices[key.device]?.abouts[key]?.hasRows ?? false)
  }

  /// The same of rows, and what their series is.
  mutating func take(
    _ message: ReceivedRows, of key: FleetKey, _ arrival: Instant, isRetained: Bool
  ) throws(MessageFault) -> (streams: [FleetStream], shift: Int64, series: RecordedSeries) {
    try admit(key.device)
    devices[key.device]?.clock.note(sent: message.sent, arrival: arrival, isRetained: isRetained)
    let device = devices[key.device]
    guard let series = message.series ?? device?.abouts[key]?.series else { throw .notDescribed }
    return (held[key]?.streams ?? [], device?.clock.shift ?? 0, series)
  }
}
